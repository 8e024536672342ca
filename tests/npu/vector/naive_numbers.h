// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TESTS_NPU_VECTOR_NAIVE_NUMBERS_H_
#define BELAY_TESTS_NPU_VECTOR_NAIVE_NUMBERS_H_

// Numbers for the naive model: element bits to exact values and back, in long
// double and wide integers, one element at a time and without tricks.

#include <cstdint>

#include "belay/instruction.h"

namespace belay::npu::naive {

// A binary floating-point format.
struct Format {
  int precision;     // bits of the significand, the leading one included
  int min_exponent;  // of the smallest normal number, 2^min_exponent
  int max_exponent;  // of the largest finite numbers
};

Format FormatOf(abi::DType dtype);
bool IsFloat(abi::DType dtype);

// The value of half, bfloat16 or float bits; exact.
long double Decode(uint64_t bits, abi::DType dtype);

// Rounds to a whole number. `mode` as in abi::Round; kNone is kRint.
long double ToWhole(long double value, abi::Round mode);

// The bits of `value` in a floating-point type, rounded once. Saturating:
// largest finite value for infinity and overflow, +0 for NaN. Otherwise NaN is
// the quiet one without sign.
uint64_t Encode(long double value, abi::DType dtype, abi::Round mode,
                bool saturate);

// Integer element bits to their value and back; Encode clamps.
int64_t DecodeInteger(uint64_t bits, abi::DType dtype);
uint64_t EncodeInteger(__int128 value, abi::DType dtype, bool clamp);

int BitsOfType(abi::DType dtype);

}  // namespace belay::npu::naive

#endif  // BELAY_TESTS_NPU_VECTOR_NAIVE_NUMBERS_H_
