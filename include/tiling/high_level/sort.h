// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TILING_HIGH_LEVEL_SORT_H_
#define BELAY_TILING_HIGH_LEVEL_SORT_H_

// Temporary memory of Concat, Sort and TopK, in bytes, and TopK's tiling.

#include "ascendc/high_level/sort/topk_tiling.h"
#include "belay/tiling_class.h"
#include "tiling/high_level/shape.h"
#include "tiling/platform/platform_ascendc.h"

BELAY_TILING_CLASS(TopkTiling, BELAY_TOPK_TILING)

namespace AscendC {

// Concat copies nothing on this chip.
inline uint32_t GetConcatTmpSize(const platform_ascendc::PlatformAscendC&,
                                 const uint32_t, const uint32_t) {
  return 0;
}
// As many pairs of eight bytes as there are elements.
inline uint32_t GetSortTmpSize(const platform_ascendc::PlatformAscendC&,
                               const uint32_t elemCount, const uint32_t) {
  return elemCount * 8;
}
// For Sort with a SortConfig, which this chip does not have.
inline void GetSortMaxMinTmpSize(const TensorShape& srcShape, TensorDataType,
                                 TensorDataType, bool, const SortConfig&,
                                 uint32_t& maxValue, uint32_t& minValue) {
  maxValue = minValue = static_cast<uint32_t>(srcShape.GetShapeSize()) * 8;
}

inline bool GetTopKMaxMinTmpSize(const platform_ascendc::PlatformAscendC&,
                                 const int32_t inner, const int32_t outter,
                                 const bool, const bool isInitIndex,
                                 TopKMode mode, const bool isLargest,
                                 const uint32_t dataTypeSize,
                                 uint32_t& maxValue, uint32_t& minValue) {
  if (inner <= 0 || inner % 32 != 0 || outter <= 0) return false;
  if (dataTypeSize != 2 && dataTypeSize != 4) return false;
  maxValue = minValue = static_cast<uint32_t>(belay::api::TopKTemporaryBytes(
      outter, inner, dataTypeSize, mode == TopKMode::TOPK_NSMALL, isLargest,
      isInitIndex));
  return true;
}

namespace tiling {

// False when no TopK has these parameters.
template <typename Tiling>
bool FillTopK(Tiling& tiling, const platform_ascendc::PlatformAscendC& platform,
              int32_t inner, int32_t outter, int32_t k, uint32_t size,
              bool has_index, TopKMode mode, bool largest,
              AscendC::tiling::TopkTiling plain = {}) {
  uint32_t most = 0;
  uint32_t least = 0;
  if (!GetTopKMaxMinTmpSize(platform, inner, outter, false, has_index, mode,
                            largest, size, most, least) ||
      k < 1 || k > inner) {
    return false;
  }
  plain.tmpLocalSize = static_cast<int32_t>(least);
  plain.allDataSize = inner * outter;
  plain.innerDataSize = inner;
  plain.sortRepeat = static_cast<uint32_t>(inner) / 32;
  plain.kAlignFourBytes = (k + 7) / 8 * 8;
  plain.kAlignTwoBytes = (k + 15) / 16 * 16;
  tiling = plain;
  return true;
}

}  // namespace tiling

inline bool TopKTilingFunc(const platform_ascendc::PlatformAscendC& platform,
                           const int32_t inner, const int32_t outter,
                           const int32_t k, const uint32_t dataTypeSize,
                           const bool isInitIndex, TopKMode mode,
                           const bool isLargest,
                           optiling::TopkTiling& topKTiling) {
  return tiling::FillTopK(topKTiling, platform, inner, outter, k, dataTypeSize,
                          isInitIndex, mode, isLargest);
}
#if !defined(__BELAY_KERNEL_TU__)
inline bool TopKTilingFunc(const platform_ascendc::PlatformAscendC& platform,
                           const int32_t inner, const int32_t outter,
                           const int32_t k, const uint32_t dataTypeSize,
                           const bool isInitIndex, TopKMode mode,
                           const bool isLargest,
                           AscendC::tiling::TopkTiling& topKTiling) {
  return tiling::FillTopK(topKTiling, platform, inner, outter, k, dataTypeSize,
                          isInitIndex, mode, isLargest);
}
#endif

}  // namespace AscendC

#endif  // BELAY_TILING_HIGH_LEVEL_SORT_H_
