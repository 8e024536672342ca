// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_HIGH_LEVEL_NORMALIZATION_WELFORD_H_
#define BELAY_ASCENDC_HIGH_LEVEL_NORMALIZATION_WELFORD_H_

// Mean and variance of data that comes in parts: WelfordUpdate takes a part to
// running values for each place, WelfordFinalize these to one mean and one
// variance.

#include "ascendc/high_level/normalization/norm_rows.h"

BELAY_KERNEL_CODE_BEGIN

namespace belay::api {

// Elements done at a time.
BELAY_API uint32_t WelfordChunk(const Temporary& temporary,
                                const RowSpace& space, uint32_t length) {
  temporary.Require(space.Bytes(length < 64 ? length : 64));
  const uint64_t fit = (temporary.bytes() - space.fixed) / space.row;
  return fit >= length ? length : static_cast<uint32_t>(fit / 64 * 64);
}

template <bool isInplace, typename T>
BELAY_API void WelfordUpdateOf(Temporary temporary, const View<float>& mean,
                               const View<float>& variance,
                               const View<float>& mean_before,
                               const View<float>& variance_before,
                               const View<T>& x,
                               const AscendC::WelfordUpdateParam& para) {
  if (ASCEND_IS_AIC) return;
  static_assert(kIsNormType<T>, "WelfordUpdate takes half or float");
  const char* name = temporary.name();
  RequireArgument(para.rnLength == 1, name, "rnLength must be 1",
                  para.rnLength);
  RequireArgument(para.abLength * sizeof(T) % 32 == 0, name,
                  "abLength must be a whole number of 32-byte blocks in "
                  "elements",
                  para.abLength);
  const uint32_t length = para.abComputeLength;
  RequireArgument(length > 0 && length <= para.abLength, name,
                  "abComputeLength must lie between 1 and abLength", length);
  const uint32_t chunk =
      WelfordChunk(temporary, SpaceOfWelfordUpdate(), length);
  const Floats delta = temporary.Take<float>(chunk);
  const Floats change = temporary.Take<float>(chunk);
  const Floats converted = temporary.Take<float>(chunk);
  for (uint32_t at = 0; at < length; at += chunk) {
    const uint32_t left = length - at;
    const uint32_t count = left < chunk ? left : chunk;
    Floats data = converted;
    if constexpr (std::is_same_v<T, float>) {
      data = x[at];
    } else {
      Convert(data, x[at], count);
    }
    Both<Op::kSub>(delta, data, mean_before[at], count);
    Each<Op::kMuls>(change, delta, count, para.nRec);
    Both<Op::kAdd>(mean[at], mean_before[at], change, count);
    Both<Op::kSub>(change, data, mean[at], count);
    Both<Op::kMul>(change, change, delta, count);
    Both<Op::kAdd>(variance[at], variance_before[at], change, count);
  }
  if constexpr (isInplace) {
    // What lies beyond stays as it came: the rest of a block lane by lane.
    const uint32_t first = length / 8 * 8;
    const uint64_t skipped = (uint64_t{1} << (length - first)) - 1;
    for (uint32_t at = first; at < para.abLength; at += 64) {
      const uint32_t left = para.abLength - at;
      uint64_t lanes = left < 64 ? (uint64_t{1} << left) - 1 : ~uint64_t{0};
      if (at == first) lanes &= ~skipped;
      const uint64_t mask[2] = {lanes, 0};
      if (lanes == 0) continue;
      IssueUnary(Op::kMuls, OperandOf(mean[at], 1, 8),
                 OperandOf(mean_before[at], 1, 8),
                 MaskedLanes<true, 32>(mask, 1), BitsOf(1.0f));
      IssueUnary(Op::kMuls, OperandOf(variance[at], 1, 8),
                 OperandOf(variance_before[at], 1, 8),
                 MaskedLanes<true, 32>(mask, 1), BitsOf(1.0f));
    }
    Settle();
  }
}

// How much the values of each place count.
struct WelfordCounts {
  View<int32_t> counts;  // or, without an address, as follows
  uint32_t head = 0;
  uint32_t head_length = 0;
  uint32_t tail = 0;
};

// weights[0..count) = the counts of the places from `at` on.
BELAY_API void WeightsOf(const Floats& weights, const WelfordCounts& given,
                         uint32_t at, uint32_t count) {
  if (given.counts.address != 0) {
    IssueUnary(Op::kCast, OperandOf(weights, 1, 8),
               OperandOf(given.counts[at], 1, 8), FirstLanes(count), 0,
               static_cast<uint8_t>(AscendC::RoundMode::CAST_NONE));
    Settle();
    return;
  }
  Fill(weights, static_cast<float>(given.tail), count);
  if (at >= given.head_length) return;
  const uint32_t left = given.head_length - at;
  Fill(weights, static_cast<float>(given.head), left < count ? left : count);
}

// sum[0] (+)= the sum of `values`.
BELAY_API void SumUp(const Floats& sum, const Floats& values, uint32_t count,
                     bool is_first, const Floats& part) {
  IssueBinary(Op::kReduceSum, OperandOf(is_first ? sum : part, 1, 8),
              OperandOf(values, 1, 8), OperandOf(part, 1, 8),
              FirstLanes(count));
  Settle();
  if (!is_first) Both<Op::kAdd>(sum, sum, part, 1);
}

// mean = mean_factor * sum of weight * mean, variance = rRec * sum of variance
// + weight_factor * weight * (its mean - mean)^2; the rest of their blocks is
// zero.
BELAY_API void WelfordFinalizeOf(Temporary temporary, const Floats& mean,
                                 const Floats& variance,
                                 const Floats& mean_before,
                                 const Floats& variance_before,
                                 const WelfordCounts& counts, float mean_factor,
                                 float weight_factor,
                                 const AscendC::WelfordFinalizePara& para) {
  if (ASCEND_IS_AIC) return;
  const uint32_t length = para.abLength;
  RequireArgument(length % 8 == 0 && length > 0, temporary.name(),
                  "abLength must be a multiple of 8", length);
  const uint32_t chunk =
      WelfordChunk(temporary, SpaceOfWelfordFinalize(), length);
  const Floats part = temporary.Take<float>(8);
  const Floats blocks = temporary.Take<float>(64);
  const Floats work = temporary.Take<float>(chunk);
  const Floats weights = temporary.Take<float>(chunk);
  Fill(mean, 0.0f, 8);
  Fill(variance, 0.0f, 8);
  for (uint32_t at = 0; at < length; at += chunk) {
    const uint32_t left = length - at;
    const uint32_t count = left < chunk ? left : chunk;
    WeightsOf(weights, counts, at, count);
    Both<Op::kMul>(work, mean_before[at], weights, count);
    SumUp(mean, work, count, at == 0, part);
  }
  Each<Op::kMuls>(mean, mean, 1, mean_factor);
  SpreadToBlocks(blocks, mean, 1);
  for (uint32_t at = 0; at < length; at += chunk) {
    const uint32_t left = length - at;
    const uint32_t count = left < chunk ? left : chunk;
    WeightsOf(weights, counts, at, count);
    WithRowValues<Op::kSub>(work, mean_before[at], blocks, 1, count);
    Both<Op::kMul>(weights, weights, work, count);
    Both<Op::kMul>(work, work, weights, count);
    Each<Op::kMuls>(work, work, count, weight_factor);
    Both<Op::kAdd>(work, work, variance_before[at], count);
    SumUp(variance, work, count, at == 0, part);
  }
  Each<Op::kMuls>(variance, variance, 1, para.rRec);
}

// Without counts: the head's for head_length places and the tail's for the
// others, or, without a tail, rnLength for all.
BELAY_API void WelfordFinalizeByLengths(
    const Temporary& temporary, const Floats& mean, const Floats& variance,
    const Floats& mean_before, const Floats& variance_before,
    const AscendC::WelfordFinalizePara& para) {
  if (ASCEND_IS_AIC) return;
  RequireArgument(para.headCountLength + para.tailCountLength == para.abLength,
                  temporary.name(),
                  "headCountLength + tailCountLength must be abLength",
                  para.headCountLength + para.tailCountLength);
  RequireArgument(
      para.tailCount != 0 || para.tailCountLength == 0, temporary.name(),
      "tailCountLength must be 0 when tailCount is 0", para.tailCountLength);
  const bool has_tail = para.tailCountLength != 0;
  WelfordCounts counts;
  counts.head = has_tail ? para.headCount : 1;
  counts.head_length = para.headCountLength;
  counts.tail = para.tailCount;
  WelfordFinalizeOf(temporary, mean, variance, mean_before, variance_before,
                    counts, has_tail ? para.rRec : para.abRec,
                    has_tail ? 1.0f : static_cast<float>(para.rnLength), para);
}

}  // namespace belay::api

