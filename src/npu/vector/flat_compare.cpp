// SPDX-License-Identifier: Apache-2.0
// Comparisons, one byte a lane.
//
// As IEEE's but for one case (page of boundary values): with a NaN on either
// side "not equal" is false, too.

#include "npu/vector/flat_lane.h"

namespace belay::npu::BELAY_FLAT_VARIANT {
namespace {

using abi::Compare;

template <Compare kMode, typename V>
inline bool Holds(V a, V b) {
  switch (kMode) {
    case Compare::kLt:
      return a < b;
    case Compare::kGt:
      return a > b;
    case Compare::kEq:
      return a == b;
    case Compare::kLe:
      return a <= b;
    case Compare::kGe:
      return a >= b;
    case Compare::kNe:
      return (a < b) | (a > b);
  }
}

// The lanes at `from` as numbers: halves are converted into `buffer`.
inline const float* Numbers(const Half* from, size_t n, float* buffer) {
  ReadHalves(from, buffer, n);
  return buffer;
}
template <typename T>
inline const T* Numbers(const T* from, size_t, float*) {
  return from;
}

template <Compare kMode, typename T>
BELAY_FLAT void Tensors(void* to, const void* from, const void* other, uint64_t,
                        size_t n) {
  auto* dst = static_cast<uint8_t*>(to);
  const auto* a = static_cast<const T*>(from);
  const auto* b = static_cast<const T*>(other);
  float a_buffer[kChunk];
  float b_buffer[kChunk];
  for (size_t at = 0; at < n; at += kChunk) {
    const size_t count = n - at < kChunk ? n - at : kChunk;
    const auto* x = Numbers(a + at, count, a_buffer);
    const auto* y = Numbers(b + at, count, b_buffer);
    BELAY_LANES
    for (size_t i = 0; i < count; ++i) {
      dst[at + i] = Holds<kMode>(x[i], y[i]) ? 1 : 0;
    }
  }
}

template <Compare kMode, typename T>
BELAY_FLAT void TensorAndScalar(void* to, const void* from, const void*,
                                uint64_t scalar, size_t n) {
  auto* dst = static_cast<uint8_t*>(to);
  const auto* a = static_cast<const T*>(from);
  const auto y = ReadScalar<T>(scalar);
  float buffer[kChunk];
  for (size_t at = 0; at < n; at += kChunk) {
    const size_t count = n - at < kChunk ? n - at : kChunk;
    const auto* x = Numbers(a + at, count, buffer);
    BELAY_LANES
    for (size_t i = 0; i < count; ++i) {
      dst[at + i] = Holds<kMode>(x[i], y) ? 1 : 0;
    }
  }
}

template <Compare kMode, typename T>
void Set(FlatTable& table) {
  constexpr int kComparison = static_cast<int>(kMode);
  table.compare[kComparison][kIndexOf<T>] = Tensors<kMode, T>;
  table.compare_scalar[kComparison][kIndexOf<T>] = TensorAndScalar<kMode, T>;
}

template <typename T>
void Fill(FlatTable& table) {
  Set<Compare::kLt, T>(table);
  Set<Compare::kGt, T>(table);
  Set<Compare::kEq, T>(table);
  Set<Compare::kLe, T>(table);
  Set<Compare::kGe, T>(table);
  Set<Compare::kNe, T>(table);
}

}  // namespace

void FillComparisons(FlatTable& table) {
  Fill<Half>(table);
  Fill<float>(table);
  Set<Compare::kEq, int32_t>(table);
}

}  // namespace belay::npu::BELAY_FLAT_VARIANT
