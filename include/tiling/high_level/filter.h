// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TILING_HIGH_LEVEL_FILTER_H_
#define BELAY_TILING_HIGH_LEVEL_FILTER_H_

// The host's part of Select by a mask of elements, of DropOut and of Arange:
// how much temporary memory they need, in bytes.

#include <algorithm>

#include "ascendc/high_level/filter/mask_step.h"
#include "tiling/high_level/elementwise.h"

namespace belay::host {

inline void MaskSizes(uint32_t elements, uint32_t& most, uint32_t& least) {
  const uint64_t steps =
      (uint64_t{elements} + api::kMaskStep - 1) / api::kMaskStep;
  least = static_cast<uint32_t>(api::kMaskStepBytes);
  most =
      static_cast<uint32_t>(std::max<uint64_t>(steps, 1) * api::kMaskStepBytes);
}

}  // namespace belay::host

namespace AscendC {

inline void GetArangeMaxMinTmpSize(uint32_t& maxValue, uint32_t& minValue) {
  maxValue = 0;
  minValue = 0;
}
// The older name.
inline void GetArithProgressionMaxMinTmpSize(uint32_t& maxValue,
                                             uint32_t& minValue) {
  GetArangeMaxMinTmpSize(maxValue, minValue);
}

inline void GetDropOutMaxMinTmpSize(const TensorShape& srcShape,
                                    const uint32_t /*typeSize*/,
                                    const bool /*isReuseSource*/,
                                    uint32_t& maxValue, uint32_t& minValue) {
  belay::host::MaskSizes(belay::host::ElementsOf(srcShape), maxValue, minValue);
}
inline uint32_t GetDropOutMaxTmpSize(const TensorShape& srcShape,
                                     const uint32_t typeSize,
                                     const bool isReuseSource) {
  uint32_t most = 0;
  uint32_t least = 0;
  GetDropOutMaxMinTmpSize(srcShape, typeSize, isReuseSource, most, least);
  return most;
}
inline uint32_t GetDropOutMinTmpSize(const TensorShape& srcShape,
                                     const uint32_t typeSize,
                                     const bool isReuseSource) {
  uint32_t most = 0;
  uint32_t least = 0;
  GetDropOutMaxMinTmpSize(srcShape, typeSize, isReuseSource, most, least);
  return least;
}

// The names with WithBytesMask are the older ones.
#define BELAY_LIBRARY_SELECT_SIZES(name)                                   \
  inline void Get##name##MaxMinTmpSize(                                    \
      const TensorShape& src0Shape, const TensorShape& src1Shape,          \
      const uint32_t /*srcTypeSize*/, const TensorShape& maskShape,        \
      const uint32_t /*maskTypeSize*/, const bool /*isReuseMask*/,         \
      uint32_t& maxValue, uint32_t& minValue) {                            \
    belay::host::MaskSizes(std::max({belay::host::ElementsOf(src0Shape),   \
                                     belay::host::ElementsOf(src1Shape),   \
                                     belay::host::ElementsOf(maskShape)}), \
                           maxValue, minValue);                            \
  }                                                                        \
  inline uint32_t Get##name##MaxTmpSize(                                   \
      const TensorShape& src0Shape, const TensorShape& src1Shape,          \
      const uint32_t srcTypeSize, const TensorShape& maskShape,            \
      const uint32_t maskTypeSize, const bool isReuseMask) {               \
    uint32_t most = 0;                                                     \
    uint32_t least = 0;                                                    \
    Get##name##MaxMinTmpSize(src0Shape, src1Shape, srcTypeSize, maskShape, \
                             maskTypeSize, isReuseMask, most, least);      \
    return most;                                                           \
  }                                                                        \
  inline uint32_t Get##name##MinTmpSize(                                   \
      const TensorShape& src0Shape, const TensorShape& src1Shape,          \
      const uint32_t srcTypeSize, const TensorShape& maskShape,            \
      const uint32_t maskTypeSize, const bool isReuseMask) {               \
    uint32_t most = 0;                                                     \
    uint32_t least = 0;                                                    \
    Get##name##MaxMinTmpSize(src0Shape, src1Shape, srcTypeSize, maskShape, \
                             maskTypeSize, isReuseMask, most, least);      \
    return least;                                                          \
  }
BELAY_LIBRARY_SELECT_SIZES(Select)
BELAY_LIBRARY_SELECT_SIZES(SelectWithBytesMask)
#undef BELAY_LIBRARY_SELECT_SIZES

}  // namespace AscendC

#endif  // BELAY_TILING_HIGH_LEVEL_FILTER_H_
