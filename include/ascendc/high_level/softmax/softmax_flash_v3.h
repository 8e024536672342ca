// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_HIGH_LEVEL_SOFTMAX_SOFTMAX_FLASH_V3_H_
#define BELAY_ASCENDC_HIGH_LEVEL_SOFTMAX_SOFTMAX_FLASH_V3_H_

// SoftmaxFlashV3: softmax of rows that come in parts, with the means of eight
// parts of a row shifted to the mean of all before the exponential.

#include "ascendc/high_level/softmax/softmax_rows.h"

BELAY_KERNEL_CODE_BEGIN

namespace belay::api {

inline constexpr uint32_t kMeansOfRow = 8;

// Rows an instruction can step over: all, or one where rows are too long.
BELAY_API uint32_t RowsAtOnce(uint32_t width, uint32_t left) {
  const uint32_t most =
      width / kFloatsPerBlock <= kMostRepeats ? kMostRepeats : 1;
  return left < most ? left : most;
}

// means[r] = a block of the eight means of row r. The first 512 columns fall
// to the means in runs of 64, the others in runs of eight in turn. `fold` has
// room for 64 values a row.
BELAY_API void MeansOfParts(const Floats& means, const Floats& source,
                            const Floats& fold, uint32_t rows, uint32_t width) {
  constexpr uint32_t kFirst = kMeansOfRow * kFloatsPerRepeat;
  uint32_t count = 0;
  for (uint32_t row = 0; row < rows; row += count) {
    count = RowsAtOnce(width, rows - row);
    const uint32_t stride = count == 1 ? 8 : width / kFloatsPerBlock;
    const Floats sums = fold[row * kFloatsPerRepeat];
    for (uint32_t at = 0; at < kFirst; at += kFloatsPerRepeat) {
      IssueUnary(Op::kBlockReduceSum, OperandOf(sums[at / 8], 1, 8),
                 OperandOf(source[row * width + at], 1, stride),
                 MaskedLanes<true>(kFloatsPerRepeat, count));
    }
    Settle();
    for (uint32_t at = kFirst; at < width; at += kFloatsPerRepeat) {
      IssueBinary(Op::kAdd, OperandOf(sums, 1, 8), OperandOf(sums, 1, 8),
                  OperandOf(source[row * width + at], 1, stride),
                  MaskedLanes<true>(kFloatsPerRepeat, count));
      Settle();
    }
    IssueUnary(Op::kBlockReduceSum, OperandOf(means[row * kMeansOfRow], 1, 1),
               OperandOf(sums, 1, 8),
               MaskedLanes<true>(kFloatsPerRepeat, count));
  }
  Settle();
  Each<Op::kMuls>(means, means, rows * kMeansOfRow,
                  static_cast<float>(kMeansOfRow) / width);
}

// sums[r] = block r's sum.
BELAY_API void SumsOfBlocks(const Floats& sums, const Floats& blocks,
                            uint32_t rows) {
  for (uint32_t row = 0; row < rows; row += kMostRepeats) {
    const uint32_t left = rows - row;
    IssueUnary(Op::kWholeReduceSum, OperandOf(sums[row], 1, 1),
               OperandOf(blocks[row * 8], 1, 1),
               MaskedLanes<true>(8, left < kMostRepeats ? left : kMostRepeats));
  }
  Settle();
}

// source -= the shift of each eighth of a row; `shifts` has a block of eight a
// row.
BELAY_API void SubtractShifts(const Floats& source, const Floats& shifts,
                              const Floats& fold, uint32_t rows,
                              uint32_t width) {
  SpreadToBlocks(fold, shifts, rows * kMeansOfRow);
  const uint32_t part = width / kMeansOfRow;
  uint32_t count = 0;
  for (uint32_t row = 0; row < rows; row += count) {
    count = RowsAtOnce(width, rows - row);
    const uint32_t stride = count == 1 ? 8 : width / kFloatsPerBlock;
    for (uint32_t at = 0; at < width;) {
      const uint32_t left = part - at % part;
      const uint32_t mask = left < kFloatsPerRepeat ? left : kFloatsPerRepeat;
      const Floats piece = source[row * width + at];
      IssueBinary(Op::kSub, OperandOf(piece, 1, stride),
                  OperandOf(piece, 1, stride),
                  OperandOf(fold[(row * kMeansOfRow + at / part) * 8], 0, 8),
                  MaskedLanes<true>(mask, count));
      at += mask;
    }
  }
  Settle();
}

template <typename T, typename U>
struct FlashV3Values {
  View<U> mean;
  View<U> sum;
  View<U> max;
  View<T> exp_max;
  View<U> mean_before;
  View<U> sum_before;
  View<U> max_before;
};

template <bool isUpdate, typename T, typename U>
BELAY_API void FlashV3OfRows(Temporary temporary, const View<T>& dst,
                             const View<T>& src,
                             const FlashV3Values<T, U>& outside,
                             const AscendC::SoftMaxParams& params) {
  if (ASCEND_IS_AIC) return;
  static_assert(std::is_same_v<T, half> && std::is_same_v<U, float>,
                "SoftmaxFlashV3 takes half data and float values of rows");
  const char* name = temporary.name();
  const uint32_t width = params.srcK;
  RequireArgument(width >= 512 && width % 64 == 0, name,
                  "srcK must be a multiple of 64 and at least 512", width);
  RequireArgument(params.srcM % 8 == 0, name, "srcM must be a multiple of 8",
                  params.srcM);
  RequireArgument(params.oriSrcM == params.srcM && params.oriSrcK == width,
                  name, "oriSrcK must be srcK, and oriSrcM must be srcM",
                  params.oriSrcK);
  RequireArgument(params.splitMeanCnt == kMeansOfRow, name,
                  "splitMeanCnt must be 8", params.splitMeanCnt);
  RequireArgument(!isUpdate || params.loopCnt >= 1, name,
                  "loopCnt must be at least 1", params.loopCnt);
  const RowSpace space = SpaceOfSoftmaxV3(width);
  const uint32_t most = space.RowsIn(temporary.bytes(), params.srcM);
  if (most == 0) temporary.Require(space.Bytes(1));
  const Floats shifts = temporary.Take<float>(most * kMeansOfRow);
  RowChunks<T> chunks(temporary, params.srcM, width, width, kSoftmaxMatrices,
                      most);
  const float factor = params.alpha / (1.0f - params.alpha);
  const Floats max = chunks.Values(0);
  const Floats sum = chunks.Values(1);
  const Floats mean = chunks.Values(2);
  const Floats shift = chunks.Values(3);
  const Floats mean_before = chunks.Values(4);
  const Floats carried = chunks.Values(5);
  const Floats ratio = chunks.Values(6);
  while (chunks.Next()) {
    const uint32_t rows = chunks.count();
    const Floats data = chunks.Load(src, 0);
    MeansOfParts(shifts, data, chunks.fold(), rows, width);
    SumsOfBlocks(mean, shifts, rows);
    Each<Op::kMuls>(mean, mean, rows, 1.0f / kMeansOfRow);
    Both<Op::kSub>(shifts, chunks.Spread(mean), shifts, rows * kMeansOfRow);
    Each<Op::kMuls>(shifts, shifts, rows * kMeansOfRow, factor);
    SubtractShifts(data, shifts, chunks.fold(), rows, width);
    chunks.template Reduce<MaxOfRow>(max, data);
    if constexpr (isUpdate) {
      const float count = static_cast<float>(params.loopCnt);
      chunks.template Get<true>(mean_before, outside.mean_before);
      chunks.template Get<true>(ratio, outside.max_before);
      chunks.template Get<true>(carried, outside.sum_before);
      Each<Op::kMuls>(sum, mean_before, rows, count - 1.0f);
      Combine<Op::kAdd>(chunks, sum, sum, mean);
      Each<Op::kMuls>(sum, sum, rows, 1.0f / count);
      Combine<Op::kSub>(chunks, shift, mean, sum);
      Each<Op::kMuls>(shift, shift, rows, factor);
      Combine<Op::kSub>(chunks, mean_before, mean_before, sum);
      Each<Op::kMuls>(mean_before, mean_before, rows, factor);
      chunks.template Put<true>(outside.mean, sum);
      Combine<Op::kAdd>(chunks, max, max, shift);
      Combine<Op::kAdd>(chunks, ratio, ratio, mean_before);
      Combine<Op::kMax>(chunks, max, max, ratio);
      Combine<Op::kSub>(chunks, ratio, ratio, max);
      Each<Op::kExp>(ratio, ratio, rows);
      chunks.template Put<true>(outside.exp_max, ratio);
      Combine<Op::kMul>(chunks, carried, carried, ratio);
      chunks.template Put<true>(outside.max, max);
      Combine<Op::kSub>(chunks, max, max, shift);
    } else {
      chunks.template Put<true>(outside.mean, mean);
      chunks.template Put<true>(outside.max, max);
    }
    ExpOfDifference(chunks, data, data, max);
    chunks.template Reduce<SumOfRow>(sum, data);
    if constexpr (isUpdate) Combine<Op::kAdd>(chunks, sum, sum, carried);
    chunks.template Put<true>(outside.sum, sum);
    chunks.Store(dst, data);
  }
}

}  // namespace belay::api

