// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_NPU_VECTOR_FLAT_LANE_H_
#define BELAY_NPU_VECTOR_FLAT_LANE_H_

// Reading and writing one lane, for the flat_*.cpp files only.
//
// These files are compiled for several instruction sets. Nothing they call may
// survive as a function outside their namespace, or the linker could pick a
// copy the host cannot run: every flat function is marked BELAY_FLAT, which
// inlines all it calls, and a test looks at the symbols.
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

inline float Read(float value) { return value; }
inline float Read(Half value) { return ToFloat(value); }
inline float Read(Bfloat16 value) { return ToFloat(value); }
template <typename T>
  requires std::is_integral_v<T>
inline T Read(T value) {
  return value;
}

// A float result as the element type keeps it.
template <typename T, bool kSaturating>
inline T Write(float value) {
  if constexpr (std::is_same_v<T, float>) {
    const uint32_t bits = std::bit_cast<uint32_t>(value);
    return std::bit_cast<float>(value != value ? kFloatNan : bits);
  } else if constexpr (kSaturating) {
    return Convert<T, Round::kRint>(value, true);
  } else {
    static_assert(std::is_same_v<T, Half>);
    const Half half = HalfFromFloat(value);
    return Half{value != value ? kHalfNan : half.bits};
  }
}

// An integer result; saturation is the operation's own business.
template <typename T, bool kSaturating, typename R>
  requires std::is_integral_v<T>
inline T Write(R value) {
  return static_cast<T>(value);
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

}  // namespace belay::npu::BELAY_FLAT_VARIANT

#endif  // BELAY_NPU_VECTOR_FLAT_LANE_H_
