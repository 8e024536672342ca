// SPDX-License-Identifier: Apache-2.0
// CreateVecIndex: whole numbers counted up from a first value. Each result is
// the exact sum rounded once; half overflows to infinity or clamps and integers
// wrap or clamp, by saturation mode, as Adds would.

#include "npu/vector/flat_arithmetic.h"

namespace belay::npu::BELAY_FLAT_VARIANT {
namespace {

template <typename T, bool kSaturating>
BELAY_FLAT void CountUp(void* to, const void*, const void* start,
                        uint64_t scalar, size_t n) {
  auto* dst = static_cast<T*>(to);
  uint64_t offset;
  __builtin_memcpy(&offset, start, sizeof offset);
  const auto first = ReadScalar<T>(scalar);
  const auto before = static_cast<int32_t>(offset);
  if constexpr (std::is_same_v<T, Half>) {
    float x[kChunk];
    for (size_t at = 0; at < n; at += kChunk) {
      const size_t count = n - at < kChunk ? n - at : kChunk;
      for (size_t i = 0; i < count; ++i) {
        const auto index = before + static_cast<int32_t>(at + i);
        x[i] = RoundedToOdd(static_cast<double>(first) + index);
      }
      WriteHalves<kSaturating>(x, dst + at, count);
    }
  } else {
    BELAY_LANES
    for (size_t i = 0; i < n; ++i) {
      const auto index = before + static_cast<int32_t>(i);
      if constexpr (std::is_same_v<T, float>) {
        // A sum that needs more bits than double has lies nowhere near halfway
        // between two floats.
        dst[i] =
            Canonical(static_cast<float>(static_cast<double>(first) + index));
      } else {
        dst[i] = Clamped<T, kSaturating>(int64_t{first} + index);
      }
    }
  }
}

template <typename T>
void Set(FlatTable& table) {
  table.count_up[kIndexOf<T>][0] = CountUp<T, false>;
  table.count_up[kIndexOf<T>][1] = CountUp<T, true>;
}

}  // namespace

void FillIndices(FlatTable& table) {
  Set<int16_t>(table);
  Set<Half>(table);
  Set<int32_t>(table);
  Set<float>(table);
}

}  // namespace belay::npu::BELAY_FLAT_VARIANT
