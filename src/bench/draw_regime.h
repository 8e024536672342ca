// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_BENCH_DRAW_REGIME_H_
#define BELAY_BENCH_DRAW_REGIME_H_

// Numbers that follow a regime: the magnitudes and special values of one
// tensor, drawn element by element in order.

#include "base/shape.h"
#include "bench/random.h"
#include "bench/task.h"

namespace belay::bench {

// Reals for floating and complex dtypes.
class RealRegime {
 public:
  // `alone`: no other real input meets this one, so that its largest finite
  // values cannot overflow half way to a finite result.
  RealRegime(Regime regime, const Values& values, DType dtype,
             const Shape& shape, uint64_t seed, bool alone);

  // The value of element `at`; elements must be asked in order.
  double Draw(int64_t at);

 private:
  double DrawMagnitude(int64_t at);
  double Restrict(double value);
  double Special();
  bool IsSpecialPlace(int64_t at);

  Regime regime_;
  const Values& values_;
  DType dtype_;
  Random random_;
  int64_t row_;
  bool many_rows_;
  double wide_;
  bool alone_;
  double before_ = 0;
  uint64_t specials_ = 0;
};

// Integers for integer dtypes and bool.
class IntegerRegime {
 public:
  IntegerRegime(Regime regime, const Values& values, DType dtype,
                uint64_t seed);

  int64_t Draw();

 private:
  int64_t DrawAny();

  Regime regime_;
  const Values& values_;
  DType dtype_;
  Random random_;
  int64_t least_;
  int64_t most_;
};

}  // namespace belay::bench

#endif  // BELAY_BENCH_DRAW_REGIME_H_
