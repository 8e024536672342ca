// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_SCALAR_H_
#define BELAY_ASCENDC_SCALAR_H_

// What the scalar unit computes: conversions and bit counts.

#include <type_traits>

#include "ascendc/dtype.h"
#include "ascendc/types.h"

BELAY_KERNEL_CODE_BEGIN

namespace belay::api {

// To an integer by `mode`; values outside int32_t clamp, NaN gives 0.
template <AscendC::RoundMode mode>
BELAY_API constexpr int32_t RoundToInt32(float value) {
  using AscendC::RoundMode;
  if (!(value == value)) return 0;
  if (value >= 2147483648.0f) return INT32_MAX;
  if (value <= -2147483648.0f) return INT32_MIN;
  const int32_t whole = static_cast<int32_t>(value);
  const float rest = value - static_cast<float>(whole);
  const float size = rest < 0 ? -rest : rest;
  const int32_t away = rest < 0 ? -1 : 1;
  if (mode == RoundMode::CAST_FLOOR) return rest < 0 ? whole - 1 : whole;
  if (mode == RoundMode::CAST_CEIL) return rest > 0 ? whole + 1 : whole;
  if (mode == RoundMode::CAST_ROUND) return size >= 0.5f ? whole + away : whole;
  const bool is_up = size > 0.5f || (size == 0.5f && (whole & 1) != 0);
  return is_up ? whole + away : whole;
}

// To the half of odd fraction beside an inexact value (Von Neumann rounding).
BELAY_API constexpr half RoundToOddHalf(float value) {
  const half nearest = static_cast<half>(value);
  const float back = static_cast<float>(nearest);
  if (back == value || !(value == value)) return nearest;
  const uint16_t bits = __builtin_bit_cast(uint16_t, nearest);
  if ((bits & 1) != 0) return nearest;
  // Even and inexact: the neighbour towards the value is odd.
  const float size = value < 0 ? -value : value;
  const float near_size = back < 0 ? -back : back;
  return __builtin_bit_cast(
      half, static_cast<uint16_t>(near_size > size ? bits - 1 : bits + 1));
}

}  // namespace belay::api

