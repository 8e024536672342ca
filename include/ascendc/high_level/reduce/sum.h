// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_HIGH_LEVEL_REDUCE_SUM_H_
#define BELAY_ASCENDC_HIGH_LEVEL_REDUCE_SUM_H_

// Sum and Mean of each row. As documented, elements are added as a tree in
// their own type, Mean's in accType; the mean is divided in float.

#include "ascendc/high_level/float_rows.h"
#include "ascendc/high_level/reduce/reduce_space.h"
#include "ascendc/high_level/temporary.h"

BELAY_KERNEL_CODE_BEGIN

namespace belay::api {

// result[0] = the sum of `count` elements: each repeat as a tree, then the
// sums of repeats in the same way. Each of `sums` has room for one a repeat.
template <typename T>
BELAY_API void SumAsTree(const View<T>& result, const View<T>& src,
                         uint32_t count, const View<T> sums[2]) {
  constexpr uint32_t kPerRepeat = 256 / sizeof(T);
  View<T> from = src;
  for (int level = 0;; level ^= 1) {
    const uint32_t parts = (count + kPerRepeat - 1) / kPerRepeat;
    const View<T> to = parts == 1 ? result : sums[level];
    uint32_t repeats = 0;
    for (uint32_t part = 0; part < parts; part += repeats) {
      const uint32_t left = count - part * kPerRepeat;
      const uint32_t whole = left / kPerRepeat;
      repeats = whole == 0 ? 1 : whole < kMostRepeats ? whole : kMostRepeats;
      IssueUnary(Op::kWholeReduceSum, OperandOf(to[part], 1, 1),
                 OperandOf(from[part * kPerRepeat], 1, 8),
                 MaskedLanes<true>(whole == 0 ? left : kPerRepeat, repeats));
    }
    Settle();
    if (parts == 1) return;
    from = to;
    count = parts;
  }
}

// dst[r] = the sum of the first `columns` of row r.
template <typename T>
BELAY_API void SumOfRows(Temporary& temporary, const View<T>& dst,
                         const View<T>& src, uint32_t rows, uint32_t pitch,
                         uint32_t columns) {
  if (ASCEND_IS_AIC) return;
  temporary.Require(SpaceOfSum(columns, sizeof(T)));
  const uint32_t parts = (columns * sizeof(T) + 255) / 256;
  const View<T> sums[2] = {temporary.Take<T>(parts), temporary.Take<T>(parts)};
  for (uint32_t row = 0; row < rows; ++row) {
    SumAsTree<T>(dst[row], src[row * pitch], columns, sums);
  }
}

template <typename Params>
BELAY_API void RequireRows(const char* name, const Params& params,
                           uint32_t element) {
  RequireArgument(params.inner * element % 32 == 0, name,
                  "inner must be a whole number of 32-byte blocks in elements",
                  params.inner);
  RequireArgument(params.n >= 1 && params.n <= params.inner, name,
                  "n must lie between 1 and inner", params.n);
}

}  // namespace belay::api

namespace AscendC {

struct SumParams {
  uint32_t outter = 1;
  uint32_t inner;
  uint32_t n;
};
struct MeanParams {
  uint32_t outter = 1;
  uint32_t inner;
  uint32_t n;
};

}  // namespace AscendC

