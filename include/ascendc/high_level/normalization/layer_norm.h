// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_HIGH_LEVEL_NORMALIZATION_LAYER_NORM_H_
#define BELAY_ASCENDC_HIGH_LEVEL_NORMALIZATION_LAYER_NORM_H_

// LayerNorm of [B, S, H] with mean and variance, and of [A, R] with mean and
// reciprocal deviation; DeepNorm, which adds two inputs first; Normalize,
// which is given mean and variance; RmsNorm.

#include "ascendc/high_level/normalization/norm_rows.h"
#include "ascendc/high_level/reduce/reduce_pattern.h"

BELAY_KERNEL_CODE_BEGIN

namespace belay::api {

template <typename T>
BELAY_API void RmsNormOfRows(Temporary temporary, const View<T>& dst,
                             const View<T>& src, const View<T>& gamma,
                             float epsilon, const NormShape& shape) {
  if (ASCEND_IS_AIC) return;
  static_assert(kIsNormType<T>, "RmsNorm takes half or float");
  temporary.Require(SpaceOfNorm(shape.width).Bytes(1));
  const Floats gammas = AsFloats(temporary, gamma, shape.width);
  RowChunks<T> chunks(temporary, shape.rows, shape.width, shape.columns,
                      RowChunks<T>::Copies(2));
  const Floats values = chunks.Values(0);
  const float reciprocal = 1.0f / static_cast<float>(shape.columns);
  while (chunks.Next()) {
    const Floats source = chunks.Load(src, 0);
    const Floats result = chunks.Target(dst, 0);
    const Floats squares = chunks.Spare();
    Both<Op::kMul>(squares, source, source, chunks.size());
    MeanOfRows(chunks, values, squares, reciprocal);
    ReciprocalDeviation(values, values, chunks.Values(1), epsilon,
                        chunks.count());
    chunks.template Apply<Op::kMul>(result, source, chunks.Spread(values));
    WithColumnValues<Op::kMul>(result, result, gammas, chunks.count(),
                               chunks.width());
    chunks.Store(dst, result);
  }
}

template <bool hasGamma, bool hasBeta, typename T, typename U>
BELAY_API void NormalizeRows(Temporary temporary, const View<T>& dst,
                             const View<float>& rstd, const View<float>& mean,
                             const View<float>& variance, const View<T>& src,
                             const View<U>& gamma, const View<U>& beta,
                             float epsilon, const NormShape& shape) {
  if (ASCEND_IS_AIC) return;
  static_assert(kIsNormType<T> && kIsNormType<U>,
                "Normalize takes half or float");
  temporary.Require(SpaceOfNorm(shape.width).Bytes(1));
  Floats gammas;
  Floats betas;
  if constexpr (hasGamma) gammas = AsFloats(temporary, gamma, shape.width);
  if constexpr (hasBeta) betas = AsFloats(temporary, beta, shape.width);
  RowChunks<T> chunks(temporary, shape.rows, shape.width, shape.columns,
                      RowChunks<T>::Copies(2));
  const Floats means = chunks.Values(0);
  const Floats rstds = chunks.Values(1);
  while (chunks.Next()) {
    const Floats source = chunks.Load(src, 0);
    const Floats result = chunks.Target(dst, 0);
    chunks.template Get<false>(means, mean);
    chunks.template Get<false>(rstds, variance);
    ReciprocalDeviation(rstds, rstds, chunks.Values(2), epsilon,
                        chunks.count());
    chunks.template Put<false>(rstd, rstds);
    chunks.template Apply<Op::kSub>(result, source, chunks.Spread(means));
    ScaleRows<hasGamma, hasBeta>(chunks, result, rstds, gammas, betas);
    chunks.Store(dst, result);
  }
}

}  // namespace belay::api

