// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_BASE_ROUNDING_BITS_H_
#define BELAY_BASE_ROUNDING_BITS_H_

// The bit arithmetic under base/rounding.h, which states what it must give:
// cut a magnitude into units and a rest, settle the units by the mode, apply
// the rules of overflow. No branches in what loops over lanes use.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

#include "base/float16.h"
#include "belay/instruction.h"

namespace belay {

using Round = abi::Round;

// A four-bit integer, -8..7, held in a byte.
struct Int4 {
  int8_t value;

  friend constexpr bool operator==(Int4, Int4) = default;
};

namespace rounding {

constexpr bool IsNearestEven(Round mode) {
  return mode == Round::kNone || mode == Round::kRint;
}

// A magnitude cut into whole units and what is lost below them. `guard` (0 or
// 1) is the first lost bit, `sticky` (0 or 1) tells whether any later one is
// set.
struct Cut {
  uint32_t kept;
  uint32_t guard;
  uint32_t sticky;
};

// The magnitude in units after rounding.
template <Round kMode>
constexpr uint32_t Settle(Cut cut, bool negative) {
  const uint32_t odd = cut.kept & 1u;
  const uint32_t inexact = cut.guard | cut.sticky;
  const uint32_t minus = negative ? 1u : 0u;
  if constexpr (IsNearestEven(kMode)) {
    return cut.kept + (cut.guard & (cut.sticky | odd));
  } else if constexpr (kMode == Round::kFloor) {
    return cut.kept + (inexact & minus);
  } else if constexpr (kMode == Round::kCeil) {
    return cut.kept + (inexact & (minus ^ 1u));
  } else if constexpr (kMode == Round::kRound) {
    return cut.kept + cut.guard;
  } else if constexpr (kMode == Round::kTrunc) {
    return cut.kept;
  } else {
    static_assert(kMode == Round::kOdd);
    return cut.kept | inexact;
  }
}

// Cuts off the low `kDropped` bits.
template <int kDropped, typename Bits>
constexpr Cut CutBits(Bits bits) {
  constexpr Bits kHalf = Bits{1} << (kDropped - 1);
  return Cut{static_cast<uint32_t>(bits >> kDropped),
             (bits & kHalf) != 0 ? 1u : 0u,
             (bits & (kHalf - 1)) != 0 ? 1u : 0u};
}

// Cuts a magnitude below 2^23 units, where 2^23 units are `scale`, a power of
// two: adding it leaves whole units in the low bits of the sum.
template <Round kMode>
constexpr uint32_t SettleFixed(float magnitude, bool negative, float scale) {
  const float sum = magnitude + scale;
  const uint32_t nearest =
      std::bit_cast<uint32_t>(sum) - std::bit_cast<uint32_t>(scale);
  if constexpr (IsNearestEven(kMode)) {
    return nearest;
  } else {
    // All values here are positive, so that bits compare as they do.
    const float unit = scale * 0x1p-23f;
    const float back = sum - scale;
    const bool above =
        std::bit_cast<uint32_t>(back) > std::bit_cast<uint32_t>(magnitude);
    const float whole = back - (above ? unit : 0.0f);
    const uint32_t rest = std::bit_cast<uint32_t>(magnitude - whole);
    const uint32_t half_unit = std::bit_cast<uint32_t>(unit * 0.5f);
    return Settle<kMode>(
        Cut{nearest - (above ? 1u : 0u), rest >= half_unit ? 1u : 0u,
            rest != 0 && rest != half_unit ? 1u : 0u},
        negative);
  }
}

// Applies the overflow rules to the magnitude of a 16-bit float, whose rounded
// bits are `result`: at or above `infinity` where it overflowed.
constexpr uint16_t Finish(uint32_t result, bool is_nan, uint32_t sign,
                          uint32_t infinity, uint32_t nan, bool saturate) {
  // The same for every lane of a loop, so kept out of the lanes' selects.
  const uint32_t largest = infinity - (saturate ? 1u : 0u);
  const uint32_t kept_of_nan = saturate ? 0u : ~0u;
  const uint32_t number = std::min(result, largest) | sign;
  const uint32_t not_a_number = (nan | sign) & kept_of_nan;
  return static_cast<uint16_t>(is_nan ? not_a_number : number);
}

template <Round kMode>
constexpr Half ToHalf(float value, bool saturate) {
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  const uint32_t magnitude = bits & 0x7fffffffu;
  const bool negative = (bits >> 31) != 0;
  // The exponent is rebased in 32 bits: too large a value stays too large.
  const uint32_t normal =
      Settle<kMode>(CutBits<13>(magnitude - (112u << 23)), negative);
  const uint32_t subnormal = SettleFixed<kMode>(
      std::bit_cast<float>(magnitude), negative, 0.5f);  // units of 2^-24
  const uint32_t nan = 0x7e00u | ((magnitude >> 13) & 0x3ffu);
  return Half{Finish(
      magnitude<(113u << 23) ? subnormal : normal, magnitude>(255u << 23),
      (bits >> 16) & 0x8000u, 0x7c00u, nan, saturate)};
}

template <Round kMode>
constexpr Bfloat16 ToBfloat(float value, bool saturate) {
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  const uint32_t magnitude = bits & 0x7fffffffu;
  const uint32_t rounded =
      Settle<kMode>(CutBits<16>(magnitude), (bits >> 31) != 0);
  const uint32_t nan = 0x40u | (magnitude >> 16);
  return Bfloat16{Finish(rounded, magnitude > (255u << 23),
                         (bits >> 16) & 0x8000u, 0x7f80u, nan, saturate)};
}

template <Round kMode>
constexpr float ToIntegral(float value) {
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  const uint32_t magnitude = bits & 0x7fffffffu;
  const uint32_t whole = SettleFixed<kMode>(std::bit_cast<float>(magnitude),
                                            (bits >> 31) != 0, 0x1p23f);
  const float rounded = static_cast<float>(static_cast<int32_t>(whole));
  const uint32_t result = magnitude < (150u << 23)  // 2^23
                              ? std::bit_cast<uint32_t>(rounded)
                              : magnitude;
  return std::bit_cast<float>(result | (bits & 0x80000000u));
}

// The limits of an integer type.
template <typename To>
struct Range {
  using Value = To;
  static constexpr To kMin = std::numeric_limits<To>::min();
  static constexpr To kMax = std::numeric_limits<To>::max();
};

template <>
struct Range<Int4> {
  using Value = int8_t;
  static constexpr int8_t kMin = -8;
  static constexpr int8_t kMax = 7;
};

template <typename To>
constexpr To WrapTo(uint64_t low_bits) {
  if constexpr (std::is_same_v<To, Int4>) {
    const auto nibble = static_cast<int8_t>(low_bits & 0xfu);
    return Int4{static_cast<int8_t>((nibble ^ 8) - 8)};
  } else {
    return static_cast<To>(low_bits);
  }
}

// The low 64 bits, two's complement, of a finite integral value.
constexpr uint64_t LowBits(float integral) {
  const uint32_t bits = std::bit_cast<uint32_t>(integral);
  const int exponent = static_cast<int>((bits >> 23) & 0xffu) - 150;
  const uint64_t mantissa = (bits & 0x7fffffu) | 0x800000u;
  uint64_t magnitude = 0;
  if (exponent < -23) {
    magnitude = 0;
  } else if (exponent < 0) {
    magnitude = mantissa >> -exponent;
  } else if (exponent < 64) {
    magnitude = mantissa << exponent;
  }
  return (bits >> 31) != 0 ? 0 - magnitude : magnitude;
}

template <typename To>
constexpr To IntegralTo(float integral, bool saturate) {
  using Value = typename Range<To>::Value;
  constexpr Value kMin = Range<To>::kMin;
  constexpr Value kMax = Range<To>::kMax;
  constexpr float kLowest = static_cast<float>(kMin);
  constexpr float kBeyond = static_cast<float>(kMax / 2 + 1) * 2.0f;
  // A cast that the host has as a vector instruction, wherever it suffices.
  using Wide =
      std::conditional_t<sizeof(Value) <= 4 && !std::is_same_v<Value, uint32_t>,
                         int32_t, Value>;
  const bool low = integral < kLowest;
  const bool high = integral >= kBeyond;
  const bool inside = (integral >= kLowest) & !high;
  Wide result = static_cast<Wide>(inside ? integral : 0.0f);
  result = high ? static_cast<Wide>(kMax) : result;
  result = low ? static_cast<Wide>(kMin) : result;
  if (!saturate) {
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    const bool finite = (integral > -kInfinity) & (integral < kInfinity);
    if ((low | high) & finite) return WrapTo<To>(LowBits(integral));
  }
  return To{static_cast<Value>(result)};
}

// A float of kMantissa stored bits and the given exponent bias from an integer,
// as bits without overflow rules.
template <Round kMode, int kMantissa, int kBias>
constexpr uint32_t FloatBitsOf(uint64_t magnitude, bool negative) {
  if (magnitude == 0) return 0;
  const int leading = std::countl_zero(magnitude);
  // Drop the leading one, which the format does not store.
  const uint64_t aligned = (magnitude << leading) & ~(uint64_t{1} << 63);
  Cut cut = CutBits<63 - kMantissa>(aligned);
  cut.kept += static_cast<uint32_t>(63 - leading + kBias) << kMantissa;
  return Settle<kMode>(cut, negative);
}

template <typename To, Round kMode, typename From>
constexpr To FromInteger(From value, bool saturate) {
  const bool negative = value < 0;
  const auto wide = static_cast<uint64_t>(value);
  const uint64_t magnitude = negative ? 0 - wide : wide;
  if constexpr (std::is_same_v<To, float>) {
    const uint32_t bits = FloatBitsOf<kMode, 23, 127>(magnitude, negative);
    return std::bit_cast<float>(bits | (negative ? 0x80000000u : 0u));
  } else if constexpr (std::is_same_v<To, Half>) {
    const uint32_t bits = FloatBitsOf<kMode, 10, 15>(magnitude, negative);
    return Half{
        Finish(bits, false, negative ? 0x8000u : 0u, 0x7c00u, 0, saturate)};
  } else {
    static_assert(std::is_same_v<To, Bfloat16>);
    const uint32_t bits = FloatBitsOf<kMode, 7, 127>(magnitude, negative);
    return Bfloat16{
        Finish(bits, false, negative ? 0x8000u : 0u, 0x7f80u, 0, saturate)};
  }
}

template <typename To, typename From>
constexpr To IntegerToInteger(From value, bool saturate) {
  using Value = typename Range<To>::Value;
  constexpr Value kMin = Range<To>::kMin;
  constexpr Value kMax = Range<To>::kMax;
  if (!saturate) return WrapTo<To>(static_cast<uint64_t>(value));
  auto result = static_cast<Value>(value);
  result = std::cmp_greater(value, kMax) ? kMax : result;
  result = std::cmp_less(value, kMin) ? kMin : result;
  return To{result};
}

}  // namespace rounding

}  // namespace belay

#endif  // BELAY_BASE_ROUNDING_BITS_H_
