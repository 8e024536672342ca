// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TILING_HIGH_LEVEL_NORMALIZATION_H_
#define BELAY_TILING_HIGH_LEVEL_NORMALIZATION_H_

// The host's part of the normalisation functions: how much temporary memory
// they need, in bytes, and their tiling. Tiling functions fill a struct of
// AscendC::tiling or a class of optiling.

#include "ascendc/high_level/normalization/norm_tiling.h"
#include "belay/tiling_class.h"
#include "tiling/high_level/shape.h"

BELAY_TILING_CLASS(LayerNormTiling, BELAY_LAYER_NORM_TILING)
BELAY_TILING_CLASS(LayerNormSeparateTiling, BELAY_LAYER_NORM_SEPARATE_TILING)
BELAY_TILING_CLASS(LayerNormGradTiling, BELAY_LAYER_NORM_GRAD_TILING)
BELAY_TILING_CLASS(LayerNormGradBetaTiling, BELAY_LAYER_NORM_GRAD_BETA_TILING)
BELAY_TILING_CLASS(RmsNormTiling, BELAY_RMS_NORM_TILING)
BELAY_TILING_CLASS(BatchNormTiling, BELAY_BATCH_NORM_TILING)
BELAY_TILING_CLASS(DeepNormTiling, BELAY_LAYER_NORM_TILING)
BELAY_TILING_CLASS(GroupNormTiling, BELAY_GROUP_NORM_TILING)

namespace belay::host {

inline uint32_t Dim(const AscendC::TensorShape& shape, size_t index) {
  return static_cast<uint32_t>(shape.GetDim(index));
}

inline void RangeOf(const api::RowSpace& space, uint32_t rows, uint32_t& most,
                    uint32_t& least) {
  most = static_cast<uint32_t>(space.Bytes(rows));
  least = static_cast<uint32_t>(space.Bytes(1));
}

// Rows done at a time in `bytes`, at least one.
inline uint32_t RowsAtOnce(const api::RowSpace& space, uint32_t rows,
                           uint32_t bytes) {
  const uint32_t fit = space.RowsIn(bytes, rows);
  return fit == 0 ? 1 : fit;
}

// How `rows` of `width` split into rounds.
template <typename Tiling>
void SplitNorm(Tiling& tiling, uint32_t rows, uint32_t width, uint32_t bytes,
               const api::RowSpace& space) {
  const uint32_t round = RowsAtOnce(space, rows, bytes);
  tiling.inputXSize = rows * width;
  tiling.meanVarSize = rows;
  tiling.tmpBufSize = bytes;
  tiling.loopRound = rows / round;
  tiling.inputRoundSize = round * width;
  tiling.inputTailSize = rows % round * width;
  tiling.inputTailPos = rows / round * round * width;
  tiling.meanVarRoundSize = round;
  tiling.meanVarTailSize = rows % round;
  tiling.meanVarTailPos = rows / round * round;
}

// Of {B, S, storageH, originH}, or {B, S, H}.
template <typename Plain>
Plain LayerNormSplit(const AscendC::TensorShape& shape, uint32_t original,
                     uint32_t bytes) {
  Plain tiling;
  tiling.bLength = Dim(shape, 0);
  tiling.sLength = Dim(shape, 1);
  tiling.hLength = Dim(shape, 2);
  tiling.originalHLength = original;
  SplitNorm(tiling, tiling.bLength * tiling.sLength, tiling.hLength, bytes,
            api::SpaceOfNorm(tiling.hLength));
  tiling.bshCurLength = tiling.inputRoundSize;
  tiling.bsCurLength = tiling.meanVarRoundSize;
  tiling.lastDimValueBack = 1.0f / static_cast<float>(original);
  return tiling;
}

inline uint32_t OriginalH(const AscendC::TensorShape& shape) {
  return shape.GetDimNum() > 3 ? Dim(shape, 3) : Dim(shape, 2);
}

}  // namespace belay::host

