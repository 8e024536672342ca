// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_INTERPRET_NUMBERS_H_
#define BELAY_CRUX_INTERPRET_NUMBERS_H_

// How the numbers of each dtype are held and rounded: floating elements as
// doubles that the dtype can represent, integers and bool as int64_t (u64 by
// its bits).

#include <cstdint>

#include "base/dtype.h"
#include "base/rounding.h"

namespace belay::crux::interpret {

// What a program computes with: every operation rounded to its dtype, or
// everything real in double.
enum class Arithmetic { kExact, kFloat64 };

// The value of the dtype that `mode` gives for a real number, rounded once.
// As if the exponent had no limit; what then lies beyond the largest finite
// value is infinite. NaN stays.
double RoundTo(DType dtype, double value, Round mode = Round::kRint);

// The distance between two neighbours of the dtype in the binade of `value`
// (one unit in the last place); the smallest subnormal around zero; infinity
// for an infinite value.
double UnitOf(DType dtype, double value);

// The low bits of a two's complement integer as a value of the dtype.
int64_t WrapTo(DType dtype, uint64_t bits);

// Whether the exact integer fits the dtype; u64 counts as never fitting
// negative values.
bool Fits(DType dtype, double value);

// The integral number that `mode` gives, held to the limits of the dtype; NaN
// gives 0. For bool: whether the value differs from zero.
int64_t ToWhole(DType dtype, double value, Round mode);

// An integer element as a real number; exact below 2^53.
double FromWhole(DType dtype, int64_t value);

// The limits of an integer dtype, as elements hold them.
int64_t SmallestWhole(DType dtype);
int64_t LargestWhole(DType dtype);

// Whether a < b, as elements of an integer dtype.
inline bool LessWhole(DType dtype, int64_t a, int64_t b) {
  if (dtype == DType::kUint64) {
    return static_cast<uint64_t>(a) < static_cast<uint64_t>(b);
  }
  return a < b;
}

}  // namespace belay::crux::interpret

#endif  // BELAY_CRUX_INTERPRET_NUMBERS_H_
