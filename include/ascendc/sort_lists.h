// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_SORT_LISTS_H_
#define BELAY_ASCENDC_SORT_LISTS_H_

// Sorting of whole tensors by Sort32 and MrgSort: Concat, Sort, MrgSort with
// counts, Extract. A sorted list holds pairs of a value and an index, eight
// bytes each.

#include "ascendc/data_copy.h"
#include "ascendc/gather_mask.h"
#include "ascendc/sort.h"

BELAY_KERNEL_CODE_BEGIN

namespace belay::api {

// Elements of T that a pair takes.
template <typename T>
inline constexpr uint32_t kPairLength = 8 / sizeof(AscendC::PrimT<T>);

// Merges runs of `run` pairs of `from`, `total` pairs in all, four by four.
// What is left alone is copied.
template <typename T>
BELAY_API void MergeRuns(const AscendC::LocalTensor<T>& to,
                         const AscendC::LocalTensor<T>& from, uint32_t total,
                         uint32_t run) {
  constexpr uint32_t kPair = kPairLength<T>;
  const uint32_t full = total / (4 * run);
  if (full > 0) {
    const auto length = static_cast<uint16_t>(run);
    const uint16_t lengths[4] = {length, length, length, length};
    AscendC::MrgSort(
        to,
        AscendC::MrgSortSrcList<T>(from, from[run * kPair],
                                   from[2 * run * kPair],
                                   from[3 * run * kPair]),
        AscendC::MrgSort4Info(lengths, false, 15, static_cast<uint16_t>(full)));
  }
  const uint32_t merged = full * 4 * run;
  const uint32_t rest = total - merged;
  if (rest == 0) return;
  const AscendC::LocalTensor<T> tail = from[merged * kPair];
  if (rest <= run) {
    AscendC::DataCopy(to[merged * kPair], tail, rest * kPair);
    return;
  }
  uint16_t lengths[4] = {0, 0, 0, 0};
  uint16_t lists = 0;
  for (uint32_t taken = 0; taken < rest; taken += run) {
    lengths[lists++] =
        static_cast<uint16_t>(rest - taken < run ? rest - taken : run);
  }
  AscendC::MrgSort(
      to[merged * kPair],
      AscendC::MrgSortSrcList<T>(tail, tail[run * kPair], tail[2 * run * kPair],
                                 tail[3 * run * kPair]),
      AscendC::MrgSort4Info(lengths, false,
                            static_cast<uint16_t>((1 << lists) - 1), 1));
}

}  // namespace belay::api

namespace AscendC {

// Elements of T that `count` pairs take.
template <typename T>
BELAY_API uint32_t GetSortLen(uint32_t elemCount) {
  return elemCount * belay::api::kPairLength<T>;
}
template <typename T>
BELAY_API uint32_t GetSortOffset(uint32_t elemOffset) {
  return elemOffset * belay::api::kPairLength<T>;
}

// On this chip Sort reads values as they are.
template <typename T>
BELAY_API void Concat(LocalTensor<T>& concat, const LocalTensor<T>& src,
                      const LocalTensor<T>&, int64_t) {
  concat = src;
}

// `repeatTime` groups of 32 values, each sorted for itself or all together.
// `tmp` takes as many pairs as dst; values and indices stay as they are.
template <typename T, bool isFullSort>
BELAY_API void Sort(const LocalTensor<T>& dst, const LocalTensor<T>& concat,
                    const LocalTensor<uint32_t>& index, LocalTensor<T>& tmp,
                    int64_t repeatTime) {
  if constexpr (!isFullSort) {
    Sort32(dst, concat, index, repeatTime);
  } else {
    const uint32_t total = static_cast<uint32_t>(repeatTime) * 32;
    bool is_in_dst = true;
    for (uint32_t run = 32; run < total; run *= 4) is_in_dst = !is_in_dst;
    Sort32(is_in_dst ? dst : tmp, concat, index, repeatTime);
    for (uint32_t run = 32; run < total; run *= 4) {
      belay::api::MergeRuns<T>(is_in_dst ? tmp : dst, is_in_dst ? dst : tmp,
                               total, run);
      is_in_dst = !is_in_dst;
    }
  }
}

// sortedNum: pairs taken from each list, where a list that ends stops it.
template <typename T, bool isExhaustedSuspension = false>
BELAY_API void MrgSort(const LocalTensor<T>& dst,
                       const MrgSortSrcList<T>& sortList,
                       const uint16_t elementCountList[4],
                       uint32_t sortedNum[4], uint16_t validBit,
                       int64_t repeatTime) {
  MrgSort(dst, sortList,
          MrgSort4Info(elementCountList, isExhaustedSuspension, validBit,
                       static_cast<uint16_t>(repeatTime)));
  if constexpr (isExhaustedSuspension) {
    uint16_t taken[4];
    GetMrgSortResult(taken[0], taken[1], taken[2], taken[3]);
    for (int i = 0; i < 4; ++i) sortedNum[i] = taken[i];
  }
}

// Values and indices of repeatTime * 32 pairs.
template <typename T>
BELAY_API void Extract(const LocalTensor<T>& dstValue,
                       const LocalTensor<uint32_t>& dstIndex,
                       const LocalTensor<T>& sorted, int64_t repeatTime) {
  BELAY_TAKES(PrimT<T>, "Extract", BELAY_HALF_FLOAT)
  constexpr uint8_t kOneOfTwo = 1;
  constexpr uint8_t kOtherOfTwo = 2;
  constexpr uint8_t kOneOfFour = 3;
  GatherMaskParams params;
  params.repeatTimes = repeatTime;
  params.src0RepeatStride = 8;
  uint64_t kept = 0;
  GatherMask(dstValue, sorted, sizeof(PrimT<T>) == 4 ? kOneOfTwo : kOneOfFour,
             false, 0, params, kept);
  GatherMask(dstIndex, sorted.template ReinterpretCast<uint32_t>(), kOtherOfTwo,
             false, 0, params, kept);
}

}  // namespace AscendC

BELAY_KERNEL_CODE_END

#endif  // BELAY_ASCENDC_SORT_LISTS_H_
