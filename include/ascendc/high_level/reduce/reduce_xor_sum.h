// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_HIGH_LEVEL_REDUCE_REDUCE_XOR_SUM_H_
#define BELAY_ASCENDC_HIGH_LEVEL_REDUCE_REDUCE_XOR_SUM_H_

// ReduceXorSum: the sum of src0 ^ src1, exact, saturated to int16_t. Elements
// are split at bit 7, so that both sums stay integers a float holds exactly.

#include "ascendc/high_level/reduce/reduce_space.h"
#include "ascendc/high_level/temporary.h"
#include "ascendc/high_level/view.h"

BELAY_KERNEL_CODE_BEGIN

namespace belay::api {

using Shorts = View<int16_t>;

// total[0] (+)= the sum of `values`; `work` and `part` are written over.
BELAY_API void AddShorts(const Floats& total, const Shorts& values,
                         const Floats& work, const Floats& part, uint32_t count,
                         bool is_first) {
  IssueUnary(Op::kCast, OperandOf(work, 1, 8), OperandOf(values, 1, 4),
             FirstLanes(count), 0,
             static_cast<uint8_t>(AscendC::RoundMode::CAST_NONE));
  Settle();
  IssueBinary(Op::kReduceSum, OperandOf(is_first ? total : part, 1, 8),
              OperandOf(work, 1, 8), OperandOf(part, 1, 8), FirstLanes(count));
  Settle();
  if (!is_first) Both<Op::kAdd>(total, total, part, 1);
}

BELAY_API void XorSumOf(Temporary temporary, const Shorts& dst,
                        const Shorts& src0, const Shorts& src1,
                        uint32_t count) {
  if (ASCEND_IS_AIC) return;
  constexpr int16_t kLowBits = 7;
  const RowSpace space = SpaceOfXorSum();
  temporary.Require(space.Bytes(count < 64 ? count : 64));
  const Floats high_total = temporary.Take<float>(8);
  const Floats low_total = temporary.Take<float>(8);
  const Floats part = temporary.Take<float>(8);
  const uint64_t fit = (temporary.bytes() - 96) / space.row;
  const uint32_t chunk =
      fit >= count ? count : static_cast<uint32_t>(fit / 64 * 64);
  const Shorts mixed = temporary.Take<int16_t>(chunk);
  const Shorts other = temporary.Take<int16_t>(chunk);
  const Floats work = temporary.Take<float>(chunk);
  for (uint32_t at = 0; at < count; at += chunk) {
    const uint32_t length = count - at < chunk ? count - at : chunk;
    Both<Op::kAnd>(mixed, src0[at], src1[at], length);
    Each<Op::kNot>(mixed, mixed, length);
    Both<Op::kOr>(other, src0[at], src1[at], length);
    Both<Op::kAnd>(mixed, mixed, other, length);
    Each<Op::kShiftRight>(other, mixed, length, kLowBits);
    AddShorts(high_total, other, work, part, length, at == 0);
    Each<Op::kShiftLeft>(other, other, length, kLowBits);
    Both<Op::kSub>(mixed, mixed, other, length);
    AddShorts(low_total, mixed, work, part, length, at == 0);
  }
  Each<Op::kMuls>(high_total, high_total, 1, static_cast<float>(1 << kLowBits));
  Both<Op::kAdd>(high_total, high_total, low_total, 1);
  Each<Op::kMins>(high_total, high_total, 1, 32767.0f);
  Each<Op::kMaxs>(high_total, high_total, 1, -32768.0f);
  IssueUnary(Op::kCast, OperandOf(dst, 1, 4), OperandOf(high_total, 1, 8),
             FirstLanes(1), 0,
             static_cast<uint8_t>(AscendC::RoundMode::CAST_RINT));
  Settle();
}

}  // namespace belay::api

namespace AscendC {

template <typename T, bool isReuseSource = false>
BELAY_API void ReduceXorSum(const LocalTensor<T>& dstTensor,
                            const LocalTensor<T>& src0Tensor,
                            const LocalTensor<T>& src1Tensor,
                            const LocalTensor<uint8_t>& sharedTmpBuffer,
                            const uint32_t calCount) {
  static_assert(std::is_same_v<T, int16_t>, "ReduceXorSum takes int16_t");
  belay::api::XorSumOf(belay::api::Temporary("ReduceXorSum", sharedTmpBuffer),
                       dstTensor, src0Tensor, src1Tensor, calCount);
}
template <typename T, bool isReuseSource = false>
BELAY_API void ReduceXorSum(const LocalTensor<T>& dstTensor,
                            const LocalTensor<T>& src0Tensor,
                            const LocalTensor<T>& src1Tensor,
                            const uint32_t calCount) {
  static_assert(std::is_same_v<T, int16_t>, "ReduceXorSum takes int16_t");
  belay::api::XorSumOf(belay::api::Temporary("ReduceXorSum"), dstTensor,
                       src0Tensor, src1Tensor, calCount);
}

}  // namespace AscendC

BELAY_KERNEL_CODE_END

#endif  // BELAY_ASCENDC_HIGH_LEVEL_REDUCE_REDUCE_XOR_SUM_H_
