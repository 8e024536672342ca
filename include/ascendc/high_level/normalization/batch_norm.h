// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_HIGH_LEVEL_NORMALIZATION_BATCH_NORM_H_
#define BELAY_ASCENDC_HIGH_LEVEL_NORMALIZATION_BATCH_NORM_H_

// BatchNorm: each column of [B, S * H] normalised over B, scaled by a value a
// row; GroupNorm: each group of channels of [N, C, H * W] normalised, scaled
// by a value a channel.

#include "ascendc/high_level/normalization/norm_columns.h"
#include "ascendc/high_level/normalization/norm_rows.h"

BELAY_KERNEL_CODE_BEGIN

namespace belay::api {

template <typename T>
BELAY_API void BatchNormOfColumns(Temporary temporary, const View<T>& dst,
                                  const View<T>& mean, const View<T>& variance,
                                  const View<T>& src, const View<T>& gamma,
                                  const View<T>& beta, float epsilon,
                                  uint32_t rows, uint32_t width) {
  if (ASCEND_IS_AIC) return;
  static_assert(kIsNormType<T>, "BatchNorm takes half or float");
  temporary.Require(SpreadBytes(rows) + kLeastColumns * kColumnBytes);
  const Floats gammas = AsBlocks(temporary, gamma, rows);
  const Floats betas = AsBlocks(temporary, beta, rows);
  ColumnChunks<T> chunks(temporary, width);
  const Floats means = chunks.Values(0);
  const Floats variances = chunks.Values(1);
  const Floats work = chunks.Values(2);
  const float reciprocal = 1.0f / static_cast<float>(rows);
  while (chunks.Next()) {
    const uint32_t count = chunks.count();
    Fill(means, 0.0f, count);
    for (uint32_t row = 0; row < rows; ++row) {
      Both<Op::kAdd>(means, means, chunks.Load(src, row, 2), count);
    }
    Each<Op::kMuls>(means, means, count, reciprocal);
    Fill(variances, 0.0f, count);
    for (uint32_t row = 0; row < rows; ++row) {
      Both<Op::kSub>(work, chunks.Load(src, row, 2), means, count);
      Both<Op::kMul>(work, work, work, count);
      Both<Op::kAdd>(variances, variances, work, count);
    }
    Each<Op::kMuls>(variances, variances, count, reciprocal);
    Convert(mean[chunks.column()], means, count);
    Convert(variance[chunks.column()], variances, count);
    ReciprocalDeviation(variances, variances, work, epsilon, count);
    for (uint32_t row = 0; row < rows; ++row) {
      Both<Op::kSub>(work, chunks.Load(src, row, 2), means, count);
      Both<Op::kMul>(work, work, variances, count);
      WithRowValues<Op::kMul>(work, work, gammas[row * 8], 1, count);
      WithRowValues<Op::kAdd>(work, work, betas[row * 8], 1, count);
      Convert(dst[row * width + chunks.column()], work, count);
    }
  }
}

// Rows are the groups of all images.
template <typename T>
BELAY_API void GroupNormOfRows(Temporary temporary, const View<T>& dst,
                               const View<T>& mean, const View<T>& variance,
                               const View<T>& src, const View<T>& gamma,
                               const View<T>& beta, float epsilon,
                               const AscendC::tiling::GroupNormTiling& shape) {
  if (ASCEND_IS_AIC) return;
  static_assert(kIsNormType<T>, "GroupNorm takes half or float");
  RequireArgument(shape.g != 0 && shape.c % shape.g == 0, temporary.name(),
                  "the number of groups must divide the channels", shape.g);
  RequireArgument(shape.hw * sizeof(T) % 32 == 0, temporary.name(),
                  "H * W must be a whole number of 32-byte blocks in elements",
                  shape.hw);
  const uint32_t channels = shape.c / shape.g;  // of a group
  const uint32_t width = channels * shape.hw;
  temporary.Require(SpaceOfGroupNorm(width, shape.c).Bytes(1));
  const Floats gammas = AsBlocks(temporary, gamma, shape.c);
  const Floats betas = AsBlocks(temporary, beta, shape.c);
  RowChunks<T> chunks(temporary, shape.n * shape.g, width, width,
                      RowChunks<T>::Copies(2));
  const Floats means = chunks.Values(0);
  const Floats values = chunks.Values(1);
  const float reciprocal = 1.0f / static_cast<float>(width);
  while (chunks.Next()) {
    const Floats result = chunks.Target(dst, 0);
    CentreRows(chunks, result, chunks.Load(src, 0), chunks.Spare(), means,
               values, reciprocal);
    chunks.template Put<false>(mean, means);
    chunks.template Put<false>(variance, values);
    ReciprocalDeviation(values, values, chunks.Values(2), epsilon,
                        chunks.count());
    chunks.template Apply<Op::kMul>(result, result, chunks.Spread(values));
    // Channels count over an image; a chunk may hold parts of several.
    uint32_t channel = chunks.row() % shape.g * channels;
    uint32_t left = chunks.count() * channels;
    Floats at = result;
    while (left != 0) {
      const uint32_t rest = shape.c - channel;
      const uint32_t part = left < rest ? left : rest;
      WithRowValues<Op::kMul>(at, at, gammas[channel * 8], part, shape.hw);
      WithRowValues<Op::kAdd>(at, at, betas[channel * 8], part, shape.hw);
      at = at[part * shape.hw];
      left -= part;
      channel = 0;
    }
    chunks.Store(dst, result);
  }
}

}  // namespace belay::api

