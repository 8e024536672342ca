// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_NPU_VECTOR_FLAT_ARITHMETIC_H_
#define BELAY_NPU_VECTOR_FLAT_ARITHMETIC_H_

// Sums, differences and products of one lane, for the flat_*.cpp files only.
// Floating-point ones are not rounded to half here; integers wrap, or clamp
// where saturation is in force.

#include "npu/vector/flat_lane.h"

namespace belay::npu::BELAY_FLAT_VARIANT {

template <typename T, bool kSaturating>
inline T Clamped(int64_t exact) {
  if constexpr (kSaturating) {
    constexpr int64_t kMin = std::numeric_limits<T>::min();
    constexpr int64_t kMax = std::numeric_limits<T>::max();
    exact = exact < kMin ? kMin : exact;
    exact = exact > kMax ? kMax : exact;
  }
  return static_cast<T>(exact);
}

// 16-bit sums and products fit 32 bits, which vectorise better.
template <bool kSaturating>
inline int16_t Clamped16(int32_t exact) {
  if constexpr (kSaturating) {
    exact = exact < -32768 ? -32768 : exact;
    exact = exact > 32767 ? 32767 : exact;
  }
  return static_cast<int16_t>(exact);
}

inline float PositivePart(float value) {
  return value > 0.0f || value != value ? value : 0.0f;
}

template <typename T>
inline T PositivePart(T value) {
  return value > 0 ? value : T{0};
}

struct Plus {
  static float Of(float a, float b) { return a + b; }
  template <bool kSaturating>
  static int16_t OfInteger(int16_t a, int16_t b) {
    return Clamped16<kSaturating>(int32_t{a} + b);
  }
  template <bool kSaturating>
  static int32_t OfInteger(int32_t a, int32_t b) {
    return Clamped<int32_t, kSaturating>(int64_t{a} + b);
  }
};

struct Minus {
  static float Of(float a, float b) { return a - b; }
  template <bool kSaturating>
  static int16_t OfInteger(int16_t a, int16_t b) {
    return Clamped16<kSaturating>(int32_t{a} - b);
  }
  template <bool kSaturating>
  static int32_t OfInteger(int32_t a, int32_t b) {
    return Clamped<int32_t, kSaturating>(int64_t{a} - b);
  }
};

struct Times {
  static float Of(float a, float b) { return a * b; }
  template <bool kSaturating>
  static int16_t OfInteger(int16_t a, int16_t b) {
    return Clamped16<kSaturating>(int32_t{a} * b);
  }
  template <bool kSaturating>
  static int32_t OfInteger(int32_t a, int32_t b) {
    if constexpr (kSaturating) {
      return Clamped<int32_t, true>(int64_t{a} * b);
    } else {
      return static_cast<int32_t>(static_cast<uint32_t>(a) *
                                  static_cast<uint32_t>(b));
    }
  }
};

// f, then what is negative becomes +0. The sum is rounded first.
template <typename F>
struct ThenRelu {
  static float Of(float a, float b) { return PositivePart(F::Of(a, b)); }
  template <bool kSaturating>
  static int16_t OfInteger(int16_t a, int16_t b) {
    return PositivePart(F::template OfInteger<kSaturating>(a, b));
  }
};

}  // namespace belay::npu::BELAY_FLAT_VARIANT

#endif  // BELAY_NPU_VECTOR_FLAT_ARITHMETIC_H_
