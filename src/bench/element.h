// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_BENCH_ELEMENT_H_
#define BELAY_BENCH_ELEMENT_H_

// Single elements of tensors as doubles and integers, rounded once.

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "base/dtype.h"
#include "base/float16.h"

namespace belay::bench {

// The float with the value of `value` rounded to odd: rounding it further to a
// narrower type gives what rounding `value` itself would.
inline float RoundToOdd(double value) {
  const auto nearest = static_cast<float>(value);
  if (static_cast<double>(nearest) == value || std::isnan(value) ||
      std::isinf(nearest)) {
    return nearest;
  }
  uint32_t bits = std::bit_cast<uint32_t>(nearest);
  if (std::abs(static_cast<double>(nearest)) > std::abs(value)) --bits;
  return std::bit_cast<float>(bits | 1u);
}

inline Half HalfFromDouble(double value) {
  return HalfFromFloat(RoundToOdd(value));
}
inline Bfloat16 BfloatFromDouble(double value) {
  return BfloatFromFloat(RoundToOdd(value));
}

// `value` as the real dtype stores it. Complex dtypes are stored by parts.
inline void StoreReal(DType dtype, double value, std::byte* to) {
  const auto put = [to](auto stored) {
    std::memcpy(to, &stored, sizeof(stored));
  };
  switch (dtype) {
    case DType::kHalf:
      return put(HalfFromDouble(value).bits);
    case DType::kBfloat16:
      return put(BfloatFromDouble(value).bits);
    case DType::kDouble:
      return put(value);
    default:
      return put(static_cast<float>(value));
  }
}

// `value` wrapped to the width of the dtype; bool is value != 0.
inline void StoreInteger(DType dtype, int64_t value, std::byte* to) {
  if (dtype == DType::kBool) value = value != 0 ? 1 : 0;
  std::memcpy(to, &value, static_cast<size_t>(BitsOf(dtype)) / 8);
}

inline double LoadReal(DType dtype, const std::byte* from) {
  const auto get = [from](auto stored) {
    std::memcpy(&stored, from, sizeof(stored));
    return stored;
  };
  switch (dtype) {
    case DType::kHalf:
      return ToFloat(Half{get(uint16_t{})});
    case DType::kBfloat16:
      return ToFloat(Bfloat16{get(uint16_t{})});
    case DType::kDouble:
      return get(double{});
    default:
      return get(float{});
  }
}

// u64 values of 2^63 and above come out negative.
inline int64_t LoadInteger(DType dtype, const std::byte* from) {
  const int bits = BitsOf(dtype);
  uint64_t raw = 0;
  std::memcpy(&raw, from, static_cast<size_t>(bits) / 8);
  if (dtype == DType::kBool) return raw != 0 ? 1 : 0;
  const int unused = 64 - bits;
  if (!IsSigned(dtype)) return static_cast<int64_t>(raw);
  return static_cast<int64_t>(raw << unused) >> unused;
}

// Whether elements are reals (or complex): StoreReal and LoadReal apply.
inline bool IsReal(DType dtype) {
  return IsFloating(dtype) || dtype == DType::kComplex64;
}

}  // namespace belay::bench

#endif  // BELAY_BENCH_ELEMENT_H_