namespace AscendC {

// A float to half (CAST_ODD) or int32_t (CAST_ROUND, CEIL, FLOOR, RINT).
template <typename T, typename U, RoundMode roundMode>
BELAY_API U ScalarCast(T valueIn) {
  static_assert(IsSameType<T, float>::value && (IsSameType<U, half>::value ||
                                                IsSameType<U, int32_t>::value),
                "AscendC::ScalarCast converts float to half or int32_t");
  if constexpr (IsSameType<U, half>::value) {
    static_assert(roundMode == RoundMode::CAST_ODD,
                  "AscendC::ScalarCast from float to half takes CAST_ODD");
    return belay::api::RoundToOddHalf(valueIn);
  } else {
    static_assert(roundMode == RoundMode::CAST_ROUND ||
                      roundMode == RoundMode::CAST_CEIL ||
                      roundMode == RoundMode::CAST_FLOOR ||
                      roundMode == RoundMode::CAST_RINT,
                  "AscendC::ScalarCast from float to int32_t takes "
                  "CAST_ROUND, CAST_CEIL, CAST_FLOOR or CAST_RINT");
    return belay::api::RoundToInt32<roundMode>(valueIn);
  }
}
template <typename T, typename U, RoundMode roundMode>
BELAY_API U Cast(T valueIn) {
  return ScalarCast<T, U, roundMode>(valueIn);
}

BELAY_API constexpr float ToFloat(const bfloat16_t& value) {
  return static_cast<float>(value);
}
BELAY_API constexpr bfloat16_t ToBfloat16(const float& value) {
  return static_cast<bfloat16_t>(value);
}
BELAY_API constexpr float Cast(const bfloat16_t& value) {
  return static_cast<float>(value);
}
BELAY_API constexpr bfloat16_t Cast(const float& value) {
  return static_cast<bfloat16_t>(value);
}

// How many bits of `valueIn` equal countValue.
template <int countValue>
BELAY_API int64_t GetBitCount(uint64_t valueIn) {
  static_assert(countValue == 0 || countValue == 1, "a bit is 0 or 1");
  const int ones = __builtin_popcountll(valueIn);
  return countValue == 1 ? ones : 64 - ones;
}
template <int countValue>
BELAY_API int64_t ScalarGetCountOfValue(uint64_t valueIn) {
  return GetBitCount<countValue>(valueIn);
}

// 64 for 0.
BELAY_API int64_t CountLeadingZero(uint64_t valueIn) {
  return valueIn == 0 ? 64 : __builtin_clzll(valueIn);
}
BELAY_API int64_t ScalarCountLeadingZero(uint64_t valueIn) {
  return CountLeadingZero(valueIn);
}

// Bits after the sign bit that equal it; -1 when all do.
BELAY_API int64_t CountBitsCntSameAsSignBit(int64_t valueIn) {
  const uint64_t differing =
      static_cast<uint64_t>(valueIn < 0 ? ~valueIn : valueIn);
  return differing == 0 ? -1 : __builtin_clzll(differing) - 1;
}

// Index of the lowest bit that equals countValue; -1 when none does.
template <int countValue>
BELAY_API int64_t GetSFFValue(uint64_t valueIn) {
  static_assert(countValue == 0 || countValue == 1, "a bit is 0 or 1");
  const uint64_t wanted = countValue == 1 ? valueIn : ~valueIn;
  return wanted == 0 ? -1 : __builtin_ctzll(wanted);
}
template <int countValue>
BELAY_API int64_t ScalarGetSFFValue(uint64_t valueIn) {
  return GetSFFValue<countValue>(valueIn);
}

// For every x of T: x / divisor = (x + ((x * magic) >> bits of T)) >> shift.
template <typename T>
BELAY_API void GetUintDivMagicAndShift(T& magic, T& shift, T divisor) {
  static_assert(
      IsSameType<T, uint32_t>::value || IsSameType<T, uint64_t>::value,
      "AscendC::GetUintDivMagicAndShift takes uint32_t or uint64_t");
  using Wide = unsigned __int128;
  constexpr int kBits = 8 * sizeof(T);
  shift = 0;
  while (shift < kBits && (Wide{1} << shift) < divisor) ++shift;
  magic = static_cast<T>(
      (Wide{1} << kBits) * ((Wide{1} << shift) - divisor) / divisor + 1);
}

BELAY_API constexpr int32_t CeilDivision(int32_t num1, int32_t num2) {
  return num2 == 0 ? 0 : (num1 + num2 - 1) / num2;
}
BELAY_API constexpr uint32_t DivCeil(uint32_t a, uint32_t b) {
  return (a + b - 1) / b;
}
BELAY_API constexpr uint32_t AlignUp(uint32_t a, uint32_t b) {
  return (a + b - 1) / b * b;
}

}  // namespace AscendC

// The device compiler knows these without a namespace. The empty pack makes
// them less special than a program's own, or the standard library's.
template <typename T, typename... None>
BELAY_API constexpr std::enable_if_t<sizeof...(None) == 0, T> min(T a, T b,
                                                                  None...) {
  return b < a ? b : a;
}
template <typename T, typename... None>
BELAY_API constexpr std::enable_if_t<sizeof...(None) == 0, T> max(T a, T b,
                                                                  None...) {
  return a < b ? b : a;
}

// Which way a branch mostly goes, as the device compiler is told.
BELAY_API constexpr bool likely(bool condition) {
  return __builtin_expect(condition, true);
}
BELAY_API constexpr bool unlikely(bool condition) {
  return __builtin_expect(condition, false);
}

BELAY_KERNEL_CODE_END

#endif  // BELAY_ASCENDC_SCALAR_H_
