// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_BENCH_PRECISION_H_
#define BELAY_BENCH_PRECISION_H_

// The precision rule: when a tensor a kernel wrote is as good as the truth.
//
// Reals: an error of up to one ulp of the dtype counts as 0. Any other error is
// divided by max(|g|, 2^-8 · S, smallest normal number), g the truth and S the
// scale where there is one. The mean over the tensor must lie below t, the
// largest below 10 t. NaN and infinities must stand in the same places, with
// the same sign of infinity; where the truth lies within 10 t of the largest
// finite number, that number's neighbourhood and infinity are both right.

#include <cstdint>
#include <string>

#include "base/npy.h"

namespace belay::bench {

// t: 2^-13 for f32 and c64, 2^-10 for f16, 2^-7 for bf16, 2^-42 for f64.
double ToleranceOf(DType dtype);

// The distance between two neighbouring values of a real dtype at `value`;
// below the normal numbers the smallest subnormal.
double UlpAt(DType dtype, double value);

// What the rule says about one tensor.
struct Measure {
  bool accepted = true;
  double mean = 0;        // of the errors that count
  double largest = 0;     // of them
  int64_t worst = -1;     // the element with the largest error, or misplaced
  int64_t wrong = 0;      // elements that alone make the tensor wrong
  std::string complaint;  // what is wrong, "" if accepted
};

// `golden` is f64 (a last axis of 2 for c64), `candidate` of the declared
// dtype with as many elements; `scale` is f64 in the shape of golden, or null.
Measure MeasureReal(const Array& golden, const Array* scale,
                    const Array& candidate);

// Equal bits, any NaN for a NaN. `rounded` is the truth in the dtype of the
// candidate.
Measure MeasureExact(const Array& rounded, const Array& candidate);

// Integers, at most one step apart.
Measure MeasureQuantised(const Array& rounded, const Array& candidate);

}  // namespace belay::bench

#endif  // BELAY_BENCH_PRECISION_H_
