// SPDX-License-Identifier: Apache-2.0
// A load whose fill= is known on the device only: zeros are loaded outside, and
// replaced where the positions lie outside.

#include "crux/lower/lowering.h"

namespace belay::crux::lower {
namespace {

using ir::IndexKind;

// Lanes first ≤ lane < end of a range lie inside the dimension.
struct Lanes {
  Int first;
  Int end;
};

Lanes LanesInside(const ir::Index& index) {
  const Int count = index.extent.size;
  const auto clamped = [&](const Int& lane) {
    return Min(Max(lane, 0), count);
  };
  return {clamped(CeilDiv(Int(0) - index.start, index.step)),
          clamped(CeilDiv(index.dim - index.start, index.step))};
}

}  // namespace

int Lowering::InsideMask(const ir::Access& access, const std::vector<Dim>& dims,
                         int line) {
  int mask = -1;
  const auto both = [&](int condition) {
    if (mask < 0) {
      mask = condition;
      return;
    }
    mask = Compute(Op::kBitAnd, {mask, condition}, DType::kBool,
                   BroadcastDims(TileAt(mask).dims, TileAt(condition).dims),
                   nullptr, line);
  };
  // Along its axis, to be broadcast over the axes behind.
  const auto spread = [&](int condition, int axis, size_t rank) {
    std::vector<Dim> shape = TileAt(condition).dims;
    shape.resize(dims.size() - static_cast<size_t>(axis) - rank + shape.size(),
                 Dim{1, 1});
    both(shape.size() == TileAt(condition).dims.size()
             ? condition
             : Reshaped(condition, std::move(shape), nullptr, line));
  };
  const auto compare = [&](Op op, int tile, const Int& number) {
    return Compute(op, {tile, IntegerNumber(number)}, DType::kBool,
                   TileAt(tile).dims, nullptr, line);
  };
  for (const ir::Index& index : access.indices) {
    switch (index.kind) {
      case IndexKind::kPoint: {
        const Int inside = Int::Of(
            ir::IntKind::kAnd, Int::Of(ir::IntKind::kLessEqual, 0, index.start),
            Less(index.start, index.dim));
        both(Materialised(IntegerNumber(inside), DType::kBool, nullptr, line));
        break;
      }
      case IndexKind::kRange: {
        const Lanes lanes = LanesInside(index);
        const int lane = Compute(Op::kArange, {IntegerNumber(0)}, DType::kInt32,
                                 {index.extent}, nullptr, line);
        spread(compare(Op::kGreaterEqual, lane, lanes.first), index.axis, 1);
        spread(compare(Op::kLess, lane, lanes.end), index.axis, 1);
        break;
      }
      case IndexKind::kTile: {
        const size_t rank = TileAt(index.tile).dims.size();
        spread(compare(Op::kGreaterEqual, index.tile, 0), index.axis, rank);
        spread(compare(Op::kLess, index.tile, index.dim), index.axis, rank);
        break;
      }
    }
  }
  return mask;
}

int Lowering::LoadFilledBy(int fill, ir::Access access, std::vector<Dim> dims,
                           Target* target, int line) {
  const ir::Tensor& tensor =
      kernel_.tensors.at(static_cast<size_t>(access.tensor));
  const DType dtype = tensor.dtype;
  const int mask = InsideMask(access, dims, line);
  const int loaded =
      kernel_.NewTile(tensor.name + "_local", dtype, dims, line).id;
  ir::Stmt& load = Emit(ir::StmtKind::kLoad, line);
  load.results = {loaded};
  load.access = std::move(access);
  load.fill = IntegerNumber(0);
  return Compute(Op::kWhere, {mask, loaded, fill}, dtype, std::move(dims),
                 target, line);
}

}  // namespace belay::crux::lower
