// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_BASE_ROUNDING_H_
#define BELAY_BASE_ROUNDING_H_

// Conversions between element types under each Ascend rounding mode, exact to
// the bit, one lane a call.
//
// Convert<To, kMode>(value, saturate) rounds once, from the exact value:
//   to half, bfloat16   as if the exponent had no upper limit; what then lies
//                       beyond the largest finite value overflows. Saturating:
//                       overflow and infinity give the largest finite value of
//                       that sign, NaN gives +0. Otherwise: overflow gives
//                       infinity, infinity and NaN (made quiet) stay.
//   to integers         to an integral value. Saturating: to the nearest limit
//                       of the type. Otherwise: the low bits of the integral
//                       value. Both: infinity gives the limit, NaN gives 0.
//   integer to integer  saturating: to the limit; otherwise: the low bits.
//   float to float      to an integral value of the same sign, zero included;
//                       infinity and NaN stay. `saturate` has no effect.
// kNone rounds as kRint; kRound takes halves away from zero; kOdd takes every
// inexact value to the neighbour whose last bit is 1.
//
// Loops over Convert vectorise between floating types and integers of up to 16
// bits, from floating types to int32_t, and from int32_t to float by kRint.
// Those to integers need `saturate` to be the constant true: choose outside
// the loop. base/float16.h says what the host must provide.

#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>

#include "base/float16.h"
#include "base/rounding_bits.h"
#include "belay/instruction.h"

namespace belay {

// AscendC's name: "CAST_RINT".
std::string_view NameOf(Round mode);

// Accepts AscendC's names; nothing if unknown.
std::optional<Round> ParseRound(std::string_view name);

// Calls `body` with the mode as a std::integral_constant, so that a loop in it
// is compiled once for each mode.
template <typename Body>
constexpr decltype(auto) WithRound(Round mode, Body&& body) {
  switch (mode) {
    case Round::kFloor:
      return body(std::integral_constant<Round, Round::kFloor>{});
    case Round::kCeil:
      return body(std::integral_constant<Round, Round::kCeil>{});
    case Round::kRound:
      return body(std::integral_constant<Round, Round::kRound>{});
    case Round::kTrunc:
      return body(std::integral_constant<Round, Round::kTrunc>{});
    case Round::kOdd:
      return body(std::integral_constant<Round, Round::kOdd>{});
    case Round::kNone:
    case Round::kRint:
      break;
  }
  return body(std::integral_constant<Round, Round::kRint>{});
}

// See the head of this file. From and To are any of float, Half, Bfloat16,
// Int4 and the integers of 8 to 64 bits.
template <typename To, Round kMode, typename From>
constexpr To Convert(From value, bool saturate) {
  namespace r = rounding;
  constexpr bool kToFloating = std::is_same_v<To, float> ||
                               std::is_same_v<To, Half> ||
                               std::is_same_v<To, Bfloat16>;
  if constexpr (std::is_same_v<From, Int4>) {
    return Convert<To, kMode>(value.value, saturate);
  } else if constexpr (std::is_integral_v<From>) {
    if constexpr (!kToFloating) {
      return r::IntegerToInteger<To>(value, saturate);
    } else if constexpr (sizeof(From) <= 2) {
      // Exact in float, which keeps the loop in vector registers.
      const auto exact = static_cast<float>(static_cast<int32_t>(value));
      if constexpr (std::is_same_v<To, float>)
        return exact;
      else
        return Convert<To, kMode>(exact, saturate);
    } else if constexpr (std::is_same_v<From, int32_t> &&
                         std::is_same_v<To, float> && r::IsNearestEven(kMode)) {
      return static_cast<float>(value);
    } else {
      return r::FromInteger<To, kMode>(value, saturate);
    }
  } else if constexpr (!std::is_same_v<From, float>) {
    if constexpr (std::is_same_v<To, float>)
      return ToFloat(value);
    else
      return Convert<To, kMode>(ToFloat(value), saturate);
  } else if constexpr (std::is_same_v<To, Half>) {
    return r::ToHalf<kMode>(value, saturate);
  } else if constexpr (std::is_same_v<To, Bfloat16>) {
    return r::ToBfloat<kMode>(value, saturate);
  } else if constexpr (std::is_same_v<To, float>) {
    return r::ToIntegral<kMode>(value);
  } else {
    return r::IntegralTo<To>(r::ToIntegral<kMode>(value), saturate);
  }
}

}  // namespace belay

#endif  // BELAY_BASE_ROUNDING_H_
