// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_NPU_VECTOR_FLAT_LANE_H_
#define BELAY_NPU_VECTOR_FLAT_LANE_H_

// Reading and writing lanes, for the flat_*.cpp files only.
//
// These files are compiled for several instruction sets, each time in another
// namespace. Nothing they call may survive as a function outside of it, or the
// linker could pick a copy the host cannot run: every flat function is marked
// BELAY_FLAT, which inlines all it calls, and a test looks at the symbols.
//
// Floating point (the page of boundary values of the vector interfaces):
// results are IEEE's, rounded to nearest even; half is the exact result
// rounded once. A NaN has no sign and no payload, so every NaN written is the
// quiet one with sign and payload clear: then results do not depend on which
// operand the host propagates. Where saturation is in force it acts on half
// (and bfloat16) results only: infinity becomes the largest finite value, NaN
// becomes +0. float never saturates.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#ifdef __F16C__
#include <immintrin.h>
#endif

#include "base/float16.h"
#include "base/rounding.h"
#include "npu/vector/flat.h"
#include "npu/vector/flat_fill.h"

#define BELAY_FLAT [[gnu::flatten]] static

// The next loop carries no dependence: lanes are read before they are written,
// also where source and destination are the same memory.
#if defined(__clang__)
#define BELAY_LANES _Pragma("clang loop vectorize(assume_safety)")
#else
#define BELAY_LANES _Pragma("GCC ivdep")
#endif

