// SPDX-License-Identifier: Apache-2.0
// Reductions: by vectors where elements have at most 32 bits, element by
// element otherwise.

#include <algorithm>
#include <limits>
#include <optional>

#include "base/error.h"
#include "crux/select/elementwise.h"
#include "crux/select/emitter.h"
#include "crux/select/fold_columns.h"
#include "crux/select/reduce_fold.h"
#include "crux/select/reduce_scalar.h"

namespace belay::crux::select {
namespace {

using ir::Dim;

// Turns after which a running sum's lanes are added to its others.
constexpr int64_t kTurnsOfSum = 8;

// The signed integer of the same width, or the float itself.
DType FoldedAs(DType dtype) {
  if (IsFloating(dtype)) return dtype;
  return BytesOf(dtype) == 4 ? DType::kInt32 : DType::kInt16;
}

ScalarPtr Limit(DType dtype, bool lowest) {
  if (IsFloating(dtype)) {
    const double infinity = std::numeric_limits<double>::infinity();
    return Real(dtype, lowest ? -infinity : infinity);
  }
  const int64_t half = int64_t{1} << (BitsOf(dtype) - 1);
  return Whole(dtype, lowest ? -half : half - 1);
}

ScalarPtr Number(DType dtype, int64_t value) {
  return IsFloating(dtype) ? Real(dtype, static_cast<double>(value))
                           : Whole(dtype, value);
}

// Of lanes of f32, f16, i32 or i16; nothing: vectors cannot.
std::optional<Fold> FoldOf(Op op, DType dtype) {
  const bool floating = IsFloating(dtype);
  switch (op) {
    case Op::kSum:
      if (dtype == DType::kHalf) return std::nullopt;
      return Fold{"Sum", "Add", floating ? "WholeReduceSum" : nullptr,
                  Number(dtype, 0)};
    case Op::kProd:
      if (dtype == DType::kHalf) return std::nullopt;
      return Fold{"Product", "Mul", nullptr, Number(dtype, 1)};
    case Op::kMax:
      return Fold{"Max", "Max", floating ? "WholeReduceMax" : nullptr,
                  Limit(dtype, true)};
    case Op::kMin:
      return Fold{"Min", "Min", floating ? "WholeReduceMin" : nullptr,
                  Limit(dtype, false)};
    case Op::kAny:
      return Fold{"Any", "Max", "WholeReduceMax", Number(dtype, 0)};
    case Op::kAll:
      return Fold{"All", "Min", "WholeReduceMin", Number(dtype, 1)};
    default:
      return std::nullopt;
  }
}

// Adds the lowest number to every lane: the order of unsigned numbers becomes
// that of signed ones, and the other way.
void Reorder(Emitter& emitter, const Lane& dst, const Lane& src) {
  const DType dtype = emitter.DtypeOf(src.place);
  VectorScalar(emitter, "Adds", dst, src, Limit(dtype, true));
}

// The source as lanes to fold; `word` is their dtype.
Lane Prepared(Emitter& emitter, int source, DType word, bool reorder) {
  const Lane own = LaneOf(emitter, source);
  const DType dtype = emitter.DtypeOf(own.place);
  if (BytesOf(dtype) == 1) {
    const Lane wide = ScratchLike(emitter, own.dims, word, "wide");
    ConvertLanes(emitter, wide, own, std::nullopt);
    return wide;
  }
  const Lane view = ViewAs(emitter, own, word);
  if (!reorder) return view;
  const Lane ordered = ScratchLike(emitter, own.dims, word, "ordered");
  Reorder(emitter, ordered, view);
  return ordered;
}

// The last two axes of a tile as one, which they are where `dense` is not 0.
struct Flattened {
  size_t row = 0;  // the axis before the last
  std::vector<Dim> dims;
  ir::Int dense;
};

// Nothing: `axes` are not all of the last two, or one has gaps for sure.
std::optional<Flattened> FlattenedBy(const Emitter& emitter,
                                     const std::vector<Dim>& dims,
                                     const std::vector<int>& axes) {
  const Layout layout = LayoutOf(dims, emitter.padding());
  int row = layout.last - 1;
  while (row >= 0 && dims[row].is_one()) --row;
  const auto reduces = [&](int axis) {
    return std::find(axes.begin(), axes.end(), axis) != axes.end();
  };
  if (row < 0 || layout.on_lanes || !reduces(row) || !reduces(layout.last)) {
    return std::nullopt;
  }
  const bool outermost =
      std::all_of(dims.begin(), dims.begin() + row,
                  [](const Dim& dim) { return dim.is_one(); });
  const Dim& columns = dims[layout.last];
  if (!Same(columns.size, columns.capacity) ||
      (!outermost && !Same(dims[row].size, dims[row].capacity))) {
    return std::nullopt;
  }
  Flattened flat{static_cast<size_t>(row), dims,
                 ir::Int::Of(ir::IntKind::kEqual, columns.size, layout.pitch)};
  flat.dims[layout.last] = {dims[row].capacity * columns.capacity,
                            dims[row].size * columns.size};
  flat.dims[row] = {1, 1};
  return flat;
}

// Folds the axes, the last one first: what is left is smaller.
void FoldAxes(Emitter& emitter, const Fold& fold, const Lane& dst,
              const Lane& src, const std::vector<int>& axes,
              const std::string& spare) {
  const DType word = emitter.DtypeOf(src.place);
  Lane from = src;
  for (size_t i = axes.size(); i-- > 0;) {
    const auto axis = static_cast<size_t>(axes[i]);
    std::vector<Dim> dims = from.dims;
    dims[axis] = {1, 1};
    Lane to = dst;
    if (i > 0) to = ScratchLike(emitter, dims, word, "partly");
    to.dims = dims;
    FoldAxis(emitter, fold, to, from, axis, spare);
    from = to;
  }
}

// The part, and the sources from `at` on.
std::vector<Arg> MadeOf(const RowsInParts& rows, const Int& at) {
  std::vector<Arg> args = {rows.part};
  for (const Local& source : rows.sources) {
    args.emplace_back(Moved(source, at));
  }
  return args;
}

}  // namespace

void MakeRows(Emitter& emitter, const RowsInParts& rows, const Int& at,
              const Int& elements) {
  std::vector<Arg> args = MadeOf(rows, at);
  args.emplace_back(elements);
  emitter.Call(rows.function, std::move(args));
}

void MakeEight(Emitter& emitter, const RowsInParts& rows, const Int& pitch,
               const Int& width, const Int& at, const Int& count,
               const Int& columns) {
  constexpr int64_t kBlock = 8;  // elements
  const bool binary = rows.sources.size() == 2;
  code::Struct strides = {binary ? "BinaryRepeatParams" : "UnaryRepeatParams",
                          {FloorDiv(width, kBlock)},
                          {}};
  strides.fields.resize(1 + rows.sources.size(), FloorDiv(pitch, kBlock));
  strides.fields.resize(2 * strides.fields.size(), Int(1));
  std::vector<Arg> args = MadeOf(rows, at);
  args.emplace_back(count * kBlock);
  args.emplace_back(FloorDiv(columns, kBlock));
  args.emplace_back(std::move(strides));
  emitter.Call(rows.function, std::move(args));
}

void SelectReduceOfParts(Emitter& emitter, const ir::Stmt& stmt,
                         const Parts& parts, const Local& beside) {
  if (emitter.LayoutOf(parts.made->results[0]).on_lanes) {
    return FoldColumnsOfParts(emitter, *FoldOf(stmt.op, DType::kFloat), stmt,
                              *parts.made, beside);
  }
  RowsInParts rows;
  rows.function = parts.made->op == Op::kExp ? "Exp" : "Mul";
  for (const ir::Operand& operand : parts.made->operands) {
    rows.sources.push_back(emitter.At(std::get<int>(operand)));
  }
  const int made = parts.made->results[0];
  rows.part = emitter.At(made);
  rows.dims = emitter.TileOf(made).dims;
  rows.step = parts.step;
  rows.width = parts.width;
  FoldParts(emitter, *FoldOf(stmt.op, DType::kFloat),
            emitter.At(stmt.results[0]), rows);
}

bool SelectRunningSum(Emitter& emitter, const ir::Stmt& stmt,
                      const RunningSums& running) {
  const int64_t repeat = LanesOfRepeat(DType::kFloat);
  if (running.additions.contains(&stmt)) return true;
  if (running.begins.contains(&stmt)) {
    emitter.Call("Duplicate", {emitter.At(stmt.results[0]),
                               Number(DType::kFloat, 0), repeat * 2});
    return true;
  }
  const auto found = running.reductions.find(&stmt);
  if (found == running.reductions.end()) return false;
  const int source = std::get<int>(stmt.operands[0]);
  const Layout layout = emitter.LayoutOf(source);
  const Fold fold = *FoldOf(Op::kSum, DType::kFloat);
  emitter.Invoke(
      "SumLanes",
      {{"lanes", emitter.At(found->second.total)}, {"src", emitter.At(source)}},
      {{"columns", layout.dims[layout.last].size},
       {"turn", found->second.turn}},
      [&](const std::vector<Local>& own, const std::vector<ir::Int>& sizes) {
        FoldRow(emitter, fold, own[0], own[1], sizes[0]);
        const ir::Int full =
            ir::Int::Of(ir::IntKind::kEqual, Mod(sizes[1], kTurnsOfSum), 0);
        emitter.If(full, [&] {
          const Local all{own[0].name, own[0].offset + repeat};
          emitter.Call(fold.step, {all, all, own[0], repeat});
          emitter.Call("Duplicate", {own[0], fold.neutral, repeat},
                       {DType::kFloat});
        });
      });
  return true;
}

void EndRunningSums(Emitter& emitter, const ir::Stmt& stmt,
                    const RunningSums& running) {
  const auto [begin, end] = running.ends.equal_range(&stmt);
  for (auto one = begin; one != end; ++one) {
    emitter.SetStage(code::Stage::kCompute);
    const Local lanes = emitter.At(one->second);
    const int64_t repeat = LanesOfRepeat(DType::kFloat);
    emitter.Call("Add", {lanes, lanes, Local{lanes.name, lanes.offset + repeat},
                         repeat});
    emitter.Call("WholeReduceSum", {lanes, lanes, repeat, 1, 1, 1, 8},
                 {DType::kFloat});
  }
}

void SelectReduce(Emitter& emitter, const ir::Stmt& stmt,
                  const std::string& spare) {
  const int source = std::get<int>(stmt.operands[0]);
  const int result = stmt.results[0];
  const DType dtype = emitter.DtypeOf(source);
  if (BytesOf(dtype) > 4) return ReduceByScalars(emitter, stmt);
  const DType word = FoldedAs(dtype);
  const std::optional<Fold> fold = FoldOf(stmt.op, word);
  if (!fold) return ReduceByScalars(emitter, stmt);
  const bool bytes = BytesOf(dtype) == 1;
  const bool reorder = !IsFloating(dtype) && !IsSigned(dtype) && !bytes &&
                       (stmt.op == Op::kMax || stmt.op == Op::kMin);
  Lane from = Prepared(emitter, source, word, reorder);
  std::vector<Dim> dims = from.dims;
  for (const int axis : stmt.axes) dims[axis] = {1, 1};
  Lane to = bytes ? ScratchLike(emitter, dims, word, "folded_bytes")
                  : ViewAs(emitter, LaneOf(emitter, result), word);
  to.dims = dims;
  const bool once = stmt.axes.size() == 1 && word == dtype;
  const auto fold_axes = [&] {
    FoldAxes(emitter, *fold, to, from, stmt.axes, once ? spare : "");
  };
  const auto flat = FlattenedBy(emitter, from.dims, stmt.axes);
  if (flat) {
    emitter.If(
        flat->dense,
        [&] {
          Lane rows = from;
          rows.dims = flat->dims;
          std::vector<int> axes = stmt.axes;
          std::erase(axes, static_cast<int>(flat->row));
          FoldAxes(emitter, *fold, to, rows, axes, "");
        },
        fold_axes);
  } else {
    fold_axes();
  }
  from = to;
  if (reorder) Reorder(emitter, from, from);
  if (!bytes) return;
  Lane narrow = LaneOf(emitter, result);
  narrow.dims = from.dims;
  ConvertLanes(emitter, narrow, from, std::nullopt);
}

}  // namespace belay::crux::select
