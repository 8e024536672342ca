// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_HIGH_LEVEL_SOFTMAX_SOFTMAX_GRAD_H_
#define BELAY_ASCENDC_HIGH_LEVEL_SOFTMAX_SOFTMAX_GRAD_H_

// SoftmaxGrad: (grad - sum of grad * src over the row) * src; SoftmaxGradFront:
// that sum alone, a block a row.

#include "ascendc/high_level/softmax/softmax_rows.h"

BELAY_KERNEL_CODE_BEGIN

namespace belay::api {

template <bool isNz, typename T>
BELAY_API void SoftmaxGradOfRows(bool is_front, Temporary temporary,
                                 const View<T>& dst, const View<T>& grad,
                                 const View<T>& src,
                                 const SoftmaxShape& shape) {
  if (ASCEND_IS_AIC) return;
  static_assert(SoftmaxTypes<T>::kAreTaken);
  using Chunks = RowChunks<T, isNz>;
  Chunks chunks(temporary, shape.rows, shape.width, shape.columns,
                Chunks::Copies(kSoftmaxGradMatrices));
  const Floats sum = chunks.Values(0);
  const Floats product = chunks.Matrix(0);
  while (chunks.Next()) {
    const Floats source = chunks.Load(src, 1);
    Both<Op::kMul>(product, chunks.Load(grad, 0), source, chunks.size());
    chunks.template Reduce<SumOfRow>(sum, product);
    if (is_front) {
      chunks.template Put<true>(dst, sum);
      continue;
    }
    chunks.template Apply<Op::kSub>(product, chunks.Load(grad, 0),
                                    chunks.Spread(sum));
    const Floats result = chunks.Target(dst, 0);
    Both<Op::kMul>(result, product, source, chunks.size());
    chunks.Store(dst, result);
  }
}

}  // namespace belay::api

namespace AscendC {

template <typename T, bool isReuseSource = false, bool isDataFormatNZ = false>
BELAY_API void SoftmaxGrad(const LocalTensor<T>& dstTensor,
                           const LocalTensor<T>& gradTensor,
                           const LocalTensor<T>& srcTensor,
                           const LocalTensor<uint8_t>& sharedTmpBuffer,
                           const SoftMaxTiling& tiling, bool isFront = false,
                           const SoftMaxShapeInfo& softmaxShapeInfo = {}) {
  belay::api::SoftmaxGradOfRows<isDataFormatNZ, T>(
      isFront, belay::api::Temporary("SoftmaxGrad", sharedTmpBuffer), dstTensor,
      gradTensor, srcTensor,
      belay::api::ShapeOf<T, SOFTMAX_DEFAULT_CFG>(softmaxShapeInfo, tiling));
}
template <typename T, bool isReuseSource = false, bool isDataFormatNZ = false>
BELAY_API void SoftmaxGrad(const LocalTensor<T>& dstTensor,
                           const LocalTensor<T>& gradTensor,
                           const LocalTensor<T>& srcTensor,
                           const SoftMaxTiling& tiling, bool isFront = false,
                           const SoftMaxShapeInfo& softmaxShapeInfo = {}) {
  belay::api::SoftmaxGradOfRows<isDataFormatNZ, T>(
      isFront, belay::api::Temporary("SoftmaxGrad"), dstTensor, gradTensor,
      srcTensor,
      belay::api::ShapeOf<T, SOFTMAX_DEFAULT_CFG>(softmaxShapeInfo, tiling));
}

template <typename T, bool isBasicBlock = false, bool isDataFormatNZ = false>
BELAY_API void SoftmaxGradFront(const LocalTensor<T>& dstTensor,
                                const LocalTensor<T>& gradTensor,
                                const LocalTensor<T>& srcTensor,
                                const LocalTensor<uint8_t>& sharedTmpBuffer,
                                const SoftMaxTiling& tiling,
                                const SoftMaxShapeInfo& softmaxShapeInfo = {}) {
  const auto shape =
      belay::api::ShapeOf<T, SOFTMAX_DEFAULT_CFG>(softmaxShapeInfo, tiling);
  belay::api::RequireBasicBlock<T, isBasicBlock>("SoftmaxGradFront", shape);
  belay::api::SoftmaxGradOfRows<isDataFormatNZ, T>(
      true, belay::api::Temporary("SoftmaxGradFront", sharedTmpBuffer),
      dstTensor, gradTensor, srcTensor, shape);
}
template <typename T, bool isBasicBlock = false, bool isDataFormatNZ = false>
BELAY_API void SoftmaxGradFront(const LocalTensor<T>& dstTensor,
                                const LocalTensor<T>& gradTensor,
                                const LocalTensor<T>& srcTensor,
                                const SoftMaxTiling& tiling,
                                const SoftMaxShapeInfo& softmaxShapeInfo = {}) {
  const auto shape =
      belay::api::ShapeOf<T, SOFTMAX_DEFAULT_CFG>(softmaxShapeInfo, tiling);
  belay::api::RequireBasicBlock<T, isBasicBlock>("SoftmaxGradFront", shape);
  belay::api::SoftmaxGradOfRows<isDataFormatNZ, T>(
      true, belay::api::Temporary("SoftmaxGradFront"), dstTensor, gradTensor,
      srcTensor, shape);
}

}  // namespace AscendC

BELAY_KERNEL_CODE_END

#endif  // BELAY_ASCENDC_HIGH_LEVEL_SOFTMAX_SOFTMAX_GRAD_H_
