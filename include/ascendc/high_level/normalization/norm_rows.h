// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_HIGH_LEVEL_NORMALIZATION_NORM_ROWS_H_
#define BELAY_ASCENDC_HIGH_LEVEL_NORMALIZATION_NORM_ROWS_H_

// What the normalisation functions share: mean, variance and their use on a
// chunk of rows.

#include "ascendc/high_level/normalization/norm_tiling.h"
#include "ascendc/high_level/row_chunks.h"

BELAY_KERNEL_CODE_BEGIN

namespace belay::api {

template <typename T>
inline constexpr bool kIsNormType =
    std::is_same_v<T, half> || std::is_same_v<T, float>;

BELAY_API void Fill(const Floats& dst, float value, uint64_t count) {
  Instruction record = Record(Op::kDuplicate, FirstLanes(count));
  record.scalar = BitsOf(value);
  record.dst = OperandOf(dst, 1, 8);
  belay_issue(&record);
  Settle();
}

// `count` elements as float: themselves, or converted in temporary memory.
template <typename T>
BELAY_API Floats AsFloats(Temporary& temporary, const View<T>& values,
                          uint32_t count) {
  if constexpr (std::is_same_v<T, float>) {
    return values;
  } else {
    const Floats converted = temporary.Take<float>(count);
    Convert(converted, values, count);
    return converted;
  }
}

// A block of equal floats for each of `count` values.
template <typename T>
BELAY_API Floats AsBlocks(Temporary& temporary, const View<T>& values,
                          uint32_t count) {
  const Floats floats = AsFloats(temporary, values, count);
  const Floats blocks = temporary.Take<float>(RoundUp(count, 8) * 8);
  SpreadToBlocks(blocks, floats, count);
  return blocks;
}

// rstd = 1 / sqrt(variance + epsilon); `ones` is written over.
BELAY_API void ReciprocalDeviation(const Floats& rstd, const Floats& variance,
                                   const Floats& ones, float epsilon,
                                   uint64_t count) {
  Each<Op::kAdds>(rstd, variance, count, epsilon);
  Each<Op::kSqrt>(rstd, rstd, count);
  Fill(ones, 1.0f, count);
  Both<Op::kDiv>(rstd, ones, rstd, count);
}

// values = the mean of each row's data.
template <typename Chunks>
BELAY_API void MeanOfRows(Chunks& chunks, const Floats& values,
                          const Floats& matrix, float reciprocal) {
  chunks.template Reduce<SumOfRow>(values, matrix);
  Each<Op::kMuls>(values, values, chunks.count(), reciprocal);
}

// centred = source - mean, and each row's mean and variance. `squares` is
// written over; centred may be source.
template <typename Chunks>
BELAY_API void CentreRows(Chunks& chunks, const Floats& centred,
                          const Floats& source, const Floats& squares,
                          const Floats& mean, const Floats& variance,
                          float reciprocal) {
  MeanOfRows(chunks, mean, source, reciprocal);
  chunks.template Apply<Op::kSub>(centred, source, chunks.Spread(mean));
  Both<Op::kMul>(squares, centred, centred, chunks.size());
  MeanOfRows(chunks, variance, squares, reciprocal);
}

// rows *= rstd * gamma, += beta.
template <bool hasGamma, bool hasBeta, typename Chunks>
BELAY_API void ScaleRows(Chunks& chunks, const Floats& rows, const Floats& rstd,
                         const Floats& gamma, const Floats& beta) {
  chunks.template Apply<Op::kMul>(rows, rows, chunks.Spread(rstd));
  if constexpr (hasGamma) {
    WithColumnValues<Op::kMul>(rows, rows, gamma, chunks.count(),
                               chunks.width());
  }
  if constexpr (hasBeta) {
    WithColumnValues<Op::kAdd>(rows, rows, beta, chunks.count(),
                               chunks.width());
  }
}

struct NormShape {
  uint32_t rows;
  uint32_t width;
  uint32_t columns;
};
template <typename Tiling>
BELAY_API NormShape ShapeOfNorm(const Tiling& tiling) {
  return {
      tiling.bLength * tiling.sLength, tiling.hLength,
      tiling.originalHLength != 0 ? tiling.originalHLength : tiling.hLength};
}

// What is told of each row beside its mean.
enum class NormOutput { kVariance, kRstd };

// LayerNorm of alpha * src + more (DeepNorm), or of src alone. U is the type
// of gamma and beta, M that of what is told of each row.
template <bool isDeep, bool hasGamma, bool hasBeta, NormOutput output,
          typename T, typename U, typename M>
BELAY_API void NormOfRows(Temporary temporary, const View<T>& dst,
                          const View<M>& mean, const View<M>& other,
                          const View<T>& src, const View<T>& more,
                          const View<U>& gamma, const View<U>& beta,
                          float alpha, float epsilon, const NormShape& shape) {
  if (ASCEND_IS_AIC) return;
  static_assert(kIsNormType<T> && kIsNormType<U>,
                "normalisation takes half or float");
  temporary.Require(SpaceOfNorm(shape.width).Bytes(1));
  Floats gammas;
  Floats betas;
  if constexpr (hasGamma) gammas = AsFloats(temporary, gamma, shape.width);
  if constexpr (hasBeta) betas = AsFloats(temporary, beta, shape.width);
  RowChunks<T> chunks(temporary, shape.rows, shape.width, shape.columns,
                      RowChunks<T>::Copies(2));
  const Floats means = chunks.Values(0);
  const Floats variances = chunks.Values(1);
  const Floats rstds = chunks.Values(2);
  const float reciprocal = 1.0f / static_cast<float>(shape.columns);
  while (chunks.Next()) {
    Floats source = chunks.Load(src, 0);
    const Floats result = chunks.Target(dst, 0);
    if constexpr (isDeep) {
      Each<Op::kMuls>(result, source, chunks.size(), alpha);
      Both<Op::kAdd>(result, result, chunks.Load(more, 1), chunks.size());
      source = result;
    }
    CentreRows(chunks, result, source, chunks.Spare(), means, variances,
               reciprocal);
    ReciprocalDeviation(rstds, variances, chunks.Values(3), epsilon,
                        chunks.count());
    chunks.template Put<false>(mean, means);
    chunks.template Put<false>(
        other, output == NormOutput::kVariance ? variances : rstds);
    ScaleRows<hasGamma, hasBeta>(chunks, result, rstds, gammas, betas);
    chunks.Store(dst, result);
  }
}

}  // namespace belay::api

BELAY_KERNEL_CODE_END

#endif  // BELAY_ASCENDC_HIGH_LEVEL_NORMALIZATION_NORM_ROWS_H_
