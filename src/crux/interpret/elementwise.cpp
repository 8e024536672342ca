// SPDX-License-Identifier: Apache-2.0
#include "crux/interpret/elementwise.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/catalogue.h"
#include "base/error.h"
#include "crux/interpret/broadcast.h"
#include "crux/interpret/whole_rules.h"

namespace belay::crux::interpret {
namespace {

bool AnyErrors(const Tile& a, const Tile& b) {
  return !a.error.empty() || !b.error.empty();
}

[[noreturn]] void Unknown(Op op) {
  throw InternalError(
      fmt::format("[interpret] {} is not elementwise", InfoOf(op).id));
}

TilePtr WholeBinaryTile(const Context& context, Op op, const Tile& a,
                        const Tile& b) {
  auto tile = NewTile(context, a.dtype, BroadcastShape(a.shape, b.shape));
  const bool errors = AnyErrors(a, b);
  if (errors) CarryErrors(*tile);
  ForEachBroadcast<2>(
      tile->shape, {&a.shape, &b.shape}, [&](size_t i, const auto& at) {
        const int64_t left = a.whole[at[0]];
        const int64_t right = b.whole[at[1]];
        tile->whole[i] = WholeBinary(op, a.dtype, left, right);
        if (!errors) return;
        tile->error[i] = WholeSpread(op, a.dtype, left, a.ErrorAt(at[0]), right,
                                     b.ErrorAt(at[1]));
      });
  return tile;
}

TilePtr WholeUnaryTile(const Context& context, Op op, const Tile& x) {
  auto tile = NewTile(context, x.dtype, x.shape);
  for (size_t i = 0; i < x.size(); ++i) {
    tile->whole[i] = WholeUnary(op, x.dtype, x.whole[i]);
  }
  tile->error = x.error;
  if (op == Op::kSign) {
    for (double& error : tile->error) error = std::min(error, 2.0);
  } else if (op == Op::kBitNot && x.dtype != DType::kBool) {
    for (double& error : tile->error) error = error == 0 ? 0 : kUnbounded;
  }
  return tile;
}

bool Holds(Op op, bool less, bool equal, bool ordered) {
  switch (op) {
    case Op::kLess:
      return less;
    case Op::kLessEqual:
      return less || equal;
    case Op::kGreater:
      return ordered && !less && !equal;
    case Op::kGreaterEqual:
      return ordered && !less;
    case Op::kEqual:
      return equal;
    case Op::kNotEqual:
      return !equal;
    default:
      Unknown(op);
  }
}

}  // namespace

void SetReal(const Context& context, Tile& tile, size_t i, double value,
             double spread, int units) {
  if (!context.exact()) {
    tile.real[i] = value;
    return;
  }
  const double rounded = units == 0 ? value : RoundTo(tile.dtype, value);
  tile.real[i] = rounded;
  if (!context.bounds) return;
  double error = spread * kSlack;
  if (units != 0) {
    // An infinity that no rounding made is exact.
    if (!std::isinf(value)) error += units * UnitOf(tile.dtype, rounded);
  }
  tile.error[i] = Settled(error);
}

TilePtr ApplyUnary(const Context& context, const UnaryRule& rule,
                   const Tile& x) {
  auto tile = NewTile(context, x.dtype, x.shape);
  const bool errors =
      context.carries_bounds() && (rule.units != 0 || !x.error.empty());
  Context own = context;
  own.bounds = errors;
  if (errors) CarryErrors(*tile);
  for (size_t i = 0; i < x.size(); ++i) {
    const double at = x.real[i];
    double spread = errors ? rule.spread(at, x.ErrorAt(i)) : 0;
    if (errors && rule.extra != nullptr) spread += rule.extra(x.dtype, at);
    SetReal(own, *tile, i, rule.value(at), spread, rule.units);
  }
  return tile;
}

TilePtr Unary(const Context& context, Op op, const Tile& x) {
  if (!x.floating()) return WholeUnaryTile(context, op, x);
  const UnaryRule* rule = FindRealUnary(op);
  if (rule == nullptr) Unknown(op);
  return ApplyUnary(context, *rule, x);
}

TilePtr Binary(const Context& context, Op op, const Tile& a, const Tile& b) {
  if (a.dtype != b.dtype) {
    throw InternalError(fmt::format("[interpret] {} of {} and {}",
                                    InfoOf(op).id, belay::NameOf(a.dtype),
                                    belay::NameOf(b.dtype)));
  }
  if (!a.floating()) return WholeBinaryTile(context, op, a, b);
  const BinaryRule* rule = FindRealBinary(op);
  if (rule == nullptr) Unknown(op);
  auto tile = NewTile(context, a.dtype, BroadcastShape(a.shape, b.shape));
  const bool errors =
      context.carries_bounds() && (rule->units != 0 || AnyErrors(a, b));
  Context own = context;
  own.bounds = errors;
  if (errors) CarryErrors(*tile);
  ForEachBroadcast<2>(tile->shape, {&a.shape, &b.shape},
                      [&](size_t i, const auto& at) {
                        const double left = a.real[at[0]];
                        const double right = b.real[at[1]];
                        SetReal(own, *tile, i, rule->value(left, right),
                                errors ? rule->spread(left, a.ErrorAt(at[0]),
                                                      right, b.ErrorAt(at[1]))
                                       : 0,
                                rule->units);
                      });
  return tile;
}

TilePtr Ternary(const Context& context, Op op, const Tile& a, const Tile& b,
                const Tile& c) {
  if (op == Op::kClamp && !a.floating()) {
    return Binary(context, Op::kMinimum, *Binary(context, Op::kMaximum, a, b),
                  c);
  }
  if (op == Op::kLerp) {
    const TilePtr way = Binary(context, Op::kSub, b, a);
    return Binary(context, Op::kAdd, *Binary(context, Op::kMul, *way, c), a);
  }
  const TernaryRule* rule = FindRealTernary(op);
  if (rule == nullptr) Unknown(op);
  auto tile =
      NewTile(context, a.dtype,
              BroadcastShape(BroadcastShape(a.shape, b.shape), c.shape));
  if (context.carries_bounds()) CarryErrors(*tile);
  ForEachBroadcast<3>(tile->shape, {&a.shape, &b.shape, &c.shape},
                      [&](size_t i, const auto& at) {
                        const double x = a.real[at[0]];
                        const double y = b.real[at[1]];
                        const double z = c.real[at[2]];
                        SetReal(
                            context, *tile, i, rule->value(x, y, z),
                            rule->spread(x, a.ErrorAt(at[0]), y,
                                         b.ErrorAt(at[1]), z, c.ErrorAt(at[2])),
                            rule->units);
                      });
  return tile;
}

TilePtr Compare(const Context& context, Op op, const Tile& a, const Tile& b) {
  auto tile = NewTile(context, DType::kBool, BroadcastShape(a.shape, b.shape));
  const bool errors = AnyErrors(a, b);
  if (errors) CarryErrors(*tile);
  ForEachBroadcast<2>(
      tile->shape, {&a.shape, &b.shape}, [&](size_t i, const auto& at) {
        if (a.floating()) {
          const double left = a.real[at[0]];
          const double right = b.real[at[1]];
          tile->whole[i] = Holds(op, left < right, left == right,
                                 !std::isnan(left) && !std::isnan(right));
        } else {
          const int64_t left = a.whole[at[0]];
          const int64_t right = b.whole[at[1]];
          tile->whole[i] =
              Holds(op, LessWhole(a.dtype, left, right), left == right, true);
        }
        if (!errors) return;
        const double reach = a.ErrorAt(at[0]) + b.ErrorAt(at[1]);
        const double distance =
            std::fabs(a.NumberAt(at[0]) - b.NumberAt(at[1]));
        // A NaN or an infinity that is exact stays what it is.
        const bool certain =
            reach == 0 || (std::isfinite(reach) && !(distance <= reach));
        tile->error[i] = certain ? 0 : 1;
      });
  return tile;
}

TilePtr Classify(const Context& context, Op op, const Tile& x) {
  auto tile = NewTile(context, DType::kBool, x.shape);
  if (!x.error.empty()) CarryErrors(*tile);
  for (size_t i = 0; i < x.size(); ++i) {
    const double at = x.real[i];
    tile->whole[i] = op == Op::kIsNan   ? std::isnan(at)
                     : op == Op::kIsInf ? std::isinf(at)
                                        : std::isfinite(at);
    if (!x.error.empty()) tile->error[i] = std::isfinite(x.error[i]) ? 0 : 1;
  }
  return tile;
}

TilePtr Where(const Context& context, const Tile& condition, const Tile& a,
              const Tile& b) {
  auto tile = NewTile(
      context, a.dtype,
      BroadcastShape(condition.shape, BroadcastShape(a.shape, b.shape)));
  const bool errors = !condition.error.empty() || AnyErrors(a, b);
  if (errors) CarryErrors(*tile);
  ForEachBroadcast<3>(
      tile->shape, {&condition.shape, &a.shape, &b.shape},
      [&](size_t i, const auto& at) {
        const bool first = condition.whole[at[0]] != 0;
        const Tile& chosen = first ? a : b;
        const Tile& other = first ? b : a;
        const size_t from = first ? at[1] : at[2];
        const size_t instead = first ? at[2] : at[1];
        CopyElement(chosen, from, *tile, i);
        if (condition.ErrorAt(at[0]) == 0) return;
        const double apart =
            DistanceOf(chosen.NumberAt(from), other.NumberAt(instead)) +
            other.ErrorAt(instead);
        tile->error[i] = std::max(tile->error[i], Settled(apart));
      });
  return tile;
}

TilePtr BroadcastTo(const Context& context, const Tile& x, const Shape& shape) {
  if (BroadcastShape(x.shape, shape) != shape) {
    throw Fault(code::kX187,
                fmt::format("a tile of shape ({}) does not broadcast to ({})",
                            belay::ToText(x.shape), belay::ToText(shape)),
                "sizes must be equal, or 1 in the tile");
  }
  auto tile = NewTile(context, x.dtype, shape);
  ForEachBroadcast<1>(shape, {&x.shape}, [&](size_t i, const auto& at) {
    CopyElement(x, at[0], *tile, i);
  });
  return tile;
}

}  // namespace belay::crux::interpret