namespace AscendC {

template <typename T, typename U, bool isUpdate = false,
          bool isReuseSource = false, bool isBasicBlock = false,
          bool isDataFormatNZ = false,
          const SoftmaxConfig& config = SOFTMAX_DEFAULT_CFG>
BELAY_API void SoftmaxFlashV3(
    const LocalTensor<T>& dstTensor, const LocalTensor<U>& meanTensor,
    const LocalTensor<U>& expSumTensor, const LocalTensor<U>& maxTensor,
    const LocalTensor<T>& srcTensor, const LocalTensor<T>& expMaxTensor,
    const LocalTensor<U>& inMeanTensor, const LocalTensor<U>& inExpSumTensor,
    const LocalTensor<U>& inMaxTensor,
    const LocalTensor<uint8_t>& sharedTmpBuffer, const SoftMaxTiling&,
    const SoftMaxParams& params) {
  belay::api::FlashV3OfRows<isUpdate, T, U>(
      belay::api::Temporary("SoftmaxFlashV3", sharedTmpBuffer), dstTensor,
      srcTensor,
      {meanTensor, expSumTensor, maxTensor, expMaxTensor, inMeanTensor,
       inExpSumTensor, inMaxTensor},
      params);
}
template <typename T, typename U, bool isUpdate = false,
          bool isReuseSource = false, bool isBasicBlock = false,
          bool isDataFormatNZ = false,
          const SoftmaxConfig& config = SOFTMAX_DEFAULT_CFG>
BELAY_API void SoftmaxFlashV3(
    const LocalTensor<T>& dstTensor, const LocalTensor<U>& meanTensor,
    const LocalTensor<U>& expSumTensor, const LocalTensor<U>& maxTensor,
    const LocalTensor<T>& srcTensor, const LocalTensor<T>& expMaxTensor,
    const LocalTensor<U>& inMeanTensor, const LocalTensor<U>& inExpSumTensor,
    const LocalTensor<U>& inMaxTensor, const SoftMaxTiling&,
    const SoftMaxParams& params) {
  belay::api::FlashV3OfRows<isUpdate, T, U>(
      belay::api::Temporary("SoftmaxFlashV3"), dstTensor, srcTensor,
      {meanTensor, expSumTensor, maxTensor, expMaxTensor, inMeanTensor,
       inExpSumTensor, inMaxTensor},
      params);
}

}  // namespace AscendC

BELAY_KERNEL_CODE_END

#endif  // BELAY_ASCENDC_HIGH_LEVEL_SOFTMAX_SOFTMAX_FLASH_V3_H_
