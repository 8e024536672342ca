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

template <Compare kMode, typename T>
BELAY_FLAT void Tensors(void* to, const void* from, const void* other,
                        uint64_t, size_t n) {
  auto* dst = static_cast<uint8_t*>(to);
  const auto* a = static_cast<const T*>(from);
  const auto* b = static_cast<const T*>(other);
  BELAY_LANES
  for (size_t i = 0; i < n; ++i) {
    dst[i] = Holds<kMode>(Read(a[i]), Read(b[i])) ? 1 : 0;
  }
}

template <Compare kMode, typename T>
BELAY_FLAT void TensorAndScalar(void* to, const void* from, const void*,
                                uint64_t scalar, size_t n) {
  auto* dst = static_cast<uint8_t*>(to);
  const auto* a = static_cast<const T*>(from);
  const auto b = ReadScalar<T>(scalar);
  BELAY_LANES
  for (size_t i = 0; i < n; ++i) {
    dst[i] = Holds<kMode>(Read(a[i]), b) ? 1 : 0;
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
