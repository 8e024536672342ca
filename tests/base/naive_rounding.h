// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TESTS_BASE_NAIVE_ROUNDING_H_
#define BELAY_TESTS_BASE_NAIVE_ROUNDING_H_

// Rounding the slow way: enumerate the values a type has, find the two around
// the exact value, choose by the mode's definition. Shares nothing with
// base/rounding.h but the names of the modes.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "base/rounding.h"

namespace belay::naive {

// Which of two neighbours, lower < value < upper. `lower_is_even` tells the
// last bit of the lower one; the upper one has the other.
inline bool TakesUpper(Round mode, long double lower, long double value,
                       long double upper, bool lower_is_even) {
  const long double below = value - lower;
  const long double above = upper - value;
  switch (mode) {
    case Round::kFloor:
      return false;
    case Round::kCeil:
      return true;
    case Round::kTrunc:
      return value < 0;
    case Round::kOdd:
      return lower_is_even;
    case Round::kRound:
      return below == above ? value > 0 : above < below;
    case Round::kNone:
    case Round::kRint:
      break;
  }
  return below == above ? !lower_is_even : above < below;
}

// The finite values of a 16-bit float type, from zero up, and one more: the
// first that would follow if the exponent went on. Its index is its bits.
struct Format {
  std::vector<long double> values;
  uint16_t nan_quiet;  // the bit that makes a NaN quiet
  int payload_shift;   // from float's mantissa

  static Format Make(int mantissa_bits, int bias, uint16_t infinity) {
    Format format;
    for (uint32_t bits = 0; bits <= infinity; ++bits) {
      const auto exponent = static_cast<int>(bits >> mantissa_bits);
      const uint32_t fraction = bits & ((1u << mantissa_bits) - 1);
      const uint32_t implicit = exponent == 0 ? 0 : 1u << mantissa_bits;
      format.values.push_back(
          std::ldexp(static_cast<long double>(fraction + implicit),
                     std::max(exponent, 1) - bias - mantissa_bits));
    }
    format.nan_quiet = static_cast<uint16_t>(1u << (mantissa_bits - 1));
    format.payload_shift = 23 - mantissa_bits;
    return format;
  }

  uint32_t infinity() const { return static_cast<uint32_t>(values.size()) - 1; }

  // The bits of a number that is not NaN.
  uint16_t Round16(Round mode, long double value, bool negative,
                   bool saturate) const {
    const long double magnitude = std::fabs(value);
    // Where mirrored, up and down change places.
    if (negative && mode == Round::kFloor) {
      mode = Round::kCeil;
    } else if (negative && mode == Round::kCeil) {
      mode = Round::kFloor;
    }
    uint32_t bits = infinity();
    if (magnitude < values.back()) {
      const auto upper =
          std::upper_bound(values.begin(), values.end(), magnitude);
      bits = static_cast<uint32_t>(upper - values.begin()) - 1;
      const long double lower = values[bits];
      if (lower != magnitude &&
          TakesUpper(mode, lower, magnitude, *upper, bits % 2 == 0)) {
        ++bits;
      }
    }
    if (saturate) bits = std::min(bits, infinity() - 1);
    return static_cast<uint16_t>(bits | (negative ? 0x8000u : 0u));
  }

  uint16_t FromFloat(Round mode, float value, bool saturate) const {
    if (std::isnan(value)) {
      if (saturate) return 0;
      const uint32_t bits = std::bit_cast<uint32_t>(value);
      const uint32_t payload = (bits & 0x7fffffu) >> payload_shift;
      return static_cast<uint16_t>((bits >> 31) << 15 | infinity() | nan_quiet |
                                   payload);
    }
    return Round16(mode, value, std::signbit(value), saturate);
  }
};

inline const Format& HalfFormat() {
  static const Format format = Format::Make(10, 15, 0x7c00);
  return format;
}

inline const Format& BfloatFormat() {
  static const Format format = Format::Make(7, 127, 0x7f80);
  return format;
}

// To an integral value, not limited.
inline long double ToIntegral(Round mode, long double value) {
  if (!std::isfinite(value)) return value;
  const long double lower = std::floor(value);
  if (lower == value) return value;
  const bool even = std::fmod(lower, 2.0L) == 0;
  return TakesUpper(mode, lower, value, lower + 1, even) ? lower + 1 : lower;
}

// To an integer of `bits` bits, as a number.
inline __int128 ToInteger(Round mode, float value, int bits, bool is_signed,
                          bool saturate) {
  const __int128 one = 1;
  const __int128 lowest = is_signed ? -(one << (bits - 1)) : 0;
  const __int128 highest = (one << (is_signed ? bits - 1 : bits)) - 1;
  if (std::isnan(value)) return 0;
  const long double integral = ToIntegral(mode, value);
  if (std::isinf(value) || saturate) {
    if (integral < static_cast<long double>(lowest)) return lowest;
    if (integral > static_cast<long double>(highest)) return highest;
    return static_cast<__int128>(integral);
  }
  const long double modulus = std::ldexp(1.0L, bits);
  long double low = std::fmod(integral, modulus);  // exact
  if (low < 0) low += modulus;
  auto result = static_cast<__int128>(low);
  if (result > highest) result -= one << bits;
  return result;
}

// From an integer to float.
inline float FloatFromInteger(Round mode, int64_t value) {
  const auto exact = static_cast<long double>(value);  // 64-bit mantissa
  float lower = static_cast<float>(value);
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  if (static_cast<long double>(lower) == exact) return lower;
  if (static_cast<long double>(lower) > exact) {
    lower = std::nextafterf(lower, -kInfinity);
  }
  const float upper = std::nextafterf(lower, kInfinity);
  const bool even = (std::bit_cast<uint32_t>(lower) & 1u) == 0;
  return TakesUpper(mode, lower, exact, upper, even) ? upper : lower;
}

}  // namespace belay::naive

#endif  // BELAY_TESTS_BASE_NAIVE_ROUNDING_H_
