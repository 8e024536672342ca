// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_NUMERIC_LIMITS_H_
#define BELAY_ASCENDC_NUMERIC_LIMITS_H_

// The extreme values of an element type, as a scalar or filled into a tensor.

#include "ascendc/fill.h"

BELAY_KERNEL_CODE_BEGIN

namespace belay::api {

// The bits of each value; integers have the first three only.
struct LimitBits {
  uint32_t max;
  uint32_t lowest;
  uint32_t min;
  uint32_t infinity;
  uint32_t quiet_nan;
  uint32_t signaling_nan;
};

template <typename T>
inline constexpr LimitBits kLimitsOf = {};
template <>
inline constexpr LimitBits kLimitsOf<int8_t> = {0x7f, 0x80, 0x80, 0, 0, 0};
template <>
inline constexpr LimitBits kLimitsOf<uint8_t> = {0xff, 0, 0, 0, 0, 0};
template <>
inline constexpr LimitBits kLimitsOf<int16_t> = {0x7fff, 0x8000, 0x8000,
                                                 0,      0,      0};
template <>
inline constexpr LimitBits kLimitsOf<uint16_t> = {0xffff, 0, 0, 0, 0, 0};
template <>
inline constexpr LimitBits kLimitsOf<int32_t> = {
    0x7fffffff, 0x80000000, 0x80000000, 0, 0, 0};
template <>
inline constexpr LimitBits kLimitsOf<uint32_t> = {0xffffffff, 0, 0, 0, 0, 0};
template <>
inline constexpr LimitBits kLimitsOf<half> = {0x7bff, 0xfbff, 0x0400,
                                              0x7c00, 0x7e00, 0x7d00};
template <>
inline constexpr LimitBits kLimitsOf<bfloat16_t> = {0x7f7f, 0xff7f, 0x0080,
                                                    0x7f80, 0x7fc0, 0x7fa0};
template <>
inline constexpr LimitBits kLimitsOf<float> = {
    0x7f7fffff, 0xff7fffff, 0x00800000, 0x7f800000, 0x7fc00000, 0x7fa00000};

template <typename T>
BELAY_API constexpr T FromBits(uint32_t bits) {
  if constexpr (sizeof(T) == 4) {
    return __builtin_bit_cast(T, bits);
  } else if constexpr (sizeof(T) == 2) {
    return __builtin_bit_cast(T, static_cast<uint16_t>(bits));
  } else {
    return __builtin_bit_cast(T, static_cast<uint8_t>(bits));
  }
}

}  // namespace belay::api

namespace AscendC {

template <typename T>
struct NumericLimits {
#define BELAY_LIMIT(name, bits)                                           \
  BELAY_API static constexpr T name() {                                   \
    static_assert(belay::api::kLimitsOf<T>.max != 0,                      \
                  "AscendC::NumericLimits takes integers of 8 to "        \
                  "32 bits, half, bfloat16_t or float");                  \
    return belay::api::FromBits<T>(bits);                                 \
  }                                                                       \
  BELAY_API static void name(const LocalTensor<T>& dst, uint32_t count) { \
    Duplicate(dst, name(), count);                                        \
  }
  BELAY_LIMIT(Max, belay::api::kLimitsOf<T>.max)
  BELAY_LIMIT(Lowest, belay::api::kLimitsOf<T>.lowest)
  BELAY_LIMIT(Min, belay::api::kLimitsOf<T>.min)
#undef BELAY_LIMIT
#define BELAY_FLOAT_LIMIT(name, bits)                                     \
  BELAY_API static constexpr T name() {                                   \
    static_assert(belay::api::kLimitsOf<T>.infinity != 0,                 \
                  "AscendC::NumericLimits::" #name                        \
                  " takes half, bfloat16_t or float");                    \
    return belay::api::FromBits<T>(bits);                                 \
  }                                                                       \
  BELAY_API static void name(const LocalTensor<T>& dst, uint32_t count) { \
    Duplicate(dst, name(), count);                                        \
  }
  BELAY_FLOAT_LIMIT(Infinity, belay::api::kLimitsOf<T>.infinity)
  BELAY_FLOAT_LIMIT(NegativeInfinity, belay::api::kLimitsOf<T>.infinity |
                                          1u << (8 * sizeof(T) - 1))
  BELAY_FLOAT_LIMIT(QuietNaN, belay::api::kLimitsOf<T>.quiet_nan)
  BELAY_FLOAT_LIMIT(SignalingNaN, belay::api::kLimitsOf<T>.signaling_nan)
  BELAY_FLOAT_LIMIT(DeNormMin, 1)
#undef BELAY_FLOAT_LIMIT
};

}  // namespace AscendC

BELAY_KERNEL_CODE_END

#endif  // BELAY_ASCENDC_NUMERIC_LIMITS_H_
