// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_HIGH_LEVEL_NORMALIZATION_LAYER_NORM_GRAD_H_
#define BELAY_ASCENDC_HIGH_LEVEL_NORMALIZATION_LAYER_NORM_GRAD_H_

// LayerNormGrad: the gradient of x, and the normalised x for
// LayerNormGradBeta, which gives the gradients of gamma and beta.

#include "ascendc/high_level/normalization/norm_columns.h"
#include "ascendc/high_level/normalization/norm_rows.h"

BELAY_KERNEL_CODE_BEGIN

namespace belay::api {

// With y = (x - mean) * rstd and g = dy * gamma, over the H of a row:
//   dx = rstd * (g - (sum g - sum(g y) * sum(y) / H) / H - y * sum(g y) / H).
template <typename T>
BELAY_API void NormGradOfRows(Temporary temporary, const View<T>& dx,
                              const View<T>& normalised, const View<T>& dy,
                              const View<T>& x, const View<T>& variance,
                              const View<T>& mean, const View<T>& gamma,
                              float epsilon, const NormShape& shape) {
  if (ASCEND_IS_AIC) return;
  static_assert(kIsNormType<T>, "LayerNormGrad takes half or float");
  temporary.Require(SpaceOfNormGrad(shape.width).Bytes(1));
  const Floats gammas = AsFloats(temporary, gamma, shape.width);
  RowChunks<T> chunks(temporary, shape.rows, shape.width, shape.columns, 3);
  const Floats rstds = chunks.Values(0);
  const Floats values = chunks.Values(1);
  const Floats sums = chunks.Values(2);
  const Floats products = chunks.Values(3);
  const Floats centred = chunks.Matrix(0);
  const Floats grads = chunks.Matrix(1);
  const Floats work = chunks.Matrix(2);
  const float reciprocal = 1.0f / static_cast<float>(shape.columns);
  while (chunks.Next()) {
    const uint32_t count = chunks.count();
    chunks.template Get<false>(rstds, variance);
    ReciprocalDeviation(rstds, rstds, values, epsilon, count);
    chunks.template Get<false>(values, mean);
    chunks.template Apply<Op::kSub>(centred, chunks.Load(x, 0),
                                    chunks.Spread(values));
    chunks.template Apply<Op::kMul>(centred, centred, chunks.Spread(rstds));
    WithColumnValues<Op::kMul>(grads, chunks.Load(dy, 1), gammas, count,
                               chunks.width());
    Both<Op::kMul>(work, grads, centred, chunks.size());
    MeanOfRows(chunks, products, work, reciprocal);
    MeanOfRows(chunks, sums, grads, reciprocal);
    MeanOfRows(chunks, values, centred, reciprocal);
    Both<Op::kMul>(values, values, products, count);
    Both<Op::kSub>(sums, sums, values, count);
    chunks.template Apply<Op::kSub>(grads, grads, chunks.Spread(sums));
    chunks.template Apply<Op::kMul>(work, centred, chunks.Spread(products));
    Both<Op::kSub>(grads, grads, work, chunks.size());
    chunks.template Apply<Op::kMul>(grads, grads, chunks.Spread(rstds));
    Convert(dx[chunks.row() * chunks.width()], grads, chunks.size());
    Convert(normalised[chunks.row() * chunks.width()], centred, chunks.size());
  }
}

template <typename T>
BELAY_API void NormGradOfColumns(Temporary temporary, const View<T>& gamma,
                                 const View<T>& beta, const View<T>& normalised,
                                 const View<T>& dy, const NormShape& shape) {
  if (ASCEND_IS_AIC) return;
  static_assert(kIsNormType<T>, "LayerNormGradBeta takes half or float");
  ColumnChunks<T> chunks(temporary, shape.width);
  const Floats gammas = chunks.Values(0);
  const Floats betas = chunks.Values(1);
  const Floats product = chunks.Values(3);
  while (chunks.Next()) {
    Fill(gammas, 0.0f, chunks.count());
    Fill(betas, 0.0f, chunks.count());
    for (uint32_t row = 0; row < shape.rows; ++row) {
      const Floats grad = chunks.Load(dy, row, 2);
      Both<Op::kAdd>(betas, betas, grad, chunks.count());
      Both<Op::kMul>(product, chunks.Load(normalised, row, 3), grad,
                     chunks.count());
      Both<Op::kAdd>(gammas, gammas, product, chunks.count());
    }
    Convert(gamma[chunks.column()], gammas, chunks.count());
    Convert(beta[chunks.column()], betas, chunks.count());
  }
}

}  // namespace belay::api

