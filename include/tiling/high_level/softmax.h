// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TILING_HIGH_LEVEL_SOFTMAX_H_
#define BELAY_TILING_HIGH_LEVEL_SOFTMAX_H_

// The host's part of the softmax functions: how much temporary memory they
// need, and their tiling. Sizes are in bytes.

#include "ascendc/high_level/softmax/softmax_tiling.h"
#include "belay/tiling_class.h"
#include "tiling/high_level/shape.h"

BELAY_TILING_CLASS(SoftMaxTiling, BELAY_SOFTMAX_TILING)
BELAY_TILING_CLASS(LogSoftMaxTiling, BELAY_SOFTMAX_TILING)

namespace belay::host {

// All axes but the last are rows.
struct Matrix {
  explicit Matrix(const AscendC::TensorShape& shape) {
    const size_t rank = shape.GetDimNum();
    if (rank == 0) return;
    rows = 1;
    for (size_t i = 0; i + 1 < rank; ++i) {
      rows *= static_cast<uint32_t>(shape.GetDim(i));
    }
    width = static_cast<uint32_t>(shape.GetDim(rank - 1));
  }

  uint32_t rows = 0;
  uint32_t width = 0;
};

inline uint32_t Bytes(uint64_t bytes) { return static_cast<uint32_t>(bytes); }

// Least and most of a function of `matrices` float copies.
inline uint32_t LeastOfRows(const AscendC::TensorShape& shape,
                            uint32_t matrices) {
  return Bytes(api::SpaceOfRows(Matrix(shape).width, matrices).Bytes(1));
}
inline uint32_t MostOfRows(const AscendC::TensorShape& shape,
                           uint32_t matrices) {
  const Matrix matrix(shape);
  return Bytes(api::SpaceOfRows(matrix.width, matrices).Bytes(matrix.rows));
}

template <typename Tiling>
Tiling SplitRows(const AscendC::TensorShape& shape, uint32_t element,
                 uint32_t bytes, uint32_t matrices) {
  const Matrix matrix(shape);
  return api::SplitRows<Tiling>(matrix.rows, matrix.width, element, bytes,
                                api::SpaceOfRows(matrix.width, matrices));
}

}  // namespace belay::host

