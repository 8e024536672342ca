// SPDX-License-Identifier: Apache-2.0
// Reductions. Floats fold by vector instructions: along the last axis columns
// first, then one instruction that reduces a repeat to an element; along other
// axes slice after slice. The rest goes element by element.

#include <algorithm>
#include <limits>
#include <utility>

#include "base/error.h"
#include "crux/ir/bounds.h"
#include "crux/select/emitter.h"
#include "crux/select/reduce_scalar.h"
#include "crux/select/vector.h"

namespace belay::crux::select {
namespace {

using code::Struct;
using ir::Dim;

constexpr int64_t kMostRepeats = 255;
constexpr int64_t kLongestStride = 255;  // in blocks
constexpr int64_t kRowBytes = 8192;      // a long row folds into so many

// The instructions of a reduction that vectors can fold.
struct Fold {
  const char* step = nullptr;   // of two vectors
  const char* whole = nullptr;  // of a repeat
  double neutral = 0;
};

Fold FoldOf(Op op) {
  const double infinity = std::numeric_limits<double>::infinity();
  switch (op) {
    case Op::kSum:
      return {"Add", "WholeReduceSum", 0};
    case Op::kMax:
      return {"Max", "WholeReduceMax", -infinity};
    case Op::kMin:
      return {"Min", "WholeReduceMin", infinity};
    default:
      throw InternalError("[crux] not a reduction that vectors fold");
  }
}

class Reducer {
 public:
  Reducer(Emitter& emitter, Op op, DType dtype)
      : emitter_(emitter),
        fold_(FoldOf(op)),
        op_(op),
        dtype_(dtype),
        lanes_(LanesOfRepeat(dtype)),
        block_(LanesOfBlock(dtype)) {}

  // dst = src reduced along `axis`; dst has one element there.
  void Reduce(const Lane& dst, const Lane& src, size_t axis) {
    const Layout from = LayoutOf(src.dims, emitter_.padding());
    if (src.dims[axis].is_one()) {
      // Nothing to fold; all that is left has the same places.
      emitter_.Call("Adds", {dst.place, src.place, Real(dtype_, 0),
                             from.Count()});
      return;
    }
    if (static_cast<int>(axis) == from.last) {
      AlongRows(dst, src, from);
    } else {
      AcrossSlices(dst, src, from, axis);
    }
  }

 private:
  static Local Moved(const Local& place, const Int& offset) {
    return {place.name, place.offset + offset};
  }

  // --- along the last axis ----------------------------------------------------

  // The axis before the last gives the rows of one step, others are looped over.
  void AlongRows(const Lane& dst, const Lane& src, const Layout& from) {
    const Layout to = LayoutOf(dst.dims, emitter_.padding());
    int row = -1;
    std::vector<Dim> outer = src.dims;
    outer[from.last] = {1, 1};
    for (int i = 0; i < from.last; ++i) {
      if (!src.dims[i].is_one()) row = i;
    }
    if (row >= 0) outer[row] = {1, 1};
    ForEachElement(emitter_, outer, [&](const std::vector<Int>& at) {
      Rows rows;
      rows.dst = Moved(dst.place, to.Offset(at));
      rows.src = Moved(src.place, from.Offset(at));
      rows.columns = src.dims[from.last].size;
      rows.capacity = src.dims[from.last].capacity;
      if (row >= 0) {
        rows.count = src.dims[row].size;
        rows.most = src.dims[row].capacity;
        rows.stride = from.strides[row];
      }
      ReduceRows(rows);
    });
  }

  struct Rows {
    Local dst;  // one element for each row
    Local src;
    Int count = 1;
    Int most = 1;
    Int stride = 0;  // between rows, in elements
    Int columns;
    Int capacity;  // of columns
  };

  void ReduceRows(const Rows& rows) {
    const auto narrow = [&] {
      InPortions(rows, [&](const Rows& part) {
        Whole(part.dst, part.src, part.columns, part.count,
              FloorDiv(part.stride, block_));
      });
    };
    const auto wide = [&] {
      const Int by_columns =
          Int::Of(ir::IntKind::kAnd, Less(3, rows.count),
                  Less(rows.stride, (kLongestStride + 1) * block_));
      if (rows.most.Is(1)) return EachRow(rows);
      emitter_.If(
          by_columns, [&] { ByColumns(rows); }, [&] { EachRow(rows); });
    };
    const auto most = ir::Most(emitter_.kernel(), rows.capacity);
    if (most && *most <= lanes_) return narrow();
    emitter_.If(Less(rows.columns, lanes_ + 1), narrow, wide);
  }

  // At most as many rows as an instruction repeats.
  void InPortions(const Rows& rows,
                  const std::function<void(const Rows&)>& body) {
    const auto most = ir::Most(emitter_.kernel(), rows.most);
    if (most && *most <= kMostRepeats) return body(rows);
    emitter_.For("first_row", 0, rows.count, kMostRepeats,
                 [&](const Int& first) {
                   Rows part = rows;
                   part.count = Min(rows.count - first, kMostRepeats);
                   part.dst = Moved(rows.dst, first);
                   part.src = Moved(rows.src, first * rows.stride);
                   body(part);
                 });
  }