namespace AscendC {

template <typename T, bool isReuseSource = false, bool isBasicBlock = false>
BELAY_API void BatchNorm(const LocalTensor<T>& output,
                         const LocalTensor<T>& outputMean,
                         const LocalTensor<T>& outputVariance,
                         const LocalTensor<T>& inputX,
                         const LocalTensor<T>& gamm, const LocalTensor<T>& beta,
                         const LocalTensor<uint8_t>& sharedTmpBuffer,
                         const T epsilon, const BatchNormTiling& tiling) {
  belay::api::BatchNormOfColumns<T>(
      belay::api::Temporary("BatchNorm", sharedTmpBuffer), output, outputMean,
      outputVariance, inputX, gamm, beta, static_cast<float>(epsilon),
      tiling.originalBLength, tiling.meanVarSize);
}
template <typename T, bool isReuseSource = false, bool isBasicBlock = false>
BELAY_API void BatchNorm(const LocalTensor<T>& output,
                         const LocalTensor<T>& outputMean,
                         const LocalTensor<T>& outputVariance,
                         const LocalTensor<T>& inputX,
                         const LocalTensor<T>& gamm, const LocalTensor<T>& beta,
                         const T epsilon, const BatchNormTiling& tiling) {
  belay::api::BatchNormOfColumns<T>(belay::api::Temporary("BatchNorm"), output,
                                    outputMean, outputVariance, inputX, gamm,
                                    beta, static_cast<float>(epsilon),
                                    tiling.originalBLength, tiling.meanVarSize);
}

template <typename T, bool isReuseSource = false>
BELAY_API void GroupNorm(const LocalTensor<T>& output,
                         const LocalTensor<T>& outputMean,
                         const LocalTensor<T>& outputVariance,
                         const LocalTensor<T>& inputX,
                         const LocalTensor<T>& gamma,
                         const LocalTensor<T>& beta,
                         const LocalTensor<uint8_t>& sharedTmpBuffer,
                         const T epsilon, const GroupNormTiling& tiling) {
  belay::api::GroupNormOfRows<T>(
      belay::api::Temporary("GroupNorm", sharedTmpBuffer), output, outputMean,
      outputVariance, inputX, gamma, beta, static_cast<float>(epsilon), tiling);
}
template <typename T, bool isReuseSource = false>
BELAY_API void GroupNorm(const LocalTensor<T>& output,
                         const LocalTensor<T>& outputMean,
                         const LocalTensor<T>& outputVariance,
                         const LocalTensor<T>& inputX,
                         const LocalTensor<T>& gamma,
                         const LocalTensor<T>& beta, const T epsilon,
                         const GroupNormTiling& tiling) {
  belay::api::GroupNormOfRows<T>(belay::api::Temporary("GroupNorm"), output,
                                 outputMean, outputVariance, inputX, gamma,
                                 beta, static_cast<float>(epsilon), tiling);
}

}  // namespace AscendC

BELAY_KERNEL_CODE_END

#endif  // BELAY_ASCENDC_HIGH_LEVEL_NORMALIZATION_BATCH_NORM_H_
