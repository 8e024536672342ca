// SPDX-License-Identifier: Apache-2.0
// Trees of sums, sums in order, and where the greatest or smallest stands.

#include "npu/vector/flat_lane.h"

namespace belay::npu::BELAY_FLAT_VARIANT {
namespace {

// dst[i] = a[2 i] + a[2 i + 1] as floats.
inline void AddPairs(const float* a, float* dst, size_t n) {
  BELAY_LANES
  for (size_t i = 0; i < n; ++i) dst[i] = a[2 * i] + a[2 * i + 1];
}

template <typename T, bool kSaturating>
BELAY_FLAT void PairSum(void* to, const void* from, const void*, uint64_t,
                        size_t n) {
  auto* dst = static_cast<T*>(to);
  const auto* a = static_cast<const T*>(from);
  if constexpr (std::is_same_v<T, float>) {
    AddPairs(a, dst, n);
    BELAY_LANES
    for (size_t i = 0; i < n; ++i) dst[i] = Canonical(dst[i]);
  } else {
    float x[kChunk];
    float sums[kChunk / 2];
    for (size_t at = 0; at < n; at += kChunk / 2) {
      const size_t count = n - at < kChunk / 2 ? n - at : kChunk / 2;
      ReadHalves(a + 2 * at, x, 2 * count);
      AddPairs(x, sums, count);
      WriteHalves<kSaturating>(sums, dst + at, count);
    }
  }
}

// Six levels of pair sums.
template <typename T, bool kSaturating>
BELAY_FLAT void TreeSum64(void* to, const void* from, const void*, uint64_t,
                          size_t n) {
  constexpr size_t kGroups = 16;
  auto* dst = static_cast<T*>(to);
  const auto* a = static_cast<const T*>(from);
  T sums[2][kGroups * 32];
  for (size_t at = 0; at < n; at += kGroups) {
    const size_t count = n - at < kGroups ? n - at : kGroups;
    PairSum<T, kSaturating>(sums[0], a + 64 * at, nullptr, 0, count * 32);
    PairSum<T, kSaturating>(sums[1], sums[0], nullptr, 0, count * 16);
    PairSum<T, kSaturating>(sums[0], sums[1], nullptr, 0, count * 8);
    PairSum<T, kSaturating>(sums[1], sums[0], nullptr, 0, count * 4);
    PairSum<T, kSaturating>(sums[0], sums[1], nullptr, 0, count * 2);
    PairSum<T, kSaturating>(dst + at, sums[0], nullptr, 0, count);
  }
}

// Four neighbours, which every host adds at once.
using Four [[gnu::vector_size(16)]] = float;

inline Four LoadFour(const float* from) {
  Four four;
  __builtin_memcpy(&four, from, sizeof four);
  return four;
}

// {a0 + a1, a2 + a3, b0 + b1, b2 + b3}
inline Four PairSums(Four a, Four b) {
  return __builtin_shufflevector(a, b, 0, 2, 4, 6) +
         __builtin_shufflevector(a, b, 1, 3, 5, 7);
}

// Sums of 16 elements, pair by pair, four of them.
inline Four SumsOfFour(const float* a) {
  return PairSums(PairSums(LoadFour(a), LoadFour(a + 4)),
                  PairSums(LoadFour(a + 8), LoadFour(a + 12)));
}

template <>
void TreeSum64<float, false>(void* to, const void* from, const void*, uint64_t,
                             size_t n) {
  auto* dst = static_cast<float*>(to);
  const auto* a = static_cast<const float*>(from);
  for (size_t i = 0; i < n; ++i) {
    const float* group = a + 64 * i;
    const Four low = PairSums(SumsOfFour(group), SumsOfFour(group + 16));
    const Four high = PairSums(SumsOfFour(group + 32), SumsOfFour(group + 48));
    const Four sums = PairSums(low, high);  // of 16 elements each
    dst[i] = Canonical((sums[0] + sums[1]) + (sums[2] + sums[3]));
  }
}

template <typename T, bool kSaturating>
BELAY_FLAT void OrderedSum(void* to, const void* from, const void*, uint64_t,
                           size_t n) {
  const auto* a = static_cast<const T*>(from);
  T sum = a[0];
  for (size_t i = 1; i < n; ++i) {
    const T pair[2] = {sum, a[i]};
    PairSum<T, kSaturating>(&sum, pair, nullptr, 0, 1);
  }
  *static_cast<T*>(to) = sum;
}

// A number that is greater the better an element is, above INT32_MIN.
template <bool kGreatest>
inline int32_t RankOf(float value) {
  const auto bits = std::bit_cast<int32_t>(value);
  // Without the sign bit, all bits flipped if it is set.
  const int32_t ascending = bits ^ ((bits >> 31) & INT32_MAX);
  const int32_t rank = kGreatest ? ascending : ~ascending;
  const int32_t mask = 0 - static_cast<int32_t>(value == value);
  return (rank & mask) | (INT32_MAX & ~mask);
}

inline void Rank(const float* from, int32_t* ranks, size_t n, bool greatest) {
  if (greatest) {
    for (size_t i = 0; i < n; ++i) ranks[i] = RankOf<true>(from[i]);
  } else {
    for (size_t i = 0; i < n; ++i) ranks[i] = RankOf<false>(from[i]);
  }
}

template <typename T, bool kGreatest>
BELAY_FLAT void FirstBest(void* to, const void* from, const void* included,
                          uint64_t, size_t n) {
  const auto* a = static_cast<const T*>(from);
  const auto* counts = static_cast<const int32_t*>(included);
  float x[kChunk];
  int32_t ranks[kChunk];
  int32_t best = INT32_MIN;
  uint32_t place = 0;
  for (size_t at = 0; at < n; at += kChunk) {
    const size_t count = n - at < kChunk ? n - at : kChunk;
    if constexpr (std::is_same_v<T, float>) {
      Rank(a + at, ranks, count, kGreatest);
    } else {
      ReadHalves(a + at, x, count);
      Rank(x, ranks, count, kGreatest);
    }
    if (counts != nullptr) {
      for (size_t i = 0; i < count; ++i) {
        ranks[i] = (ranks[i] & counts[at + i]) | (INT32_MIN & ~counts[at + i]);
      }
    }
    int32_t here = INT32_MIN;
    for (size_t i = 0; i < count; ++i) {
      here = here > ranks[i] ? here : ranks[i];
    }
    if (here <= best) continue;
    best = here;
    size_t i = 0;
    while (ranks[i] != best) ++i;
    place = static_cast<uint32_t>(at + i);
  }
  *static_cast<uint32_t*>(to) = place;
}

template <typename T>
void Fill(FlatTable& table) {
  constexpr int kType = kIndexOf<T>;
  table.pair_sum[kType][0] = PairSum<T, false>;
  table.pair_sum[kType][1] = PairSum<T, true>;
  table.tree_sum_64[kType][0] = TreeSum64<T, false>;
  table.tree_sum_64[kType][1] = TreeSum64<T, true>;
  table.ordered_sum[kType][0] = OrderedSum<T, false>;
  table.ordered_sum[kType][1] = OrderedSum<T, true>;
  table.first_greatest[kType] = FirstBest<T, true>;
  table.first_smallest[kType] = FirstBest<T, false>;
}

}  // namespace

void FillReductions(FlatTable& table) {
  Fill<Half>(table);
  Fill<float>(table);
}

}  // namespace belay::npu::BELAY_FLAT_VARIANT
