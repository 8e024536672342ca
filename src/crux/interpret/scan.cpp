// SPDX-License-Identifier: Apache-2.0
#include "crux/interpret/scan.h"

#include <algorithm>
#include <cmath>

#include "crux/interpret/any_order.h"
#include "crux/interpret/broadcast.h"
#include "crux/interpret/lines.h"
#include "crux/interpret/real_rules.h"
#include "crux/interpret/whole_rules.h"

namespace belay::crux::interpret {
namespace {

// One value on its way along a line, with its bound.
struct Running {
  double real = 0;
  int64_t whole = 0;
  double error = 0;  // of integers and maxima
  AnyOrderSum sum;
  AnyOrderProduct product;
};

Op StepOf(Op op) {
  return op == Op::kCumsum    ? Op::kAdd
         : op == Op::kCumprod ? Op::kMul
                              : Op::kMaximum;
}

Running Neutral(Op op, DType dtype) {
  Running start;
  if (op == Op::kCumprod) start.real = start.whole = 1;
  if (op == Op::kCummax) {
    start.real = -kUnbounded;
    if (!IsFloating(dtype)) start.whole = SmallestWhole(dtype);
  }
  return start;
}

class Stepper {
 public:
  Stepper(const Context& context, Op op, const Tile& x)
      : context_(context),
        step_(StepOf(op)),
        x_(x),
        rule_(FindRealBinary(step_)),
        wide_(x.dtype == DType::kDouble ? DType::kDouble : DType::kFloat) {}

  void Take(size_t i, Running& running) const {
    if (!x_.floating()) {
      running.error = WholeSpread(step_, x_.dtype, running.whole, running.error,
                                  x_.whole[i], x_.ErrorAt(i));
      running.whole = WholeBinary(step_, x_.dtype, running.whole, x_.whole[i]);
      return;
    }
    const double value = rule_->value(running.real, x_.real[i]);
    if (step_ == Op::kMaximum) {
      running.error =
          Settled(kSlack * rule_->spread(running.real, running.error,
                                         x_.real[i], x_.ErrorAt(i)));
    } else if (step_ == Op::kAdd) {
      running.sum.Take(x_.real[i], x_.ErrorAt(i));
    } else {
      running.product.Take(x_.real[i], x_.ErrorAt(i));
    }
    const bool rounds = rule_->units != 0 && context_.exact();
    running.real = rounds ? RoundTo(wide_, value) : value;
  }

  void Give(const Running& running, Tile& tile, size_t i) const {
    if (!x_.floating()) {
      tile.whole[i] = running.whole;
    } else if (context_.exact()) {
      tile.real[i] = RoundTo(x_.dtype, running.real);
    } else {
      tile.real[i] = running.real;
    }
    if (!context_.carries_bounds()) return;
    const bool rounded = x_.floating() && x_.dtype != wide_ &&
                         rule_->units != 0 && std::isfinite(running.real);
    const double error =
        ErrorOf(running) + (rounded ? UnitOf(x_.dtype, tile.real[i]) : 0);
    if (error == 0) return;
    CarryErrors(tile);
    tile.error[i] = Settled(error);
  }

 private:
  double ErrorOf(const Running& running) const {
    if (!x_.floating() || step_ == Op::kMaximum) return running.error;
    return step_ == Op::kAdd ? running.sum.Bound(wide_, running.real)
                             : running.product.Bound(wide_, running.real);
  }

  const Context& context_;
  Op step_;
  const Tile& x_;
  const BinaryRule* rule_;
  DType wide_;
};

}  // namespace

TilePtr Scan(const Context& context, Op op, const Tile& x, int axis,
             bool reverse, bool exclusive) {
  auto tile = NewTile(context, x.dtype, x.shape);
  const Stepper stepper(context, op, x);
  ForEachLine(x.shape, axis, [&](const Line& line) {
    Running running = Neutral(op, x.dtype);
    for (size_t k = 0; k < line.count; ++k) {
      const size_t i = line.at(reverse ? line.count - 1 - k : k);
      if (exclusive) stepper.Give(running, *tile, i);
      stepper.Take(i, running);
      if (!exclusive) stepper.Give(running, *tile, i);
    }
  });
  return tile;
}

}  // namespace belay::crux::interpret
