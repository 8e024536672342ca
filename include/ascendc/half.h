// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_HALF_H_
#define BELAY_ASCENDC_HALF_H_

// half: the compiler's own 16-bit float under clang; elsewhere a class that
// converts to nearest even and rounds after every operation. half with an
// integer gives half, with a wider float gives that float.

#include <stdint.h>

#include <type_traits>

#include "ascendc/inline.h"

#if defined(__clang__)

using half = _Float16;

#else

class half {
 public:
  half() = default;
  template <typename T, typename = std::enable_if_t<std::is_arithmetic_v<T>>>
  BELAY_API constexpr half(T value)
      : bits_(Round(static_cast<double>(value))) {}

  template <typename T, typename = std::enable_if_t<std::is_arithmetic_v<T>>>
  BELAY_API constexpr operator T() const {
    return static_cast<T>(Widen(bits_));
  }

  BELAY_API constexpr half operator-() const {
    half result(*this);
    result.bits_ = static_cast<uint16_t>(bits_ ^ 0x8000u);
    return result;
  }
  BELAY_API constexpr half operator+() const { return *this; }

  template <typename T>
  BELAY_API constexpr half& operator+=(T other) {
    return *this = static_cast<half>(*this + other);
  }
  template <typename T>
  BELAY_API constexpr half& operator-=(T other) {
    return *this = static_cast<half>(*this - other);
  }
  template <typename T>
  BELAY_API constexpr half& operator*=(T other) {
    return *this = static_cast<half>(*this * other);
  }
  template <typename T>
  BELAY_API constexpr half& operator/=(T other) {
    return *this = static_cast<half>(*this / other);
  }

 private:
  // Every half is a float; a double that is not is rounded once, to even.
  BELAY_API static constexpr float Widen(uint16_t bits) {
    const uint32_t sign = (bits & 0x8000u) << 16;
    const uint32_t exponent = bits >> 10 & 31;
    uint32_t fraction = bits & 0x3ffu;
    if (exponent == 31) {
      return __builtin_bit_cast(float, sign | 0x7f800000u | fraction << 13);
    }
    if (exponent != 0) {
      return __builtin_bit_cast(float,
                                sign | (exponent + 112) << 23 | fraction << 13);
    }
    const float magnitude = static_cast<float>(fraction) * 0x1p-24f;
    return sign != 0 ? -magnitude : magnitude;
  }

  BELAY_API static constexpr uint16_t Round(double value) {
    const uint64_t all = __builtin_bit_cast(uint64_t, value);
    const uint16_t sign = static_cast<uint16_t>(all >> 48 & 0x8000u);
    const int exponent = static_cast<int>(all >> 52 & 0x7ff) - 1023;
    const uint64_t fraction = all & 0xfffffffffffffu;
    if (exponent == 1024) {
      if (fraction == 0) return sign | 0x7c00u;
      return static_cast<uint16_t>(sign | 0x7e00u | fraction >> 42);
    }
    if (exponent > 15) return sign | 0x7c00u;
    if (exponent < -25) return sign;
    // A subnormal result keeps fewer than the ten bits of a normal one.
    const int dropped = exponent >= -14 ? 42 : 42 + (-14 - exponent);
    const uint64_t significand = fraction | uint64_t{1} << 52;
    const uint64_t kept = significand >> dropped;
    const uint64_t rest = significand & ((uint64_t{1} << dropped) - 1);
    const uint64_t tie = uint64_t{1} << (dropped - 1);
    const uint64_t up = rest > tie || (rest == tie && (kept & 1)) ? 1 : 0;
    // A carry out of the fraction is the next exponent, up to infinity.
    const uint64_t base =
        exponent >= -14 ? static_cast<uint64_t>(exponent + 14) << 10 : 0;
    return static_cast<uint16_t>(sign | (base + kept + up));
  }

  uint16_t bits_;
};

static_assert(sizeof(half) == 2);

namespace belay::api {

template <typename T>
using WithHalf = std::conditional_t<std::is_floating_point_v<T>, T, half>;

}  // namespace belay::api

#define BELAY_HALF_ARITHMETIC(symbol)                                         \
  BELAY_API constexpr half operator symbol(half a, half b) {                  \
    return half(static_cast<float>(a) symbol static_cast<float>(b));          \
  }                                                                           \
  template <typename T, typename = std::enable_if_t<std::is_arithmetic_v<T>>> \
  BELAY_API constexpr belay::api::WithHalf<T> operator symbol(half a, T b) {  \
    using R = belay::api::WithHalf<T>;                                        \
    return static_cast<R>(a) symbol static_cast<R>(b);                        \
  }                                                                           \
  template <typename T, typename = std::enable_if_t<std::is_arithmetic_v<T>>> \
  BELAY_API constexpr belay::api::WithHalf<T> operator symbol(T a, half b) {  \
    using R = belay::api::WithHalf<T>;                                        \
    return static_cast<R>(a) symbol static_cast<R>(b);                        \
  }

#define BELAY_HALF_COMPARISON(symbol)                                         \
  BELAY_API constexpr bool operator symbol(half a, half b) {                  \
    return static_cast<float>(a) symbol static_cast<float>(b);                \
  }                                                                           \
  template <typename T, typename = std::enable_if_t<std::is_arithmetic_v<T>>> \
  BELAY_API constexpr bool operator symbol(half a, T b) {                     \
    using R = belay::api::WithHalf<T>;                                        \
    return static_cast<R>(a) symbol static_cast<R>(b);                        \
  }                                                                           \
  template <typename T, typename = std::enable_if_t<std::is_arithmetic_v<T>>> \
  BELAY_API constexpr bool operator symbol(T a, half b) {                     \
    using R = belay::api::WithHalf<T>;                                        \
    return static_cast<R>(a) symbol static_cast<R>(b);                        \
  }

BELAY_HALF_ARITHMETIC(+)
BELAY_HALF_ARITHMETIC(-)
BELAY_HALF_ARITHMETIC(*)
BELAY_HALF_ARITHMETIC(/)
BELAY_HALF_COMPARISON(==)
BELAY_HALF_COMPARISON(!=)
BELAY_HALF_COMPARISON(<)
BELAY_HALF_COMPARISON(<=)
BELAY_HALF_COMPARISON(>)
BELAY_HALF_COMPARISON(>=)

#undef BELAY_HALF_ARITHMETIC
#undef BELAY_HALF_COMPARISON

#endif  // __clang__

#endif  // BELAY_ASCENDC_HALF_H_