namespace belay::npu::BELAY_FLAT_VARIANT {

inline constexpr uint32_t kFloatNan = 0x7fc00000u;
inline constexpr uint16_t kHalfNan = 0x7e00u;
inline constexpr uint16_t kBfloatNan = 0x7fc0u;

template <typename T>
struct DTypeOf;
template <>
struct DTypeOf<float> {
  static constexpr auto kValue = abi::DType::kFloat;
};
template <>
struct DTypeOf<Half> {
  static constexpr auto kValue = abi::DType::kHalf;
};
template <>
struct DTypeOf<Bfloat16> {
  static constexpr auto kValue = abi::DType::kBfloat16;
};
template <>
struct DTypeOf<Int4> {
  static constexpr auto kValue = abi::DType::kInt4;
};
template <>
struct DTypeOf<int8_t> {
  static constexpr auto kValue = abi::DType::kInt8;
};
template <>
struct DTypeOf<uint8_t> {
  static constexpr auto kValue = abi::DType::kUint8;
};
template <>
struct DTypeOf<int16_t> {
  static constexpr auto kValue = abi::DType::kInt16;
};
template <>
struct DTypeOf<uint16_t> {
  static constexpr auto kValue = abi::DType::kUint16;
};
template <>
struct DTypeOf<int32_t> {
  static constexpr auto kValue = abi::DType::kInt32;
};
template <>
struct DTypeOf<uint32_t> {
  static constexpr auto kValue = abi::DType::kUint32;
};
template <>
struct DTypeOf<int64_t> {
  static constexpr auto kValue = abi::DType::kInt64;
};

template <typename T>
inline constexpr int kIndexOf = static_cast<int>(DTypeOf<T>::kValue);

template <typename T>
inline constexpr bool kIsFloating =
    std::is_same_v<T, float> || std::is_same_v<T, Half>;

inline float Canonical(float value) {
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  return std::bit_cast<float>(value != value ? kFloatNan : bits);
}

inline Half Canonical(Half value) {
  return Half{(value.bits & 0x7fffu) > 0x7c00u ? kHalfNan : value.bits};
}
inline Bfloat16 Canonical(Bfloat16 value) {
  return Bfloat16{(value.bits & 0x7fffu) > 0x7f80u ? kBfloatNan : value.bits};
}

// condition ? a : b without a branch, however often it is chained: compilers
// turn chains of selects into jumps, which do not vectorise.
inline float Choose(bool condition, float a, float b) {
  const uint32_t mask = 0u - static_cast<uint32_t>(condition);
  return std::bit_cast<float>((std::bit_cast<uint32_t>(a) & mask) |
                              (std::bit_cast<uint32_t>(b) & ~mask));
}

// Half lanes are computed as floats, some at a time.
inline constexpr size_t kChunk = 256;

void ReadHalves(const Half* from, float* to, size_t n);

// Rounds to nearest even; see the head of this file for NaN and saturation.
template <bool kSaturating>
void WriteHalves(const float* from, Half* to, size_t n);

// dst[i] = body(a[i]) in float. T is float or Half.
template <typename T, bool kSaturating, typename Body>
inline void MapOne(void* to, const void* from, size_t n, Body body) {
  auto* dst = static_cast<T*>(to);
  const auto* a = static_cast<const T*>(from);
  if constexpr (std::is_same_v<T, float>) {
    BELAY_LANES
    for (size_t i = 0; i < n; ++i) dst[i] = Canonical(body(a[i]));
  } else {
    float x[kChunk];
    for (size_t at = 0; at < n; at += kChunk) {
      const size_t count = n - at < kChunk ? n - at : kChunk;
      ReadHalves(a + at, x, count);
      BELAY_LANES
      for (size_t i = 0; i < count; ++i) x[i] = body(x[i]);
      WriteHalves<kSaturating>(x, dst + at, count);
    }
  }
}

// dst[i] = body(a[i], b[i]) in float. T is float or Half.
template <typename T, bool kSaturating, typename Body>
inline void MapTwo(void* to, const void* from, const void* other, size_t n,
                   Body body) {
  auto* dst = static_cast<T*>(to);
  const auto* a = static_cast<const T*>(from);
  const auto* b = static_cast<const T*>(other);
  if constexpr (std::is_same_v<T, float>) {
    BELAY_LANES
    for (size_t i = 0; i < n; ++i) dst[i] = Canonical(body(a[i], b[i]));
  } else {
    float x[kChunk];
    float y[kChunk];
    for (size_t at = 0; at < n; at += kChunk) {
      const size_t count = n - at < kChunk ? n - at : kChunk;
      ReadHalves(a + at, x, count);
      ReadHalves(b + at, y, count);
      BELAY_LANES
      for (size_t i = 0; i < count; ++i) x[i] = body(x[i], y[i]);
      WriteHalves<kSaturating>(x, dst + at, count);
    }
  }
}

// The float that keeps what a later rounding to half needs of `exact`: rounded
// towards zero, with the last bit set if anything was lost. Within the range
// of float; infinity and NaN stay.
inline float RoundedToOdd(double exact) {
  const auto near = static_cast<float>(exact);
  const double back = static_cast<double>(near);
  const uint32_t bits = std::bit_cast<uint32_t>(near);
  const bool beyond = exact < 0 ? back < exact : back > exact;
  const uint32_t truncated = beyond ? bits - 1 : bits;
  return std::bit_cast<float>(back == exact ? bits : truncated | 1);
}

// The scalar operand from its bits.
template <typename T>
inline auto ReadScalar(uint64_t bits) {
  if constexpr (std::is_same_v<T, float>) {
    return std::bit_cast<float>(static_cast<uint32_t>(bits));
  } else if constexpr (std::is_same_v<T, Half>) {
    return ToFloat(Half{static_cast<uint16_t>(bits)});
  } else {
    return static_cast<T>(bits);
  }
}

inline void ReadHalves(const Half* from, float* to, size_t n) {
  size_t i = 0;
#ifdef __F16C__
  for (; i + 8 <= n; i += 8) {
    __m128i halves;
    __builtin_memcpy(&halves, from + i, sizeof halves);
    const __m256 floats = _mm256_cvtph_ps(halves);
    __builtin_memcpy(to + i, &floats, sizeof floats);
  }
#endif
  for (; i < n; ++i) to[i] = ToFloat(from[i]);
}

template <bool kSaturating>
inline void WriteHalves(const float* from, Half* to, size_t n) {
  // What lies between the largest half and the limit of overflow rounds to it.
  constexpr float kLargest = 65504.0f;
  const auto bounded = [](float value) {
    if constexpr (!kSaturating) return value;
    const float above = value > -kLargest ? value : -kLargest;
    const float inside = above < kLargest ? above : kLargest;
    return Choose(value == value, inside, 0.0f);
  };
  size_t i = 0;
#ifdef __F16C__
  for (; i + 8 <= n; i += 8) {
    float inside[8];
    for (size_t k = 0; k < 8; ++k) inside[k] = bounded(from[i + k]);
    __m256 floats;
    __builtin_memcpy(&floats, inside, sizeof floats);
    const __m128i halves = _mm256_cvtps_ph(floats, _MM_FROUND_TO_NEAREST_INT);
    const __m128i magnitudes = _mm_and_si128(halves, _mm_set1_epi16(0x7fff));
    const __m128i is_nan = _mm_cmpgt_epi16(magnitudes, _mm_set1_epi16(0x7c00));
    const __m128i canonical =
        _mm_blendv_epi8(halves, _mm_set1_epi16(kHalfNan), is_nan);
    __builtin_memcpy(to + i, &canonical, sizeof canonical);
  }
#endif
  for (; i < n; ++i) {
    const float value = bounded(from[i]);
    const Half half = HalfFromFloat(value);
    to[i] = Half{value != value ? kHalfNan : half.bits};
  }
}

}  // namespace belay::npu::BELAY_FLAT_VARIANT

#endif  // BELAY_NPU_VECTOR_FLAT_LANE_H_
