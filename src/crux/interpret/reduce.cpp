// SPDX-License-Identifier: Apache-2.0
#include "crux/interpret/reduce.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/catalogue.h"
#include "base/error.h"
#include "crux/interpret/any_order.h"
#include "crux/interpret/broadcast.h"
#include "crux/interpret/elementwise.h"
#include "crux/interpret/whole_rules.h"

namespace belay::crux::interpret {
namespace {

std::vector<bool> Reduced(const Tile& x, const std::vector<int>& axes) {
  std::vector<bool> reduced(x.shape.size(), axes.empty());
  for (const int axis : axes) reduced[static_cast<size_t>(axis)] = true;
  return reduced;
}

// With size 1 where `reduced`.
Shape KeptShape(const Tile& x, const std::vector<bool>& reduced) {
  Shape shape = x.shape;
  for (size_t d = 0; d < shape.size(); ++d) {
    if (reduced[d]) shape[d] = 1;
  }
  return shape;
}

Shape DroppedShape(const Tile& x, const std::vector<bool>& reduced) {
  Shape shape;
  for (size_t d = 0; d < x.shape.size(); ++d) {
    if (!reduced[d]) shape.push_back(x.shape[d]);
  }
  return shape;
}

// body(i, o): element i of the tile belongs to element o of the result.
template <typename Body>
void ForEachReduced(const Tile& x, const Shape& kept, Body&& body) {
  ForEachBroadcast<1>(x.shape, {&kept},
                      [&](size_t i, const auto& at) { body(i, at[0]); });
}

// Rounded to its own dtype at the end.
template <typename AnyOrder>
void Bounds(const Tile& x, const Shape& kept, Tile& tile) {
  const DType wide = AccumulatorOf(x.dtype);
  std::vector<AnyOrder> all(tile.size());
  ForEachReduced(x, kept, [&](size_t i, size_t o) {
    all[o].Take(x.real[i], x.ErrorAt(i));
  });
  const size_t terms = tile.size() == 0 ? 0 : x.size() / tile.size();
  CarryErrors(tile);
  for (size_t o = 0; o < tile.size(); ++o) {
    tile.error[o] = all[o].Bound(wide, tile.real[o]);
    if (wide == x.dtype || terms < 2 || tile.error[o] == 0) continue;
    tile.error[o] = Settled(tile.error[o] + UnitOf(x.dtype, tile.real[o]));
  }
}

void RealSum(const Context& context, const Tile& x, const Shape& kept,
             Tile& tile) {
  const DType wide = AccumulatorOf(x.dtype);
  ForEachReduced(x, kept, [&](size_t i, size_t o) {
    const double sum = tile.real[o] + x.real[i];
    tile.real[o] = context.exact() ? RoundTo(wide, sum) : sum;
  });
  if (!context.exact()) return;
  for (double& sum : tile.real) sum = RoundTo(x.dtype, sum);
  if (context.bounds) Bounds<AnyOrderSum>(x, kept, tile);
}

void RealProduct(const Context& context, const Tile& x, const Shape& kept,
                 Tile& tile) {
  const DType wide = AccumulatorOf(x.dtype);
  std::fill(tile.real.begin(), tile.real.end(), 1.0);
  ForEachReduced(x, kept, [&](size_t i, size_t o) {
    const double product = tile.real[o] * x.real[i];
    tile.real[o] = context.exact() ? RoundTo(wide, product) : product;
  });
  if (!context.exact()) return;
  for (double& product : tile.real) product = RoundTo(x.dtype, product);
  if (context.bounds) Bounds<AnyOrderProduct>(x, kept, tile);
}

void RequireElementsToChoose(Op op, const Tile& x, const Tile& tile) {
  if (x.size() != 0 || tile.size() == 0) return;
  throw Fault(code::kX187,
              fmt::format("{} of a tile of shape ({}), which has no elements",
                          InfoOf(op).spelling, belay::ToText(x.shape)),
              "skip empty pieces with `if`");
}

void RealExtreme(const Context& context, Op op, const Tile& x,
                 const Shape& kept, Tile& tile) {
  RequireElementsToChoose(op, x, tile);
  const BinaryRule& rule =
      *FindRealBinary(op == Op::kMax ? Op::kMaximum : Op::kMinimum);
  if (context.carries_bounds() && !x.error.empty()) CarryErrors(tile);
  std::vector<bool> begun(tile.size(), false);
  ForEachReduced(x, kept, [&](size_t i, size_t o) {
    tile.real[o] = begun[o] ? rule.value(tile.real[o], x.real[i]) : x.real[i];
    begun[o] = true;
    if (!tile.error.empty()) {
      tile.error[o] = std::max(tile.error[o], x.ErrorAt(i));
    }
  });
}

void WholeReduce(Op op, const Tile& x, const Shape& kept, Tile& tile) {
  if (op == Op::kMax || op == Op::kMin) RequireElementsToChoose(op, x, tile);
  const Op step = ReductionStep(op);
  SetNeutral(op, tile);
  if (!x.error.empty()) CarryErrors(tile);
  std::vector<bool> decided(tile.size(), false);
  ForEachReduced(x, kept, [&](size_t i, size_t o) {
    const int64_t before = tile.whole[o];
    tile.whole[o] = WholeBinary(step, x.dtype, before, x.whole[i]);
    if (x.error.empty()) return;
    if (x.dtype == DType::kBool) {
      // One certain element settles any and all.
      const bool settles = (op == Op::kAny) == (x.whole[i] != 0);
      if (settles && x.error[i] == 0) decided[o] = true;
      tile.error[o] = decided[o] ? 0 : std::max(tile.error[o], x.error[i]);
      return;
    }
    tile.error[o] = WholeSpread(step, x.dtype, before, tile.error[o],
                                x.whole[i], x.error[i]);
  });
}

// NaN counts as better than every number.
bool Better(Op op, const Tile& x, size_t a, size_t b) {
  if (x.floating()) {
    if (std::isnan(x.real[b])) return false;
    if (std::isnan(x.real[a])) return true;
    return op == Op::kArgmax ? x.real[a] > x.real[b] : x.real[a] < x.real[b];
  }
  return op == Op::kArgmax ? LessWhole(x.dtype, x.whole[b], x.whole[a])
                           : LessWhole(x.dtype, x.whole[a], x.whole[b]);
}

}  // namespace

Op ReductionStep(Op op) {
  switch (op) {
    case Op::kSum:
      return Op::kAdd;
    case Op::kProd:
      return Op::kMul;
    case Op::kMax:
      return Op::kMaximum;
    case Op::kMin:
      return Op::kMinimum;
    case Op::kAny:
      return Op::kBitOr;
    case Op::kAll:
      return Op::kBitAnd;
    default:
      throw InternalError(
          fmt::format("[interpret] {} is no reduction", InfoOf(op).id));
  }
}

void SetNeutral(Op op, Tile& tile) {
  const auto fill = [&](double real, int64_t whole) {
    std::fill(tile.real.begin(), tile.real.end(), real);
    std::fill(tile.whole.begin(), tile.whole.end(), whole);
  };
  const bool floating = tile.floating();
  switch (op) {
    case Op::kProd:
      return fill(1, 1);
    case Op::kMax:
      return fill(-kUnbounded, floating ? 0 : SmallestWhole(tile.dtype));
    case Op::kMin:
      return fill(kUnbounded, floating ? 0 : LargestWhole(tile.dtype));
    case Op::kAll:
      return fill(1, 1);
    default:
      return fill(0, 0);
  }
}

TilePtr Reduce(const Context& context, Op op, const Tile& x,
               const std::vector<int>& axes, bool keepdims) {
  context.budget->Spend(x.size());
  const std::vector<bool> reduced = Reduced(x, axes);
  const Shape kept = KeptShape(x, reduced);
  auto tile =
      NewTile(context, x.dtype, keepdims ? kept : DroppedShape(x, reduced));
  if (!x.floating()) {
    WholeReduce(op, x, kept, *tile);
  } else if (op == Op::kSum) {
    RealSum(context, x, kept, *tile);
  } else if (op == Op::kProd) {
    RealProduct(context, x, kept, *tile);
  } else {
    RealExtreme(context, op, x, kept, *tile);
  }
  return tile;
}

TilePtr ReduceIndex(const Context& context, Op op, const Tile& x,
                    const std::vector<int>& axes, bool keepdims) {
  context.budget->Spend(x.size());
  const std::vector<bool> reduced = Reduced(x, axes);
  const Shape kept = KeptShape(x, reduced);
  auto tile = NewTile(context, DType::kInt32,
                      keepdims ? kept : DroppedShape(x, reduced));
  RequireElementsToChoose(op, x, *tile);
  std::vector<size_t> best(tile->size());
  std::vector<int64_t> seen(tile->size());
  std::vector<int64_t> position(x.size());
  ForEachReduced(x, kept, [&](size_t i, size_t o) {
    position[i] = seen[o]++;
    if (position[i] != 0 && !Better(op, x, i, best[o])) return;
    best[o] = i;
    tile->whole[o] = position[i];
  });
  if (x.error.empty()) return tile;
  CarryErrors(*tile);
  ForEachReduced(x, kept, [&](size_t i, size_t o) {
    if (i == best[o]) return;
    const double apart = std::fabs(x.NumberAt(best[o]) - x.NumberAt(i));
    const double reach = x.error[i] + x.error[best[o]];
    if (reach == 0 || apart > reach) return;
    tile->error[o] =
        std::max(tile->error[o],
                 std::fabs(static_cast<double>(position[i] - tile->whole[o])));
  });
  return tile;
}

TilePtr Norm(const Context& context, const Tile& x,
             const std::vector<int>& axes, bool keepdims, double order) {
  const TilePtr wide = Convert(context, x, DType::kFloat, Round::kRint);
  const TilePtr size = Unary(context, Op::kAbs, *wide);
  TilePtr result;
  if (std::isinf(order)) {
    result = Reduce(context, Op::kMax, *size, axes, keepdims);
  } else if (order == 1) {
    result = Reduce(context, Op::kSum, *size, axes, keepdims);
  } else if (order == 2) {
    result = Unary(
        context, Op::kSqrt,
        *Reduce(context, Op::kSum, *Binary(context, Op::kMul, *wide, *wide),
                axes, keepdims));
  } else {
    const TilePtr power = ScalarOf(context, DType::kFloat, order);
    const TilePtr root = ScalarOf(context, DType::kFloat, 1 / order);
    result = Binary(
        context, Op::kPow,
        *Reduce(context, Op::kSum, *Binary(context, Op::kPow, *size, *power),
                axes, keepdims),
        *root);
  }
  return Convert(context, *result, x.dtype, Round::kRint);
}

}  // namespace belay::crux::interpret
