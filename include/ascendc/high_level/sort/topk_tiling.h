// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_HIGH_LEVEL_SORT_TOPK_TILING_H_
#define BELAY_ASCENDC_HIGH_LEVEL_SORT_TOPK_TILING_H_

// What host code tells TopK. The fields are the documented ones; of them this
// library fills the sizes and reads none.

#include <stdint.h>

#include "belay/tiling_struct.h"

#define BELAY_TOPK_TILING(FIELD)            \
  FIELD(int32_t, tmpLocalSize)              \
  FIELD(int32_t, allDataSize)               \
  FIELD(int32_t, innerDataSize)             \
  FIELD(uint32_t, sortRepeat)               \
  FIELD(int32_t, mrgSortRepeat)             \
  FIELD(int32_t, kAlignFourBytes)           \
  FIELD(int32_t, kAlignTwoBytes)            \
  FIELD(int32_t, maskOffset)                \
  FIELD(int32_t, maskVreducev2FourBytes)    \
  FIELD(int32_t, maskVreducev2TwoBytes)     \
  FIELD(int32_t, mrgSortSrc1offset)         \
  FIELD(int32_t, mrgSortSrc2offset)         \
  FIELD(int32_t, mrgSortSrc3offset)         \
  FIELD(int32_t, mrgSortTwoQueueSrc1Offset) \
  FIELD(int32_t, mrgFourQueueTailPara1)     \
  FIELD(int32_t, mrgFourQueueTailPara2)     \
  FIELD(int32_t, srcIndexOffset)            \
  FIELD(uint32_t, copyUbToUbBlockCount)     \
  FIELD(int32_t, topkMrgSrc1MaskSizeOffset) \
  FIELD(int32_t, topkNSmallSrcIndexOffset)  \
  FIELD(uint32_t, vreduceValMask0)          \
  FIELD(uint32_t, vreduceValMask1)          \
  FIELD(uint32_t, vreduceIdxMask0)          \
  FIELD(uint32_t, vreduceIdxMask1)          \
  FIELD(uint16_t, vreducehalfValMask0)      \
  FIELD(uint16_t, vreducehalfValMask1)      \
  FIELD(uint16_t, vreducehalfValMask2)      \
  FIELD(uint16_t, vreducehalfValMask3)      \
  FIELD(uint16_t, vreducehalfValMask4)      \
  FIELD(uint16_t, vreducehalfValMask5)      \
  FIELD(uint16_t, vreducehalfValMask6)      \
  FIELD(uint16_t, vreducehalfValMask7)

BELAY_TILING_STRUCT(TopkTiling, BELAY_TOPK_TILING)

namespace AscendC {

enum class TopKMode { TOPK_NORMAL, TOPK_NSMALL };
enum class TopKAlgo { RADIX_SELECT, MERGE_SORT };
enum class TopKOrder { UNSET, LARGEST, SMALLEST };
struct TopKConfig {
  TopKAlgo algo = TopKAlgo::MERGE_SORT;
  TopKOrder order = TopKOrder::UNSET;
  bool sorted = true;
};
inline constexpr TopKConfig defaultTopKConfig = {TopKAlgo::MERGE_SORT,
                                                 TopKOrder::UNSET, true};

enum class SortType { RADIX_SORT, MERGE_SORT };
struct SortConfig {
  SortType type = SortType::RADIX_SORT;
  bool isDescend = false;
};
inline constexpr SortConfig DEFAULT_SORT_CONFIG = {SortType::RADIX_SORT, false};

}  // namespace AscendC

namespace belay::api {

// Bytes TopK works in: indices, a negated copy where the smallest are wanted,
// and pairs; in normal mode for one row and for merging twice over.
constexpr uint64_t TopKTemporaryBytes(uint64_t rows, uint64_t inner,
                                      uint64_t size, bool small, bool largest,
                                      bool has_index) {
  const uint64_t elements = small ? rows * inner : inner;
  return (has_index ? 0 : elements * 4) + (largest ? 0 : elements * size) +
         elements * 8 * (small ? 1 : 2) + (small ? 64 : 0);
}

}  // namespace belay::api

#endif  // BELAY_ASCENDC_HIGH_LEVEL_SORT_TOPK_TILING_H_