namespace belay::api {

template <typename T, typename Sum>
BELAY_API void MeanOfEachRow(Temporary temporary, const View<T>& dst,
                             const View<T>& src,
                             const AscendC::MeanParams& params) {
  if (ASCEND_IS_AIC) return;
  static_assert(sizeof(Sum) >= sizeof(T),
                "Mean: accType must not be narrower than the data");
  RequireRows(temporary.name(), params, sizeof(T));
  temporary.Require(SpaceOfMean(params.n, sizeof(T), sizeof(Sum)));
  const float reciprocal = 1.0f / static_cast<float>(params.n);
  const Floats mean = temporary.Take<float>(1);
  const View<Sum> sum = temporary.Take<Sum>(1);
  const uint32_t parts = (params.n * sizeof(Sum) + 255) / 256;
  const View<Sum> sums[2] = {temporary.Take<Sum>(parts),
                             temporary.Take<Sum>(parts)};
  View<Sum> data;
  if constexpr (!std::is_same_v<T, Sum>) data = temporary.Take<Sum>(params.n);
  for (uint32_t row = 0; row < params.outter; ++row) {
    if constexpr (std::is_same_v<T, Sum>) {
      data = src[row * params.inner];
    } else {
      Convert(data, src[row * params.inner], params.n);
    }
    SumAsTree<Sum>(sum, data, params.n, sums);
    Convert(mean, sum, 1);
    Each<Op::kMuls>(mean, mean, 1, reciprocal);
    const View<T> result = sum.template As<T>();
    Convert(result, mean, 1);
    IssueUnary(Op::kWholeReduceSum, OperandOf(dst[row], 1, 1),
               OperandOf(result, 1, 8), MaskedLanes<true>(1, 1));
    Settle();
  }
}

}  // namespace belay::api

namespace AscendC {

template <typename T, int32_t reduceDim = -1, bool isReuseSource = false,
          bool isBasicBlock = false>
BELAY_API void Sum(const LocalTensor<T>& dstTensor,
                   const LocalTensor<T>& srcTensor,
                   const LocalTensor<uint8_t>& sharedTmpBuffer,
                   const SumParams& sumParams) {
  BELAY_TAKES(PrimT<T>, "Sum", BELAY_HALF_FLOAT)
  belay::api::RequireRows("Sum", sumParams, sizeof(T));
  belay::api::Temporary temporary("Sum", sharedTmpBuffer);
  belay::api::SumOfRows<T>(temporary, dstTensor, srcTensor, sumParams.outter,
                           sumParams.inner, sumParams.n);
}
template <typename T, int32_t reduceDim = -1, bool isReuseSource = false,
          bool isBasicBlock = false>
BELAY_API void Sum(const LocalTensor<T>& dstTensor,
                   const LocalTensor<T>& srcTensor,
                   const SumParams& sumParams) {
  BELAY_TAKES(PrimT<T>, "Sum", BELAY_HALF_FLOAT)
  belay::api::RequireRows("Sum", sumParams, sizeof(T));
  belay::api::Temporary temporary("Sum");
  belay::api::SumOfRows<T>(temporary, dstTensor, srcTensor, sumParams.outter,
                           sumParams.inner, sumParams.n);
}

template <typename T, typename accType = T, bool isReuseSource = false,
          bool isBasicBlock = false, int32_t reduceDim = -1>
BELAY_API void Mean(const LocalTensor<T>& dstTensor,
                    const LocalTensor<T>& srcTensor,
                    const LocalTensor<uint8_t>& sharedTmpBuffer,
                    const MeanParams& meanParams) {
  BELAY_TAKES(PrimT<T>, "Mean", BELAY_HALF_FLOAT)
  belay::api::MeanOfEachRow<T, accType>(
      belay::api::Temporary("Mean", sharedTmpBuffer), dstTensor, srcTensor,
      meanParams);
}
template <typename T, typename accType = T, bool isReuseSource = false,
          bool isBasicBlock = false, int32_t reduceDim = -1>
BELAY_API void Mean(const LocalTensor<T>& dstTensor,
                    const LocalTensor<T>& srcTensor,
                    const MeanParams& meanParams) {
  BELAY_TAKES(PrimT<T>, "Mean", BELAY_HALF_FLOAT)
  belay::api::MeanOfEachRow<T, accType>(belay::api::Temporary("Mean"),
                                        dstTensor, srcTensor, meanParams);
}

}  // namespace AscendC

BELAY_KERNEL_CODE_END

#endif  // BELAY_ASCENDC_HIGH_LEVEL_REDUCE_SUM_H_
