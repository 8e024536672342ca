// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_BFLOAT16_H_
#define BELAY_ASCENDC_BFLOAT16_H_

// bfloat16_t: storage and explicit conversion only. The chip's scalar unit
// has no bfloat16 arithmetic and the type takes no literal.

#include <stdint.h>

#include <type_traits>

#include "ascendc/half.h"
#include "ascendc/inline.h"

BELAY_KERNEL_CODE_BEGIN

class bfloat16_t {
 public:
  bfloat16_t() = default;

  // To nearest even; NaN stays NaN.
  BELAY_API explicit constexpr bfloat16_t(float value) : bits_(Round(value)) {}
  template <typename T, typename = std::enable_if_t<std::is_arithmetic_v<T> ||
                                                    std::is_same_v<T, half>>>
  BELAY_API explicit constexpr bfloat16_t(T value)
      : bits_(Round(static_cast<float>(value))) {}

  BELAY_API explicit constexpr operator float() const {
    return __builtin_bit_cast(float, uint32_t{bits_} << 16);
  }
  template <typename T,
            typename = std::enable_if_t<(std::is_arithmetic_v<T> &&
                                         !std::is_same_v<T, float>) ||
                                        std::is_same_v<T, half>>>
  BELAY_API explicit constexpr operator T() const {
    return static_cast<T>(static_cast<float>(*this));
  }

  friend BELAY_API constexpr bool operator==(bfloat16_t a, bfloat16_t b) {
    return static_cast<float>(a) == static_cast<float>(b);
  }
  friend BELAY_API constexpr bool operator!=(bfloat16_t a, bfloat16_t b) {
    return !(a == b);
  }

 private:
  BELAY_API static constexpr uint16_t Round(float value) {
    const uint32_t bits = __builtin_bit_cast(uint32_t, value);
    if ((bits & 0x7fffffffu) > 0x7f800000u) {
      return static_cast<uint16_t>(bits >> 16 | 0x40u);
    }
    return static_cast<uint16_t>((bits + 0x7fffu + (bits >> 16 & 1)) >> 16);
  }

  uint16_t bits_;
};

static_assert(sizeof(bfloat16_t) == 2);

BELAY_KERNEL_CODE_END

#endif  // BELAY_ASCENDC_BFLOAT16_H_
