// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_INTERPRET_WHOLE_RULES_H_
#define BELAY_CRUX_INTERPRET_WHOLE_RULES_H_

// What elementwise operations give on integers and bool: two's complement that
// wraps, NumPy's division.

#include <cstdint>

#include "base/dtype.h"
#include "crux/operations.h"

namespace belay::crux::interpret {

// Throws Fault (BLY-X188) where the integer operation has no result: division
// by zero, a negative exponent.
int64_t WholeUnary(Op op, DType dtype, int64_t x);
int64_t WholeBinary(Op op, DType dtype, int64_t a, int64_t b);

// A bound on how far the integer result moves with its operands, 0 when they
// are exact.
double WholeSpread(Op op, DType dtype, int64_t a, double a_error, int64_t b,
                   double b_error);

}  // namespace belay::crux::interpret

#endif  // BELAY_CRUX_INTERPRET_WHOLE_RULES_H_
