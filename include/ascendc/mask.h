// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_MASK_H_
#define BELAY_ASCENDC_MASK_H_

// The mask register of vector instructions and its mode.

#include "ascendc/issue.h"

BELAY_KERNEL_CODE_BEGIN

namespace belay::api {

BELAY_API void IssueRegister(Op op) {
  Instruction record{};
  record.op = op;
  belay_issue(&record);
}

BELAY_API constexpr uint64_t LowBits(uint64_t count) {
  return count >= 64 ? ~uint64_t{0} : (uint64_t{1} << count) - 1;
}

}  // namespace belay::api

namespace AscendC {

BELAY_API void SetMaskCount() {
  belay::api::IssueRegister(belay::abi::Op::kSetMaskCount);
}
BELAY_API void SetMaskNorm() {
  belay::api::IssueRegister(belay::abi::Op::kSetMaskNorm);
}
BELAY_API void ResetMask() {
  belay::api::IssueRegister(belay::abi::Op::kResetMask);
}

// NORMAL: one bit per lane of a repeat. COUNTER: the low word is the number of
// elements of the whole instruction.
template <typename T, MaskMode mode = MaskMode::NORMAL>
BELAY_API void SetVectorMask(uint64_t maskHigh, uint64_t maskLow) {
  belay::abi::Instruction record{};
  record.op = belay::abi::Op::kSetVectorMask;
  record.form = mode == MaskMode::COUNTER ? belay::abi::Form::kCount
                                          : belay::abi::Form::kBitwise;
  record.mask[0] = maskLow;
  record.mask[1] = mode == MaskMode::COUNTER ? 0 : maskHigh;
  record.dst.dtype = belay::api::kDTypeOf<PrimT<T>>;
  belay_issue(&record);
}

// NORMAL: the first `len` lanes; the record carries `len` and the bits.
template <typename T, MaskMode mode = MaskMode::NORMAL>
BELAY_API void SetVectorMask(int32_t len) {
  const uint64_t count = len < 0 ? 0 : static_cast<uint64_t>(len);
  belay::abi::Instruction record{};
  record.op = belay::abi::Op::kSetVectorMask;
  if constexpr (mode == MaskMode::COUNTER) {
    record.form = belay::abi::Form::kCount;
    record.mask[0] = count;
  } else {
    record.form = belay::abi::Form::kContinuous;
    record.mask[0] = belay::api::LowBits(count);
    record.mask[1] = count > 64 ? belay::api::LowBits(count - 64) : 0;
  }
  record.count = count;
  record.dst.dtype = belay::api::kDTypeOf<PrimT<T>>;
  belay_issue(&record);
}

}  // namespace AscendC

BELAY_KERNEL_CODE_END

#endif  // BELAY_ASCENDC_MASK_H_
