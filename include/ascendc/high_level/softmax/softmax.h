// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_HIGH_LEVEL_SOFTMAX_SOFTMAX_H_
#define BELAY_ASCENDC_HIGH_LEVEL_SOFTMAX_SOFTMAX_H_

// SoftMax of each row, with or without its max and sum, and SimpleSoftMax,
// which is given them.

#include "ascendc/high_level/softmax/softmax_rows.h"

BELAY_KERNEL_CODE_BEGIN

namespace belay::api {

// `max` and `sum` are written where `isKept`.
template <bool isKept, bool isNz, typename T, typename U>
BELAY_API void SoftmaxOfRows(Temporary temporary, const View<T>& dst,
                             const View<U>& sum, const View<U>& max,
                             const View<T>& src, const SoftmaxShape& shape) {
  if (ASCEND_IS_AIC) return;
  static_assert(SoftmaxTypes<T, U>::kAreTaken);
  using Chunks = RowChunks<T, isNz>;
  Chunks chunks(temporary, shape.rows, shape.width, shape.columns,
                Chunks::Copies(kSoftmaxMatrices));
  const Floats values = chunks.Values(0);
  while (chunks.Next()) {
    const Floats source = chunks.Load(src, 0);
    const Floats result = chunks.Target(dst, 0);
    chunks.template Reduce<MaxOfRow>(values, source);
    if constexpr (isKept) chunks.template Put<true>(max, values);
    ExpOfDifference(chunks, result, source, values);
    chunks.template Reduce<SumOfRow>(values, result);
    if constexpr (isKept) chunks.template Put<true>(sum, values);
    chunks.template Apply<Op::kDiv>(result, result, chunks.Spread(values));
    chunks.Store(dst, result);
  }
}

template <bool isNz, typename T, typename U>
BELAY_API void SimpleSoftmaxOfRows(Temporary temporary, const View<T>& dst,
                                   const View<U>& sum, const View<U>& max,
                                   const View<T>& src,
                                   const SoftmaxShape& shape) {
  if (ASCEND_IS_AIC) return;
  static_assert(SoftmaxTypes<T, U>::kAreTaken);
  using Chunks = RowChunks<T, isNz>;
  Chunks chunks(temporary, shape.rows, shape.width, shape.columns,
                Chunks::Copies(kSoftmaxMatrices));
  const Floats values = chunks.Values(0);
  while (chunks.Next()) {
    const Floats source = chunks.Load(src, 0);
    const Floats result = chunks.Target(dst, 0);
    chunks.template Get<true>(values, max);
    ExpOfDifference(chunks, result, source, values);
    chunks.template Get<true>(values, sum);
    chunks.template Apply<Op::kDiv>(result, result, chunks.Spread(values));
    chunks.Store(dst, result);
  }
}

}  // namespace belay::api

