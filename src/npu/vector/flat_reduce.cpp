// SPDX-License-Identifier: Apache-2.0
// Trees of sums, sums in order, and where the greatest or smallest stands.

#include "npu/vector/flat_lane.h"

namespace belay::npu::BELAY_FLAT_VARIANT {
namespace {

template <typename T, bool kSaturating>
inline T Sum(T a, T b) {
  return Write<T, kSaturating>(Read(a) + Read(b));
}

template <typename T, bool kSaturating>
BELAY_FLAT void PairSum(void* to, const void* from, const void*, uint64_t,
                        size_t n) {
  auto* dst = static_cast<T*>(to);
  const auto* a = static_cast<const T*>(from);
  BELAY_LANES
  for (size_t i = 0; i < n; ++i) {
    dst[i] = Sum<T, kSaturating>(a[2 * i], a[2 * i + 1]);
  }
}

template <typename T, bool kSaturating>
BELAY_FLAT void TreeSum64(void* to, const void* from, const void*, uint64_t,
                          size_t n) {
  auto* dst = static_cast<T*>(to);
  const auto* a = static_cast<const T*>(from);
  for (size_t i = 0; i < n; ++i) {
    T level[2][32];
    for (int k = 0; k < 32; ++k) {
      level[0][k] =
          Sum<T, kSaturating>(a[64 * i + 2 * k], a[64 * i + 2 * k + 1]);
    }
    int side = 0;
    for (int width = 16; width > 0; width /= 2) {
      for (int k = 0; k < width; ++k) {
        level[side ^ 1][k] = Sum<T, kSaturating>(level[side][2 * k],
                                                 level[side][2 * k + 1]);
      }
      side ^= 1;
    }
    dst[i] = level[side][0];
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
    dst[i] =
        Write<float, false>((sums[0] + sums[1]) + (sums[2] + sums[3]));
  }
}

template <typename T, bool kSaturating>
BELAY_FLAT void OrderedSum(void* to, const void* from, const void*, uint64_t,
                           size_t n) {
  const auto* a = static_cast<const T*>(from);
  T sum = a[0];
  for (size_t i = 1; i < n; ++i) sum = Sum<T, kSaturating>(sum, a[i]);
  *static_cast<T*>(to) = sum;
}

// A number that is greater the better an element is, above INT32_MIN.
template <bool kGreatest>
inline int32_t RankOf(float value) {
  const auto bits = std::bit_cast<int32_t>(value);
  const int32_t ascending = bits < 0 ? ~(bits & INT32_MAX) : bits;
  const int32_t rank = kGreatest ? ascending : ~ascending;
  return value != value ? INT32_MAX : rank;
}

template <typename T, bool kGreatest>
BELAY_FLAT void FirstBest(void* to, const void* from, const void* included,
                          uint64_t, size_t n) {
  const auto* a = static_cast<const T*>(from);
  const auto* counts = static_cast<const int32_t*>(included);
  int32_t best = INT32_MIN;
  if (counts == nullptr) {
    for (size_t i = 0; i < n; ++i) {
      const int32_t rank = RankOf<kGreatest>(Read(a[i]));
      best = rank > best ? rank : best;
    }
  } else {
    for (size_t i = 0; i < n; ++i) {
      const int32_t rank = RankOf<kGreatest>(Read(a[i]));
      const int32_t counted = counts[i] != 0 ? rank : INT32_MIN;
      best = counted > best ? counted : best;
    }
  }
  uint32_t place = 0;
  while (RankOf<kGreatest>(Read(a[place])) != best ||
         (counts != nullptr && counts[place] == 0)) {
    ++place;
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