namespace AscendC {

template <typename T, bool isReuseSource = false>
BELAY_API void LayerNorm(const LocalTensor<T>& output,
                         const LocalTensor<T>& outputMean,
                         const LocalTensor<T>& outputVariance,
                         const LocalTensor<T>& inputX,
                         const LocalTensor<T>& gamma,
                         const LocalTensor<T>& beta,
                         const LocalTensor<uint8_t>& sharedTmpBuffer,
                         const T epsilon, const LayerNormTiling& tiling) {
  belay::api::NormOfRows<false, true, true, belay::api::NormOutput::kVariance,
                         T, T, T>(
      belay::api::Temporary("LayerNorm", sharedTmpBuffer), output, outputMean,
      outputVariance, inputX, inputX, gamma, beta, 1.0f,
      static_cast<float>(epsilon), belay::api::ShapeOfNorm(tiling));
}
template <typename T, bool isReuseSource = false>
BELAY_API void LayerNorm(const LocalTensor<T>& output,
                         const LocalTensor<T>& outputMean,
                         const LocalTensor<T>& outputVariance,
                         const LocalTensor<T>& inputX,
                         const LocalTensor<T>& gamma,
                         const LocalTensor<T>& beta, const T epsilon,
                         const LayerNormTiling& tiling) {
  belay::api::NormOfRows<false, true, true, belay::api::NormOutput::kVariance,
                         T, T, T>(
      belay::api::Temporary("LayerNorm"), output, outputMean, outputVariance,
      inputX, inputX, gamma, beta, 1.0f, static_cast<float>(epsilon),
      belay::api::ShapeOfNorm(tiling));
}

#define BELAY_LAYER_NORM_AR(...)                                          \
  static_assert(!config.isOnlyOutput && config.isOutputRstd,              \
                "LayerNorm on this chip gives all of y, mean and rstd");  \
  belay::api::NormOfRows<false, !config.isNoGamma, !config.isNoBeta,      \
                         belay::api::NormOutput::kRstd, T, U, float>(     \
      belay::api::Temporary(__VA_ARGS__), output, outputMean, outputRstd, \
      inputX, inputX, gamma, beta, 1.0f, epsilon,                         \
      {para.aLength, para.rLengthWithPadding, para.rLength});
template <typename U, typename T, bool isReuseSource = false,
          const LayerNormConfig& config = LNCFG_NORM>
BELAY_API void LayerNorm(
    const LocalTensor<T>& output, const LocalTensor<float>& outputMean,
    const LocalTensor<float>& outputRstd, const LocalTensor<T>& inputX,
    const LocalTensor<U>& gamma, const LocalTensor<U>& beta,
    const float epsilon, const LocalTensor<uint8_t>& sharedTmpBuffer,
    const LayerNormPara& para, const LayerNormSeparateTiling&) {
  BELAY_LAYER_NORM_AR("LayerNorm", sharedTmpBuffer)
}
template <typename U, typename T, bool isReuseSource = false,
          const LayerNormConfig& config = LNCFG_NORM>
BELAY_API void LayerNorm(const LocalTensor<T>& output,
                         const LocalTensor<float>& outputMean,
                         const LocalTensor<float>& outputRstd,
                         const LocalTensor<T>& inputX,
                         const LocalTensor<U>& gamma,
                         const LocalTensor<U>& beta, const float epsilon,
                         const LayerNormPara& para,
                         const LayerNormSeparateTiling&) {
  BELAY_LAYER_NORM_AR("LayerNorm")
}
#undef BELAY_LAYER_NORM_AR

// Like the card, rstdLocal gets the variance.
template <typename T, bool isReuseSrc = false, bool isBasicBlock = false>
BELAY_API void DeepNorm(
    const LocalTensor<T>& dstLocal, const LocalTensor<T>& meanLocal,
    const LocalTensor<T>& rstdLocal, const LocalTensor<T>& srcLocal,
    const LocalTensor<T>& gxLocal, const LocalTensor<T>& betaLocal,
    const LocalTensor<T>& gammaLocal,
    const LocalTensor<uint8_t>& sharedTmpBuffer, const T alpha, const T epsilon,
    const DeepNormTiling& tiling) {
  belay::api::NormOfRows<true, true, true, belay::api::NormOutput::kVariance, T,
                         T, T>(
      belay::api::Temporary("DeepNorm", sharedTmpBuffer), dstLocal, meanLocal,
      rstdLocal, srcLocal, gxLocal, gammaLocal, betaLocal,
      static_cast<float>(alpha), static_cast<float>(epsilon),
      belay::api::ShapeOfNorm(tiling));
}
template <typename T, bool isReuseSrc = false, bool isBasicBlock = false>
BELAY_API void DeepNorm(const LocalTensor<T>& dstLocal,
                        const LocalTensor<T>& meanLocal,
                        const LocalTensor<T>& rstdLocal,
                        const LocalTensor<T>& srcLocal,
                        const LocalTensor<T>& gxLocal,
                        const LocalTensor<T>& betaLocal,
                        const LocalTensor<T>& gammaLocal, const T alpha,
                        const T epsilon, const DeepNormTiling& tiling) {
  belay::api::NormOfRows<true, true, true, belay::api::NormOutput::kVariance, T,
                         T, T>(
      belay::api::Temporary("DeepNorm"), dstLocal, meanLocal, rstdLocal,
      srcLocal, gxLocal, gammaLocal, betaLocal, static_cast<float>(alpha),
      static_cast<float>(epsilon), belay::api::ShapeOfNorm(tiling));
}

template <typename T, bool isBasicBlock = false>
BELAY_API void RmsNorm(const LocalTensor<T>& dstLocal,
                       const LocalTensor<T>& srcLocal,
                       const LocalTensor<T>& gammaLocal,
                       const LocalTensor<uint8_t>& sharedTmpBuffer,
                       const T epsilon, const RmsNormTiling& tiling) {
  belay::api::RmsNormOfRows<T>(
      belay::api::Temporary("RmsNorm", sharedTmpBuffer), dstLocal, srcLocal,
      gammaLocal, static_cast<float>(epsilon), belay::api::ShapeOfNorm(tiling));
}
template <typename T, bool isBasicBlock = false>
BELAY_API void RmsNorm(const LocalTensor<T>& dstLocal,
                       const LocalTensor<T>& srcLocal,
                       const LocalTensor<T>& gammaLocal, const T epsilon,
                       const RmsNormTiling& tiling) {
  belay::api::RmsNormOfRows<T>(
      belay::api::Temporary("RmsNorm"), dstLocal, srcLocal, gammaLocal,
      static_cast<float>(epsilon), belay::api::ShapeOfNorm(tiling));
}

struct NormalizeConfig {
  ReducePattern reducePattern = ReducePattern::AR;
  int32_t aLength = -1;
  bool isNoBeta = false;
  bool isNoGamma = false;
  bool isOnlyOutput = false;
};
inline constexpr NormalizeConfig NLCFG_NORM = {ReducePattern::AR, -1, false,
                                               false, false};
inline constexpr NormalizeConfig NLCFG_NOBETA = {ReducePattern::AR, -1, true,
                                                 false, false};
inline constexpr NormalizeConfig NLCFG_NOGAMMA = {ReducePattern::AR, -1, false,
                                                  true, false};
inline constexpr NormalizeConfig NLCFG_NOOPT = {ReducePattern::AR, -1, true,
                                                true, false};

#define BELAY_NORMALIZE(...)                                             \
  static_assert(                                                         \
      config.reducePattern == ReducePattern::AR && !config.isOnlyOutput, \
      "Normalize reduces AR and gives both y and rstd");                 \
  belay::api::NormalizeRows<!config.isNoGamma, !config.isNoBeta, T, U>(  \
      belay::api::Temporary(__VA_ARGS__), output, outputRstd, inputMean, \
      inputVariance, inputX, gamma, beta, epsilon,                       \
      {para.aLength, para.rLengthWithPadding, para.rLength});
template <typename U, typename T, bool isReuseSource = false,
          const NormalizeConfig& config = NLCFG_NORM>
BELAY_API void Normalize(const LocalTensor<T>& output,
                         const LocalTensor<float>& outputRstd,
                         const LocalTensor<float>& inputMean,
                         const LocalTensor<float>& inputVariance,
                         const LocalTensor<T>& inputX,
                         const LocalTensor<U>& gamma,
                         const LocalTensor<U>& beta,
                         const LocalTensor<uint8_t>& sharedTmpBuffer,
                         const float epsilon, const NormalizePara& para) {
  BELAY_NORMALIZE("Normalize", sharedTmpBuffer)
}
template <typename U, typename T, bool isReuseSource = false,
          const NormalizeConfig& config = NLCFG_NORM>
BELAY_API void Normalize(const LocalTensor<T>& output,
                         const LocalTensor<float>& outputRstd,
                         const LocalTensor<float>& inputMean,
                         const LocalTensor<float>& inputVariance,
                         const LocalTensor<T>& inputX,
                         const LocalTensor<U>& gamma,
                         const LocalTensor<U>& beta, const float epsilon,
                         const NormalizePara& para) {
  BELAY_NORMALIZE("Normalize")
}
#undef BELAY_NORMALIZE

}  // namespace AscendC

BELAY_KERNEL_CODE_END

#endif  // BELAY_ASCENDC_HIGH_LEVEL_NORMALIZATION_LAYER_NORM_H_