namespace AscendC {

template <typename T, bool isReuseSource = false, bool isBasicBlock = false,
          bool isDataFormatNZ = false,
          const SoftmaxConfig& config = SOFTMAX_DEFAULT_CFG, typename U = T>
BELAY_API void SoftMax(const LocalTensor<T>& dstTensor,
                       const LocalTensor<U>& sumTensor,
                       const LocalTensor<U>& maxTensor,
                       const LocalTensor<T>& srcTensor,
                       const LocalTensor<uint8_t>& sharedTmpBuffer,
                       const SoftMaxTiling& tiling,
                       const SoftMaxShapeInfo& softmaxShapeInfo = {}) {
  const auto shape = belay::api::ShapeOf<T, config>(softmaxShapeInfo, tiling);
  belay::api::RequireBasicBlock<T, isBasicBlock && config.oriSrcM == 0>(
      "SoftMax", shape);
  belay::api::SoftmaxOfRows<true, isDataFormatNZ, T, U>(
      belay::api::Temporary("SoftMax", sharedTmpBuffer), dstTensor, sumTensor,
      maxTensor, srcTensor, shape);
}
template <typename T, bool isReuseSource = false, bool isBasicBlock = false,
          bool isDataFormatNZ = false,
          const SoftmaxConfig& config = SOFTMAX_DEFAULT_CFG, typename U = T>
BELAY_API void SoftMax(const LocalTensor<T>& dstTensor,
                       const LocalTensor<U>& sumTensor,
                       const LocalTensor<U>& maxTensor,
                       const LocalTensor<T>& srcTensor,
                       const SoftMaxTiling& tiling,
                       const SoftMaxShapeInfo& softmaxShapeInfo = {}) {
  const auto shape = belay::api::ShapeOf<T, config>(softmaxShapeInfo, tiling);
  belay::api::RequireBasicBlock<T, isBasicBlock && config.oriSrcM == 0>(
      "SoftMax", shape);
  belay::api::SoftmaxOfRows<true, isDataFormatNZ, T, U>(
      belay::api::Temporary("SoftMax"), dstTensor, sumTensor, maxTensor,
      srcTensor, shape);
}

template <typename T, bool isReuseSource = false, bool isBasicBlock = false,
          const SoftmaxConfig& config = SOFTMAX_DEFAULT_CFG>
BELAY_API void SoftMax(const LocalTensor<T>& dstTensor,
                       const LocalTensor<T>& srcTensor,
                       const LocalTensor<uint8_t>& sharedTmpBuffer,
                       const SoftMaxTiling& tiling,
                       const SoftMaxShapeInfo& softmaxShapeInfo = {}) {
  const auto shape = belay::api::ShapeOf<T, config>(softmaxShapeInfo, tiling);
  belay::api::RequireBasicBlock<T, isBasicBlock && config.oriSrcM == 0>(
      "SoftMax", shape);
  belay::api::SoftmaxOfRows<false, false, T, T>(
      belay::api::Temporary("SoftMax", sharedTmpBuffer), dstTensor, srcTensor,
      srcTensor, srcTensor, shape);
}
template <typename T, bool isReuseSource = false, bool isBasicBlock = false,
          const SoftmaxConfig& config = SOFTMAX_DEFAULT_CFG>
BELAY_API void SoftMax(const LocalTensor<T>& dstTensor,
                       const LocalTensor<T>& srcTensor,
                       const SoftMaxTiling& tiling,
                       const SoftMaxShapeInfo& softmaxShapeInfo = {}) {
  const auto shape = belay::api::ShapeOf<T, config>(softmaxShapeInfo, tiling);
  belay::api::RequireBasicBlock<T, isBasicBlock && config.oriSrcM == 0>(
      "SoftMax", shape);
  belay::api::SoftmaxOfRows<false, false, T, T>(
      belay::api::Temporary("SoftMax"), dstTensor, srcTensor, srcTensor,
      srcTensor, shape);
}

template <typename T, bool isReuseSource = false, bool isBasicBlock = false,
          bool isDataFormatNZ = false,
          const SoftmaxConfig& config = SOFTMAX_DEFAULT_CFG, typename U = T>
BELAY_API void SimpleSoftMax(const LocalTensor<T>& dstTensor,
                             const LocalTensor<U>& inSumTensor,
                             const LocalTensor<U>& inMaxTensor,
                             const LocalTensor<T>& srcTensor,
                             const LocalTensor<uint8_t>& sharedTmpBuffer,
                             const SoftMaxTiling& tiling,
                             const SoftMaxShapeInfo& softmaxShapeInfo = {}) {
  const auto shape = belay::api::ShapeOf<T, config>(softmaxShapeInfo, tiling);
  belay::api::RequireBasicBlock<T, isBasicBlock>("SimpleSoftMax", shape);
  belay::api::SimpleSoftmaxOfRows<isDataFormatNZ, T, U>(
      belay::api::Temporary("SimpleSoftMax", sharedTmpBuffer), dstTensor,
      inSumTensor, inMaxTensor, srcTensor, shape);
}
template <typename T, bool isReuseSource = false, bool isBasicBlock = false,
          bool isDataFormatNZ = false,
          const SoftmaxConfig& config = SOFTMAX_DEFAULT_CFG, typename U = T>
BELAY_API void SimpleSoftMax(const LocalTensor<T>& dstTensor,
                             const LocalTensor<U>& inSumTensor,
                             const LocalTensor<U>& inMaxTensor,
                             const LocalTensor<T>& srcTensor,
                             const SoftMaxTiling& tiling,
                             const SoftMaxShapeInfo& softmaxShapeInfo = {}) {
  const auto shape = belay::api::ShapeOf<T, config>(softmaxShapeInfo, tiling);
  belay::api::RequireBasicBlock<T, isBasicBlock>("SimpleSoftMax", shape);
  belay::api::SimpleSoftmaxOfRows<isDataFormatNZ, T, U>(
      belay::api::Temporary("SimpleSoftMax"), dstTensor, inSumTensor,
      inMaxTensor, srcTensor, shape);
}

}  // namespace AscendC

BELAY_KERNEL_CODE_END

#endif  // BELAY_ASCENDC_HIGH_LEVEL_SOFTMAX_SOFTMAX_H_
