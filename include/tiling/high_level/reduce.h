// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TILING_HIGH_LEVEL_REDUCE_H_
#define BELAY_TILING_HIGH_LEVEL_REDUCE_H_

// How much temporary memory the reductions need, in bytes.

#include "ascendc/high_level/reduce/reduce_space.h"
#include "tiling/high_level/shape.h"

namespace AscendC {

inline void GetSumMaxMinTmpSize(const uint32_t n, const uint32_t typeSize,
                                const bool /*isReuseSource*/, uint32_t& maxSize,
                                uint32_t& minSize) {
  maxSize = minSize =
      static_cast<uint32_t>(belay::api::SpaceOfSum(n, typeSize));
}

inline void GetMeanMaxMinTmpSize(const uint32_t n, const uint32_t srcTypeSize,
                                 const uint32_t accTypeSize,
                                 const bool /*isReuseSource*/,
                                 uint32_t& maxSize, uint32_t& minSize) {
  maxSize = minSize = static_cast<uint32_t>(
      belay::api::SpaceOfMean(n, srcTypeSize, accTypeSize));
}
// An element of half may be kept in float; sums of repeats are far fewer.
inline void GetMeanTmpBufferFactorSize(const uint32_t typeSize,
                                       uint32_t& maxLiveNodeCount,
                                       uint32_t& extraBuffer) {
  maxLiveNodeCount = typeSize == 2 ? 3 : 1;
  extraBuffer = 256;
}

inline void GetReduceXorSumMaxMinTmpSize(const TensorShape& srcShape,
                                         const uint32_t /*typeSize*/,
                                         const bool /*isReuseSource*/,
                                         uint32_t& maxValue,
                                         uint32_t& minValue) {
  const auto count = static_cast<uint64_t>(srcShape.GetShapeSize());
  const auto space = belay::api::SpaceOfXorSum();
  maxValue = static_cast<uint32_t>(space.Bytes(count));
  minValue = static_cast<uint32_t>(space.Bytes(count < 64 ? count : 64));
}

}  // namespace AscendC

namespace belay::host {

inline void ReduceTmpSize(const AscendC::TensorShape& shape,
                          AscendC::TensorDataType type,
                          AscendC::ReducePattern pattern, bool is_product,
                          uint32_t& most, uint32_t& least) {
  most = least = 0;
  if (pattern != AscendC::ReducePattern::AR) return;
  const uint32_t element = type == ge::DT_UINT8     ? 1
                           : type == ge::DT_FLOAT16 ? 2
                                                    : 4;
  const auto rows = static_cast<uint32_t>(shape.GetDim(0));
  const auto space = api::SpaceOfReduction(
      static_cast<uint32_t>(shape.GetDim(1)), element, is_product);
  const uint64_t results = api::ResultBytes(rows, element);
  most = static_cast<uint32_t>(space.Bytes(rows < 240 ? rows : 240) + results);
  least = static_cast<uint32_t>(space.Bytes(1) + results);
}

}  // namespace belay::host

namespace AscendC {

#define BELAY_REDUCE_TMP_SIZE(name, is_product)                              \
  inline void Get##name##MaxMinTmpSize(                                      \
      const TensorShape& srcShape, const TensorDataType dataType,            \
      ReducePattern pattern, bool /*isSrcInnerPad*/, bool /*isReuseSource*/, \
      uint32_t& maxValue, uint32_t& minValue) {                              \
    belay::host::ReduceTmpSize(srcShape, dataType, pattern, is_product,      \
                               maxValue, minValue);                          \
  }
BELAY_REDUCE_TMP_SIZE(ReduceSum, false)
BELAY_REDUCE_TMP_SIZE(ReduceMean, false)
BELAY_REDUCE_TMP_SIZE(ReduceMax, false)
BELAY_REDUCE_TMP_SIZE(ReduceMin, false)
BELAY_REDUCE_TMP_SIZE(ReduceProd, true)
BELAY_REDUCE_TMP_SIZE(ReduceAny, false)
BELAY_REDUCE_TMP_SIZE(ReduceAll, false)
#undef BELAY_REDUCE_TMP_SIZE

}  // namespace AscendC

#endif  // BELAY_TILING_HIGH_LEVEL_REDUCE_H_