namespace AscendC {

template <typename T, bool isReuseSource = false>
BELAY_API void LayerNormGrad(
    const LocalTensor<T>& outputPdX, const LocalTensor<T>& resForGamma,
    const LocalTensor<T>& inputDy, const LocalTensor<T>& inputX,
    const LocalTensor<T>& inputVariance, const LocalTensor<T>& inputMean,
    const LocalTensor<T>& inputGamma,
    const LocalTensor<uint8_t>& sharedTmpBuffer, T epsilon,
    const LayerNormGradTiling& tiling, const LayerNormGradShapeInfo& = {}) {
  belay::api::NormGradOfRows<T>(
      belay::api::Temporary("LayerNormGrad", sharedTmpBuffer), outputPdX,
      resForGamma, inputDy, inputX, inputVariance, inputMean, inputGamma,
      static_cast<float>(epsilon), belay::api::ShapeOfNorm(tiling));
}
template <typename T, bool isReuseSource = false>
BELAY_API void LayerNormGrad(
    const LocalTensor<T>& outputPdX, const LocalTensor<T>& resForGamma,
    const LocalTensor<T>& inputDy, const LocalTensor<T>& inputX,
    const LocalTensor<T>& inputVariance, const LocalTensor<T>& inputMean,
    const LocalTensor<T>& inputGamma, T epsilon,
    const LayerNormGradTiling& tiling, const LayerNormGradShapeInfo& = {}) {
  belay::api::NormGradOfRows<T>(
      belay::api::Temporary("LayerNormGrad"), outputPdX, resForGamma, inputDy,
      inputX, inputVariance, inputMean, inputGamma, static_cast<float>(epsilon),
      belay::api::ShapeOfNorm(tiling));
}

template <typename T, bool isReuseSource = false>
BELAY_API void LayerNormGradBeta(const LocalTensor<T>& outputPdGamma,
                                 const LocalTensor<T>& outputPdBeta,
                                 const LocalTensor<T>& resForGamma,
                                 const LocalTensor<T>& inputDy,
                                 const LocalTensor<uint8_t>& sharedTmpBuffer,
                                 const LayerNormGradBetaTiling& tiling) {
  belay::api::NormGradOfColumns<T>(
      belay::api::Temporary("LayerNormGradBeta", sharedTmpBuffer),
      outputPdGamma, outputPdBeta, resForGamma, inputDy,
      belay::api::ShapeOfNorm(tiling));
}
template <typename T, bool isReuseSource = false>
BELAY_API void LayerNormGradBeta(const LocalTensor<T>& outputPdGamma,
                                 const LocalTensor<T>& outputPdBeta,
                                 const LocalTensor<T>& resForGamma,
                                 const LocalTensor<T>& inputDy,
                                 const LayerNormGradBetaTiling& tiling) {
  belay::api::NormGradOfColumns<T>(belay::api::Temporary("LayerNormGradBeta"),
                                   outputPdGamma, outputPdBeta, resForGamma,
                                   inputDy, belay::api::ShapeOfNorm(tiling));
}

}  // namespace AscendC

BELAY_KERNEL_CODE_END

#endif  // BELAY_ASCENDC_HIGH_LEVEL_NORMALIZATION_LAYER_NORM_GRAD_H_
