// SPDX-License-Identifier: Apache-2.0
// full and arange.

#include "base/error.h"
#include "crux/select/elementwise.h"

namespace belay::crux::select {
namespace {

using ir::Number;

Int WholeNumber(const Number& number) {
  return number.kind == Number::Kind::kReal
             ? Int(static_cast<int64_t>(number.real))
             : number.integer;
}

// Bytes by pairs, 64 bits by halves where both are equal.
bool FillOddWidth(Emitter& emitter, const Lane& dst, const Number& number) {
  const DType dtype = emitter.DtypeOf(dst.place);
  const Int count = CountOf(emitter, dst);
  if (BytesOf(dtype) == 1) {
    const Int byte = Mod(WholeNumber(number), 256);
    const Lane pairs = ViewAs(emitter, dst, DType::kUint16);
    emitter.Call("Duplicate", {pairs.place, Whole(DType::kUint16, byte * 257),
                               CeilDiv(count, 2)});
    return true;
  }
  const Int value = WholeNumber(number);
  if (!value.Is(0) && !value.Is(-1)) return false;
  const Lane halves = ViewAs(emitter, dst, DType::kInt32);
  emitter.Call("Duplicate",
               {halves.place, Whole(DType::kInt32, value), count * 2});
  return true;
}

void SelectFull(Emitter& emitter, const ir::Stmt& stmt) {
  const Lane dst = LaneOf(emitter, stmt.results[0]);
  const DType dtype = emitter.DtypeOf(dst.place);
  const size_t bytes = BytesOf(dtype);
  if (const int* tile = std::get_if<int>(&stmt.operands[0])) {
    if (bytes == 2 || bytes == 4) {
      return BroadcastTo(emitter, dst, LaneOf(emitter, *tile));
    }
    return ByScalars(emitter, stmt,
                     [](const std::vector<ScalarPtr>& all) { return all[0]; });
  }
  const auto& number = std::get<Number>(stmt.operands[0]);
  if (bytes == 2 || bytes == 4) {
    const bool one = emitter.LayoutOf(stmt.results[0]).last < 0;
    emitter.Call("Duplicate",
                 {dst.place, ScalarOf(number, dtype),
                  one ? LanesForOne(emitter, {dst}) : CountOf(emitter, dst)});
    return;
  }
  if (FillOddWidth(emitter, dst, number)) return;
  ByScalars(emitter, stmt, [&](const std::vector<ScalarPtr>&) {
    return ScalarOf(number, dtype);
  });
}

void SelectArange(Emitter& emitter, const ir::Stmt& stmt) {
  const int result = stmt.results[0];
  const Lane dst = LaneOf(emitter, result);
  const DType dtype = emitter.DtypeOf(dst.place);
  const auto& first = std::get<Number>(stmt.operands[0]);
  const Layout layout = emitter.LayoutOf(result);
  const bool words = BytesOf(dtype) == 2 || BytesOf(dtype) == 4;
  if (layout.is_flat() && words) {
    const DType view = BytesOf(dtype) == 2 ? DType::kInt16 : DType::kInt32;
    emitter.Call("CreateVecIndex",
                 {ViewAs(emitter, dst, view).place,
                  Whole(view, WholeNumber(first)), CountOf(emitter, dst)});
    return;
  }
  ForEachElement(emitter, dst.dims, [&](const std::vector<Int>& indices) {
    const Int position =
        layout.last < 0 ? Int(0) : indices[static_cast<size_t>(layout.last)];
    emitter.SetValue(emitter.At(result, layout.Offset(indices)),
                     Whole(dtype, WholeNumber(first) + position));
  });
}

}  // namespace

void SelectMake(Emitter& emitter, const ir::Stmt& stmt) {
  switch (stmt.op) {
    case Op::kFull:
    case Op::kZeros:
      return SelectFull(emitter, stmt);
    case Op::kArange:
      return SelectArange(emitter, stmt);
    default:
      throw InternalError("[crux] a tile is made by no known operation");
  }
}

}  // namespace belay::crux::select