namespace AscendC {

template <typename T, typename U, bool isReuseSource = false,
          const WelfordUpdateConfig& config = WFUPDATE_DEFAULT_CFG>
BELAY_API void WelfordUpdate(const LocalTensor<U>& outputMean,
                             const LocalTensor<U>& outputVariance,
                             const LocalTensor<U>& inputMean,
                             const LocalTensor<U>& inputVariance,
                             const LocalTensor<T>& inputX,
                             const LocalTensor<uint8_t>& sharedTmpBuffer,
                             const WelfordUpdateParam& para) {
  static_assert(std::is_same_v<U, float>,
                "WelfordUpdate keeps mean and variance in float");
  belay::api::WelfordUpdateOf<config.isInplace, T>(
      belay::api::Temporary("WelfordUpdate", sharedTmpBuffer), outputMean,
      outputVariance, inputMean, inputVariance, inputX, para);
}
template <typename T, typename U, bool isReuseSource = false,
          const WelfordUpdateConfig& config = WFUPDATE_DEFAULT_CFG>
BELAY_API void WelfordUpdate(const LocalTensor<U>& outputMean,
                             const LocalTensor<U>& outputVariance,
                             const LocalTensor<U>& inputMean,
                             const LocalTensor<U>& inputVariance,
                             const LocalTensor<T>& inputX,
                             const WelfordUpdateParam& para) {
  static_assert(std::is_same_v<U, float>,
                "WelfordUpdate keeps mean and variance in float");
  belay::api::WelfordUpdateOf<config.isInplace, T>(
      belay::api::Temporary("WelfordUpdate"), outputMean, outputVariance,
      inputMean, inputVariance, inputX, para);
}

#define BELAY_WELFORD_COUNTED(...)                                         \
  static_assert(!config.isCorrection,                                      \
                "WelfordFinalize has no corrected variance on this chip"); \
  belay::api::WelfordCounts given;                                         \
  given.counts = counts;                                                   \
  belay::api::WelfordFinalizeOf(belay::api::Temporary(__VA_ARGS__),        \
                                outputMean, outputVariance, inputMean,     \
                                inputVariance, given, para.rRec, 1.0f, para);
template <bool isReuseSource = false,
          const WelfordFinalizeConfig& config = WFFINALIZE_DEFAULT_CFG>
BELAY_API void WelfordFinalize(const LocalTensor<float>& outputMean,
                               const LocalTensor<float>& outputVariance,
                               const LocalTensor<float>& inputMean,
                               const LocalTensor<float>& inputVariance,
                               const LocalTensor<int32_t>& counts,
                               const LocalTensor<uint8_t>& sharedTmpBuffer,
                               const WelfordFinalizePara& para) {
  BELAY_WELFORD_COUNTED("WelfordFinalize", sharedTmpBuffer)
}
template <bool isReuseSource = false,
          const WelfordFinalizeConfig& config = WFFINALIZE_DEFAULT_CFG>
BELAY_API void WelfordFinalize(const LocalTensor<float>& outputMean,
                               const LocalTensor<float>& outputVariance,
                               const LocalTensor<float>& inputMean,
                               const LocalTensor<float>& inputVariance,
                               const LocalTensor<int32_t>& counts,
                               const WelfordFinalizePara& para) {
  BELAY_WELFORD_COUNTED("WelfordFinalize")
}
#undef BELAY_WELFORD_COUNTED
template <bool isReuseSource = false,
          const WelfordFinalizeConfig& config = WFFINALIZE_DEFAULT_CFG>
BELAY_API void WelfordFinalize(const LocalTensor<float>& outputMean,
                               const LocalTensor<float>& outputVariance,
                               const LocalTensor<float>& inputMean,
                               const LocalTensor<float>& inputVariance,
                               const LocalTensor<uint8_t>& sharedTmpBuffer,
                               const WelfordFinalizePara& para) {
  static_assert(!config.isCorrection,
                "WelfordFinalize has no corrected variance on this chip");
  belay::api::WelfordFinalizeByLengths(
      belay::api::Temporary("WelfordFinalize", sharedTmpBuffer), outputMean,
      outputVariance, inputMean, inputVariance, para);
}
template <bool isReuseSource = false,
          const WelfordFinalizeConfig& config = WFFINALIZE_DEFAULT_CFG>
BELAY_API void WelfordFinalize(const LocalTensor<float>& outputMean,
                               const LocalTensor<float>& outputVariance,
                               const LocalTensor<float>& inputMean,
                               const LocalTensor<float>& inputVariance,
                               const WelfordFinalizePara& para) {
  static_assert(!config.isCorrection,
                "WelfordFinalize has no corrected variance on this chip");
  belay::api::WelfordFinalizeByLengths(belay::api::Temporary("WelfordFinalize"),
                                       outputMean, outputVariance, inputMean,
                                       inputVariance, para);
}

}  // namespace AscendC

BELAY_KERNEL_CODE_END

#endif  // BELAY_ASCENDC_HIGH_LEVEL_NORMALIZATION_WELFORD_H_