namespace AscendC {

inline uint32_t GetSoftMaxMaxTmpSize(const TensorShape& srcShape,
                                     const uint32_t /*dataTypeSize*/,
                                     const bool /*isReuseSource*/) {
  return belay::host::MostOfRows(srcShape, belay::api::kSoftmaxMatrices);
}
inline uint32_t GetSoftMaxMinTmpSize(const TensorShape& srcShape,
                                     const uint32_t /*dataTypeSize*/,
                                     const bool /*isReuseSource*/) {
  return belay::host::LeastOfRows(srcShape, belay::api::kSoftmaxMatrices);
}
inline uint32_t GetLogSoftMaxMaxTmpSize(const TensorShape srcShape,
                                        const uint32_t dataTypeSize,
                                        const bool isReuseSource) {
  return GetSoftMaxMaxTmpSize(srcShape, dataTypeSize, isReuseSource);
}
inline uint32_t GetLogSoftMaxMinTmpSize(const TensorShape srcShape,
                                        const uint32_t dataTypeSize,
                                        const bool isReuseSource) {
  return GetSoftMaxMinTmpSize(srcShape, dataTypeSize, isReuseSource);
}
inline uint32_t GetSoftMaxFlashMaxTmpSize(const TensorShape& srcShape,
                                          const uint32_t dataTypeSize,
                                          const bool /*isUpdate*/,
                                          const bool isReuseSource) {
  return GetSoftMaxMaxTmpSize(srcShape, dataTypeSize, isReuseSource);
}
inline uint32_t GetSoftMaxFlashMinTmpSize(const TensorShape& srcShape,
                                          const uint32_t dataTypeSize,
                                          const bool /*isUpdate*/,
                                          const bool isReuseSource) {
  return GetSoftMaxMinTmpSize(srcShape, dataTypeSize, isReuseSource);
}
inline uint32_t GetSoftMaxFlashV2MinTmpSize(
    const TensorShape& srcShape, const uint32_t /*dataTypeSize1*/,
    const uint32_t /*dataTypeSize2*/, const bool /*isUpdate*/,
    const bool /*isBasicBlock*/ = false,
    const bool /*isFlashOutputBrc*/ = false) {
  return belay::host::LeastOfRows(srcShape, belay::api::kSoftmaxMatrices);
}
inline uint32_t GetSoftMaxFlashV2MaxTmpSize(
    const TensorShape& srcShape, const uint32_t /*dataTypeSize1*/,
    const uint32_t /*dataTypeSize2*/, const bool /*isUpdate*/,
    const bool /*isBasicBlock*/ = false,
    const bool /*isFlashOutputBrc*/ = false) {
  return belay::host::MostOfRows(srcShape, belay::api::kSoftmaxMatrices);
}
inline void GetSoftMaxFlashV3MaxMinTmpSize(
    const TensorShape& srcShape, const uint32_t /*dataTypeSize1*/,
    const uint32_t /*dataTypeSize2*/, uint32_t& maxValue, uint32_t& minValue,
    const bool /*isUpdate*/, const bool /*isBasicBlock*/ = false) {
  const belay::host::Matrix matrix(srcShape);
  const auto space = belay::api::SpaceOfSoftmaxV3(matrix.width);
  maxValue = belay::host::Bytes(space.Bytes(matrix.rows));
  minValue = belay::host::Bytes(space.Bytes(1));
}
inline uint32_t GetSoftMaxGradMaxTmpSize(const TensorShape& srcShape,
                                         const uint32_t /*dataTypeSize*/,
                                         const bool /*isFront*/,
                                         const bool /*isReuseSource*/) {
  return belay::host::MostOfRows(srcShape, belay::api::kSoftmaxGradMatrices);
}
inline uint32_t GetSoftMaxGradMinTmpSize(const TensorShape& srcShape,
                                         const uint32_t /*dataTypeSize*/,
                                         const bool /*isFront*/,
                                         const bool /*isReuseSource*/) {
  return belay::host::LeastOfRows(srcShape, belay::api::kSoftmaxGradMatrices);
}

// The tiling functions fill a struct of AscendC::tiling or a class of
// optiling.
template <typename Tiling>
void SoftMaxTilingFunc(const TensorShape& srcShape, const uint32_t dataTypeSize,
                       const uint32_t localWorkSpaceSize,
                       Tiling& softmaxTiling) {
  softmaxTiling = belay::host::SplitRows<tiling::SoftMaxTiling>(
      srcShape, dataTypeSize, localWorkSpaceSize, belay::api::kSoftmaxMatrices);
}
template <typename Tiling>
void LogSoftMaxTilingFunc(const TensorShape srcShape,
                          const uint32_t dataTypeSize,
                          const uint32_t localWorkSpaceSize,
                          Tiling& softmaxTiling) {
  softmaxTiling = belay::host::SplitRows<tiling::LogSoftMaxTiling>(
      srcShape, dataTypeSize, localWorkSpaceSize, belay::api::kSoftmaxMatrices);
}
template <typename Tiling>
void SoftMaxFlashTilingFunc(const TensorShape& srcShape,
                            const uint32_t dataTypeSize,
                            const uint32_t localWorkSpaceSize,
                            Tiling& softmaxFlashTiling,
                            const bool /*isUpdate*/ = false) {
  SoftMaxTilingFunc(srcShape, dataTypeSize, localWorkSpaceSize,
                    softmaxFlashTiling);
}
template <typename Tiling>
void SoftMaxFlashV2TilingFunc(const TensorShape& srcShape,
                              const uint32_t /*dataTypeSize1*/,
                              const uint32_t dataTypeSize2,
                              const uint32_t localWorkSpaceSize,
                              Tiling& softmaxFlashTiling,
                              const bool /*isUpdate*/,
                              const bool /*isBasicBlock*/ = false,
                              const bool /*isFlashOutputBrc*/ = false) {
  softmaxFlashTiling = belay::host::SplitRows<tiling::SoftMaxTiling>(
      srcShape, dataTypeSize2, localWorkSpaceSize,
      belay::api::kSoftmaxMatrices);
}
template <typename Tiling>
void SoftMaxFlashV3TilingFunc(const TensorShape& srcShape,
                              const uint32_t /*dataTypeSize1*/,
                              const uint32_t dataTypeSize2,
                              const uint32_t localWorkSpaceSize,
                              Tiling& softmaxFlashV3Tiling,
                              const bool /*isUpdate*/,
                              const bool /*isBasicBlock*/ = false) {
  const belay::host::Matrix matrix(srcShape);
  softmaxFlashV3Tiling = belay::api::SplitRows<tiling::SoftMaxTiling>(
      matrix.rows, matrix.width, dataTypeSize2, localWorkSpaceSize,
      belay::api::SpaceOfSoftmaxV3(matrix.width));
}
template <typename Tiling>
void SoftMaxGradTilingFunc(const TensorShape& srcShape,
                           const uint32_t dataTypeSize,
                           const uint32_t localWorkSpaceSize,
                           Tiling& softmaxGradTiling,
                           const bool /*isFront*/ = false) {
  softmaxGradTiling = belay::host::SplitRows<tiling::SoftMaxTiling>(
      srcShape, dataTypeSize, localWorkSpaceSize,
      belay::api::kSoftmaxGradMatrices);
}

inline bool IsBasicBlockInSoftMax(tiling::SoftMaxTiling& tiling,
                                  const uint32_t dataTypeSize = 2) {
  return belay::api::IsBasicBlock(tiling.srcM, tiling.srcK, dataTypeSize) &&
         tiling.splitM % 8 == 0;
}
#if !defined(__BELAY_KERNEL_TU__)
inline bool IsBasicBlockInSoftMax(optiling::SoftMaxTiling& tiling,
                                  const uint32_t dataTypeSize = 2) {
  return belay::api::IsBasicBlock(tiling.get_srcM(), tiling.get_srcK(),
                                  dataTypeSize) &&
         tiling.get_splitM() % 8 == 0;
}
#endif

}  // namespace AscendC

#endif  // BELAY_TILING_HIGH_LEVEL_SOFTMAX_H_
