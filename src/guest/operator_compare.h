// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_GUEST_OPERATOR_COMPARE_H_
#define BELAY_GUEST_OPERATOR_COMPARE_H_

// Whether an output is what was expected.

#include <cstdint>
#include <optional>
#include <string>

#include "base/npy.h"

namespace belay::guest {

// An element is right when |got − expected| ≤ atol + rtol · |expected|.
struct Tolerance {
  double rtol = 0;
  double atol = 0;
};

// For outputs of this type: exact for integers and bool, f16 1e-3, bf16 1e-2,
// f32, f64 and c64 1e-4, both relative and absolute.
Tolerance DefaultTolerance(DType dtype);

struct Comparison {
  uint64_t elements = 0;
  uint64_t differing = 0;  // beyond the tolerance, or NaN on one side only
  uint64_t nan_differing = 0;
  Shape worst;  // index of the largest error; meaningful if differing
  double got = 0;
  double expected = 0;
  // Errors over all elements that are finite on both sides.
  double largest_absolute = 0;
  double largest_relative = 0;
  std::string problem;  // type or shape cannot be compared; empty if they can

  bool equal() const { return problem.empty() && differing == 0; }
};

// NaN equals NaN, an infinity only itself. Types may differ: values count. A
// uint16 array expected of a bf16 output holds bf16.
Comparison Compare(const Array& got, Array expected,
                   const Tolerance& tolerance);

// "3 of 128 elements differ, the worst at [2,5]: got 1.5, expected 1.25, …";
// for an equal one what was compared.
std::string ToText(const Comparison& comparison, const Tolerance& tolerance);

}  // namespace belay::guest

#endif  // BELAY_GUEST_OPERATOR_COMPARE_H_
