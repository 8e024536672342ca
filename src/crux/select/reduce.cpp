// SPDX-License-Identifier: Apache-2.0
// Reductions: by vectors where elements have at most 32 bits, element by
// element otherwise.

#include <limits>
#include <optional>

#include "base/error.h"
#include "crux/select/elementwise.h"
#include "crux/select/emitter.h"
#include "crux/select/reduce_fold.h"
#include "crux/select/reduce_scalar.h"

namespace belay::crux::select {
namespace {

using ir::Dim;

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

}  // namespace

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
  // The last axis first: what is left is smaller.
  for (size_t i = stmt.axes.size(); i-- > 0;) {
    const auto axis = static_cast<size_t>(stmt.axes[i]);
    std::vector<Dim> dims = from.dims;
    dims[axis] = {1, 1};
    Lane to;
    if (i == 0 && !bytes) {
      to = ViewAs(emitter, LaneOf(emitter, result), word);
      to.dims = dims;
    } else {
      to = ScratchLike(emitter, dims, word, "partly");
    }
    const bool once = stmt.axes.size() == 1 && word == dtype;
    FoldAxis(emitter, *fold, to, from, axis, once ? spare : "");
    from = to;
  }
  if (reorder) Reorder(emitter, from, from);
  if (!bytes) return;
  Lane narrow = LaneOf(emitter, result);
  narrow.dims = from.dims;
  ConvertLanes(emitter, narrow, from, std::nullopt);
}

}  // namespace belay::crux::select