  // dst[i] = the first `lanes` of repeat i.
  void Whole(const Local& dst, const Local& src, const Int& lanes,
             const Int& repeats, const Int& stride) {
    std::vector<Arg> args = {dst, src, lanes, repeats, 1, 1, stride};
    if (op_ != Op::kSum) args.push_back(Word{"ReduceOrder::ORDER_ONLY_VALUE"});
    emitter_.Call(fold_.whole, std::move(args), {dtype_});
  }

  // Columns of all rows at once, a repeat wide.
  void ByColumns(const Rows& rows) {
    const Local folded = emitter_.Scratch(
        dtype_, Min(rows.most, kMostRepeats) * lanes_, "folded");
    InPortions(rows, [&](const Rows& part) {
      emitter_.Call("Duplicate", {folded, Real(dtype_, fold_.neutral),
                                  part.count * lanes_},
                    {dtype_});
      emitter_.For("column", 0, part.columns, lanes_, [&](const Int& column) {
        emitter_.Call(fold_.step,
                      {folded, folded, Moved(part.src, column),
                       Min(part.columns - column, lanes_), part.count,
                       Struct{"BinaryRepeatParams",
                              {1, 1, 1, 8, 8, FloorDiv(part.stride, block_)},
                              nullptr}});
      });
      Whole(part.dst, folded, lanes_, part.count, 8);
    });
  }

  // One row after the other: into a stretch, which is then halved.
  void EachRow(const Rows& rows) {
    const int64_t width = kRowBytes / static_cast<int64_t>(BytesOf(dtype_));
    const Local folded = emitter_.Scratch(dtype_, width, "stretch");
    const auto row = [&](const Local& dst, const Local& src) {
      emitter_.Call("Duplicate",
                    {folded, Real(dtype_, fold_.neutral), width}, {dtype_});
      emitter_.For("column", 0, rows.columns, width, [&](const Int& column) {
        emitter_.Call(fold_.step, {folded, folded, Moved(src, column),
                                   Min(rows.columns - column, width)});
      });
      for (int64_t half = width / 2; half >= lanes_; half /= 2) {
        emitter_.Call(fold_.step, {folded, folded, Moved(folded, half), half});
      }
      Whole(dst, folded, lanes_, 1, 8);
    };
    emitter_.For("row", 0, rows.count, 1, [&](const Int& i) {
      row(Moved(rows.dst, i), Moved(rows.src, i * rows.stride));
    });
  }

  // --- along another axis -----------------------------------------------------

  void AcrossSlices(const Lane& dst, const Lane& src, const Layout& from,
                    size_t axis) {
    const Layout to = LayoutOf(dst.dims, emitter_.padding());
    std::vector<Dim> outer(src.dims.begin(),
                           src.dims.begin() + static_cast<std::ptrdiff_t>(axis));
    std::vector<Dim> inner = src.dims;
    for (size_t i = 0; i <= axis; ++i) inner[i] = {1, 1};
    const Layout slice = LayoutOf(inner, emitter_.padding());
    // A slice of one axis lies without padding; with more, as in the tile.
    const Int count = slice.Count();
    ForEachElement(emitter_, outer, [&](const std::vector<Int>& at) {
      std::vector<Int> indices = at;
      indices.resize(src.dims.size(), Int(0));
      const Local into = Moved(dst.place, to.Offset(indices));
      const Local base = Moved(src.place, from.Offset(indices));
      emitter_.Call("Duplicate", {into, Real(dtype_, fold_.neutral), count},
                    {dtype_});
      emitter_.For("slice", 0, src.dims[axis].size, 1, [&](const Int& k) {
        emitter_.Call(fold_.step,
                      {into, into, Moved(base, k * from.strides[axis]), count});
      });
    });
  }

  Emitter& emitter_;
  Fold fold_;
  Op op_;
  DType dtype_;
  int64_t lanes_;
  int64_t block_;
};

bool Folds(const Emitter& emitter, const ir::Stmt& stmt) {
  const DType dtype = emitter.DtypeOf(std::get<int>(stmt.operands[0]));
  switch (stmt.op) {
    case Op::kSum:
      return dtype == DType::kFloat;
    case Op::kMax:
    case Op::kMin:
      return dtype == DType::kFloat || dtype == DType::kHalf;
    default:
      return false;
  }
}

}  // namespace

void SelectReduce(Emitter& emitter, const ir::Stmt& stmt) {
  if (!Folds(emitter, stmt)) return ReduceByScalars(emitter, stmt);
  const int source = std::get<int>(stmt.operands[0]);
  if (stmt.axes.empty()) return CopyTile(emitter, stmt.results[0], source);
  const DType dtype = emitter.DtypeOf(source);
  Reducer reducer(emitter, stmt.op, dtype);
  Lane from = LaneOf(emitter, source);
  // The last axis first: what is left is smaller.
  for (size_t i = stmt.axes.size(); i-- > 0;) {
    const auto axis = static_cast<size_t>(stmt.axes[i]);
    std::vector<Dim> dims = from.dims;
    dims[axis] = {1, 1};
    Lane to;
    if (i == 0) {
      to = LaneOf(emitter, stmt.results[0]);
      to.dims = dims;
    } else {
      to = ScratchLike(emitter, dims, dtype, "partly");
    }
    reducer.Reduce(to, from, axis);
    from = to;
  }
}

}  // namespace belay::crux::select