namespace AscendC {

// --- LayerNorm ---------------------------------------------------------------

inline void GetLayerNormMaxMinTmpSize(const TensorShape& srcShape,
                                      const uint32_t /*typeSize*/,
                                      const bool /*isReuseSource*/,
                                      uint32_t& maxValue, uint32_t& minValue) {
  belay::host::RangeOf(
      belay::api::SpaceOfNorm(belay::host::Dim(srcShape, 2)),
      belay::host::Dim(srcShape, 0) * belay::host::Dim(srcShape, 1), maxValue,
      minValue);
}
inline void GetLayerNormMaxMinTmpSize(const TensorShape& srcShape,
                                      const uint32_t typeSize,
                                      const bool /*isReuseSource*/,
                                      const bool /*isComputeRstd*/,
                                      const bool /*isOnlyOutput*/,
                                      uint32_t& maxValue, uint32_t& minValue) {
  const uint32_t step = 32 / typeSize;
  const uint32_t width =
      (belay::host::Dim(srcShape, 1) + step - 1) / step * step;
  belay::host::RangeOf(belay::api::SpaceOfNorm(width),
                       belay::host::Dim(srcShape, 0), maxValue, minValue);
}
template <typename Tiling>
void GetLayerNormNDTilingInfo(const TensorShape& srcShape,
                              const uint32_t stackBufferSize,
                              const uint32_t /*typeSize*/,
                              const bool /*isReuseSource*/, Tiling& tiling) {
  tiling = belay::host::LayerNormSplit<AscendC::tiling::LayerNormTiling>(
      srcShape, belay::host::OriginalH(srcShape), stackBufferSize);
}
template <typename Tiling>
void GetLayerNormNDTillingInfo(const TensorShape& srcShape,
                               const uint32_t stackBufferSize,
                               const uint32_t typeSize,
                               const bool isReuseSource, Tiling& tilling) {
  GetLayerNormNDTilingInfo(srcShape, stackBufferSize, typeSize, isReuseSource,
                           tilling);
}
template <typename Tiling>
void GetLayerNormNDTilingInfo(const TensorShape& srcShape,
                              const uint32_t stackBufferSize,
                              const uint32_t typeSize,
                              const bool /*isReuseSource*/,
                              const bool /*isComputeRstd*/, Tiling& tiling) {
  const uint32_t step = 32 / typeSize;
  const uint32_t length = belay::host::Dim(srcShape, 1);
  const uint32_t width = (length + step - 1) / step * step;
  AscendC::tiling::LayerNormSeparateTiling plain;
  plain.aLength = belay::host::Dim(srcShape, 0);
  plain.rLength = length;
  belay::host::SplitNorm(plain, plain.aLength, width, stackBufferSize,
                         belay::api::SpaceOfNorm(width));
  plain.arCurLength = plain.inputRoundSize;
  plain.aCurLength = plain.meanVarRoundSize;
  plain.rValueBack = 1.0f / static_cast<float>(length);
  tiling = plain;
}
inline void GetNormalizeMaxMinTmpSize(const TensorShape& srcShape,
                                      const uint32_t /*typeSizeU*/,
                                      const uint32_t typeSizeT,
                                      const bool isReuseSource,
                                      const bool isComputeRstd,
                                      const bool isOnlyOutput,
                                      uint32_t& maxValue, uint32_t& minValue) {
  GetLayerNormMaxMinTmpSize(srcShape, typeSizeT, isReuseSource, isComputeRstd,
                            isOnlyOutput, maxValue, minValue);
}

// --- gradients ---------------------------------------------------------------

inline void GetLayerNormGradMaxMinTmpSize(const TensorShape& srcShape,
                                          const uint32_t /*typeSize*/,
                                          const bool /*isReuseSource*/,
                                          uint32_t& maxValue,
                                          uint32_t& minValue) {
  belay::host::RangeOf(
      belay::api::SpaceOfNormGrad(belay::host::Dim(srcShape, 2)),
      belay::host::Dim(srcShape, 0) * belay::host::Dim(srcShape, 1), maxValue,
      minValue);
}
template <typename Tiling>
void GetLayerNormGradNDTilingInfo(const TensorShape srcShape,
                                  const uint32_t stackBufferSize,
                                  const uint32_t /*typeSize*/,
                                  const bool /*isReuseSource*/,
                                  Tiling& tiling) {
  AscendC::tiling::LayerNormGradTiling plain;
  plain.stackBufferSize = stackBufferSize;
  plain.bLength = belay::host::Dim(srcShape, 0);
  plain.sLength = belay::host::Dim(srcShape, 1);
  plain.hLength = belay::host::Dim(srcShape, 2);
  plain.originalHLength = belay::host::OriginalH(srcShape);
  const uint32_t rows = plain.bLength * plain.sLength;
  const uint32_t round = belay::host::RowsAtOnce(
      belay::api::SpaceOfNormGrad(plain.hLength), rows, stackBufferSize);
  plain.oneCalSize = round * plain.hLength;
  plain.nohCalSize = round;
  plain.loopNum = rows / round;
  plain.tailSize = rows % round * plain.hLength;
  plain.nohTailSize = rows % round;
  tiling = plain;
}
inline void GetLayerNormGradBetaMaxMinTmpSize(const TensorShape& srcShape,
                                              const uint32_t /*typeSize*/,
                                              const bool /*isReuseSource*/,
                                              uint32_t& maxValue,
                                              uint32_t& minValue) {
  const uint32_t width = belay::host::Dim(srcShape, 2);
  minValue = belay::api::kLeastColumns * belay::api::kColumnBytes;
  maxValue = width * belay::api::kColumnBytes;
  if (maxValue < minValue) maxValue = minValue;
}
template <typename Tiling>
void GetLayerNormGradBetaNDTilingInfo(const TensorShape srcShape,
                                      const uint32_t stackBufferSize,
                                      const uint32_t /*typeSize*/,
                                      const bool /*isReuseSource*/,
                                      Tiling& tiling) {
  AscendC::tiling::LayerNormGradBetaTiling plain;
  plain.stackBufferSize = stackBufferSize;
  plain.bLength = belay::host::Dim(srcShape, 0);
  plain.sLength = belay::host::Dim(srcShape, 1);
  plain.hLength = belay::host::Dim(srcShape, 2);
  plain.originalHLength = belay::host::OriginalH(srcShape);
  plain.bsLength = plain.bLength * plain.sLength;
  plain.bshLength = plain.bsLength * plain.hLength;
  const uint32_t columns = stackBufferSize / belay::api::kColumnBytes;
  plain.oneCalSize = columns < plain.hLength ? columns : plain.hLength;
  tiling = plain;
}

// --- RmsNorm and DeepNorm ----------------------------------------------------

inline bool GetRmsNormMaxMinTmpSize(const TensorShape& srcShape,
                                    const uint32_t typeSize, uint32_t& maxValue,
                                    uint32_t& minValue,
                                    const bool /*isBasicBlock*/ = false) {
  if (srcShape.GetDimNum() != 3 || srcShape.GetDim(2) * typeSize % 32 != 0) {
    return false;
  }
  GetLayerNormMaxMinTmpSize(srcShape, typeSize, false, maxValue, minValue);
  return true;
}
template <typename Tiling>
bool GetRmsNormTilingInfo(const TensorShape& srcShape,
                          const TensorShape& originSrcShape,
                          const uint32_t stackBufferByteSize,
                          const uint32_t typeSize, Tiling& tiling,
                          const bool isBasicBlock = false) {
  uint32_t most = 0;
  uint32_t least = 0;
  if (!GetRmsNormMaxMinTmpSize(srcShape, typeSize, most, least)) return false;
  AscendC::tiling::RmsNormTiling plain;
  plain.bLength = belay::host::Dim(srcShape, 0);
  plain.sLength = belay::host::Dim(srcShape, 1);
  plain.hLength = belay::host::Dim(srcShape, 2);
  plain.originalHLength = belay::host::Dim(originSrcShape, 2);
  const uint32_t rows = plain.bLength * plain.sLength;
  if (stackBufferByteSize < least || plain.originalHLength == 0 ||
      plain.originalHLength > plain.hLength ||
      (isBasicBlock &&
       (plain.hLength % 64 != 0 || plain.hLength >= 2048 || rows % 8 != 0))) {
    return false;
  }
  const uint32_t round = belay::host::RowsAtOnce(
      belay::api::SpaceOfNorm(plain.hLength), rows, stackBufferByteSize);
  plain.reciprocalOfHLength = 1.0f / static_cast<float>(plain.originalHLength);
  plain.mainBshLength = round * plain.hLength;
  plain.mainBsLength = round;
  plain.mainBsLengthAlign = (round + 7) / 8 * 8;
  plain.loopRound = rows / round;
  plain.inputTailPos = rows / round * round * plain.hLength;
  plain.tailBshLength = rows % round * plain.hLength;
  plain.tailBsLength = rows % round;
  tiling = plain;
  return true;
}

inline bool GetDeepNormMaxMinTmpSize(const TensorShape& srcShape,
                                     const uint32_t typeSize,
                                     const bool /*isReuseSource*/,
                                     const bool /*isBasicBlock*/,
                                     uint32_t& maxValue, uint32_t& minValue) {
  return GetRmsNormMaxMinTmpSize(srcShape, typeSize, maxValue, minValue);
}
template <typename Tiling>
bool GetDeepNormTilingInfo(const TensorShape& srcShape,
                           const TensorShape& originSrcShape,
                           const uint32_t stackBufferSize,
                           const uint32_t typeSize, const bool isReuseSource,
                           const bool isBasicBlock, Tiling& tiling) {
  uint32_t most = 0;
  uint32_t least = 0;
  if (!GetDeepNormMaxMinTmpSize(srcShape, typeSize, isReuseSource, isBasicBlock,
                                most, least)) {
    return false;
  }
  const uint32_t original = belay::host::Dim(originSrcShape, 2);
  const uint32_t width = belay::host::Dim(srcShape, 2);
  if (stackBufferSize < least || original == 0 || original > width ||
      width > 2040 || (isBasicBlock && original != width)) {
    return false;
  }
  tiling = belay::host::LayerNormSplit<AscendC::tiling::DeepNormTiling>(
      srcShape, original, stackBufferSize);
  return true;
}

// --- BatchNorm and GroupNorm -------------------------------------------------

inline bool GetBatchNormMaxMinTmpSize(const TensorShape& srcShape,
                                      const TensorShape& originSrcShape,
                                      const uint32_t typeSize,
                                      const bool /*isReuseSource*/,
                                      uint32_t& maxValue, uint32_t& minValue,
                                      const bool /*isBasicBlock*/ = false) {
  const uint32_t width =
      belay::host::Dim(srcShape, 1) * belay::host::Dim(srcShape, 2);
  if (srcShape.GetDimNum() != 3 || originSrcShape.GetDimNum() != 3 ||
      width * typeSize % 32 != 0) {
    return false;
  }
  const uint64_t spread =
      belay::api::SpreadBytes(belay::host::Dim(originSrcShape, 0));
  minValue = static_cast<uint32_t>(spread + belay::api::kLeastColumns *
                                                belay::api::kColumnBytes);
  maxValue =
      static_cast<uint32_t>(spread + width * belay::api::kColumnBytes + 256);
  return true;
}
template <typename Tiling>
bool GetBatchNormNDTilingInfo(const TensorShape& srcShape,
                              const TensorShape& originSrcShape,
                              const uint32_t stackBufferByteSize,
                              const uint32_t typeSize, const bool isReuseSource,
                              Tiling& tilling,
                              const bool isBasicBlock = false) {
  uint32_t most = 0;
  uint32_t least = 0;
  if (!GetBatchNormMaxMinTmpSize(srcShape, originSrcShape, typeSize,
                                 isReuseSource, most, least, isBasicBlock) ||
      stackBufferByteSize < least) {
    return false;
  }
  AscendC::tiling::BatchNormTiling plain;
  plain.originalBLength = belay::host::Dim(originSrcShape, 0);
  plain.meanVarSize =
      belay::host::Dim(srcShape, 1) * belay::host::Dim(srcShape, 2);
  plain.tmpBufSize = stackBufferByteSize;
  plain.bshCurLength = plain.originalBLength * plain.meanVarSize;
  plain.shCurLength = plain.meanVarSize;
  plain.firstDimValueBack = 1.0f / static_cast<float>(plain.originalBLength);
  tilling = plain;
  return true;
}

inline void GetGroupNormMaxMinTmpSize(const TensorShape& srcShape,
                                      const uint32_t /*typeSize*/,
                                      const bool /*isReuseSource*/,
                                      const uint32_t groupNum,
                                      uint32_t& maxValue, uint32_t& minValue) {
  const uint32_t channels = belay::host::Dim(srcShape, 1);
  const uint32_t width = channels / groupNum * belay::host::Dim(srcShape, 2) *
                         belay::host::Dim(srcShape, 3);
  belay::host::RangeOf(belay::api::SpaceOfGroupNorm(width, channels),
                       belay::host::Dim(srcShape, 0) * groupNum, maxValue,
                       minValue);
}
template <typename Tiling>
void GetGroupNormNDTilingInfo(const TensorShape& srcShape,
                              const uint32_t stackBufferSize,
                              const uint32_t typeSize,
                              const bool /*isReuseSource*/,
                              const uint32_t groupNum, Tiling& tiling) {
  AscendC::tiling::GroupNormTiling plain;
  const uint32_t step = 32 / typeSize;
  plain.n = belay::host::Dim(srcShape, 0);
  plain.c = belay::host::Dim(srcShape, 1);
  plain.hw = belay::host::Dim(srcShape, 2) * belay::host::Dim(srcShape, 3);
  plain.g = groupNum;
  plain.d = plain.c / groupNum;
  plain.hwAlignSize = (plain.hw + step - 1) / step * step;
  plain.dhwAlignSize = (plain.d * plain.hw + step - 1) / step * step;
  const uint32_t width = plain.d * plain.hw;
  belay::host::SplitNorm(plain, plain.n * plain.g, width, stackBufferSize,
                         belay::api::SpaceOfGroupNorm(width, plain.c));
  plain.bshCurLength = plain.inputRoundSize;
  plain.bsCurLength = plain.meanVarRoundSize;
  plain.factor = 1.0f / static_cast<float>(width);
  tiling = plain;
}

// --- Welford -----------------------------------------------------------------

inline void GetWelfordUpdateMaxMinTmpSize(
    const TensorShape& srcShape, const uint32_t /*typeSizeT*/,
    const uint32_t /*typeSizeU*/, const bool /*isReuseSource*/,
    const bool /*isInplace*/, uint32_t& maxValue, uint32_t& minValue) {
  const uint32_t length = belay::host::Dim(srcShape, 1);
  const auto space = belay::api::SpaceOfWelfordUpdate();
  maxValue = static_cast<uint32_t>(space.Bytes(length));
  minValue = static_cast<uint32_t>(space.Bytes(length < 64 ? length : 64));
}
inline void GetWelfordFinalizeMaxMinTmpSize(const TensorShape& srcShape,
                                            const uint32_t /*typeSize*/,
                                            const bool /*isReuseSource*/,
                                            uint32_t& maxValue,
                                            uint32_t& minValue) {
  const uint32_t length = belay::host::Dim(srcShape, 0);
  const auto space = belay::api::SpaceOfWelfordFinalize();
  maxValue = static_cast<uint32_t>(space.Bytes(length));
  minValue = static_cast<uint32_t>(space.Bytes(length < 64 ? length : 64));
}

}  // namespace AscendC

#endif  // BELAY_TILING_HIGH_LEVEL_NORMALIZATION_H_
