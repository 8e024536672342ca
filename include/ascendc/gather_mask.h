// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_GATHER_MASK_H_
#define BELAY_ASCENDC_GATHER_MASK_H_

// The elements of src whose bit is set, one after the other.

#include "ascendc/issue.h"

BELAY_KERNEL_CODE_BEGIN

namespace AscendC {

enum class GatherMaskMode : uint8_t { VERSION_V1 = 0, VERSION_V2 };
inline constexpr GatherMaskMode defaultGatherMaskMode =
    GatherMaskMode::VERSION_V2;

struct GatherMaskParams {
  BELAY_API constexpr GatherMaskParams() {}
  BELAY_API constexpr GatherMaskParams(uint8_t src0_block, uint16_t repeat,
                                       uint16_t src0_repeat,
                                       uint8_t src1_repeat)
      : src0BlockStride(src0_block),
        repeatTimes(repeat),
        src0RepeatStride(src0_repeat),
        src1RepeatStride(src1_repeat) {}

  belay::api::Field<uint8_t> src0BlockStride{1};
  belay::api::Field<uint16_t> repeatTimes{0};
  belay::api::Field<uint16_t> src0RepeatStride{0};
  belay::api::Field<uint8_t> src1RepeatStride{0};
};

}  // namespace AscendC

namespace belay::api {

// Returns how many elements were kept: the chip leaves the number in the
// record's scalar.
template <typename T>
BELAY_API uint64_t IssueGatherMask(const AscendC::LocalTensor<T>& dst,
                                   const AscendC::LocalTensor<T>& src,
                                   const Operand& bits, uint8_t pattern,
                                   bool by_mask, uint32_t mask,
                                   const AscendC::GatherMaskParams& params) {
  Instruction record{};
  record.op = Op::kGatherMask;
  record.form = Form::kRegister;
  record.repeat = params.repeatTimes.Saturated();
  record.count = mask;
  record.dst = OperandOf(dst, 1, 8);
  record.src0 = OperandOf(src, params.src0BlockStride.Saturated(),
                          params.src0RepeatStride.Saturated());
  record.src1 = bits;
  record.gather_mask.pattern = pattern;
  record.gather_mask.by_mask = by_mask ? 1 : 0;
  record.gather_mask.src1_repeat_stride = params.src1RepeatStride.Saturated();
  belay_issue(&record);
  return record.scalar;
}

}  // namespace belay::api

namespace AscendC {

template <typename T, typename U, GatherMaskMode mode = defaultGatherMaskMode>
BELAY_API void GatherMask(const LocalTensor<T>& dst, const LocalTensor<T>& src0,
                          const LocalTensor<U>& src1Pattern, bool reduceMode,
                          uint32_t mask,
                          const GatherMaskParams& gatherMaskParams,
                          uint64_t& rsvdCnt) {
  rsvdCnt = belay::api::IssueGatherMask(
      dst, src0,
      belay::api::OperandOf(src1Pattern, 1,
                            gatherMaskParams.src1RepeatStride.Saturated()),
      0, reduceMode, mask, gatherMaskParams);
}
// Patterns 1 to 7 are built in.
template <typename T, GatherMaskMode mode = defaultGatherMaskMode>
BELAY_API void GatherMask(const LocalTensor<T>& dst, const LocalTensor<T>& src0,
                          uint8_t src1Pattern, bool reduceMode, uint32_t mask,
                          const GatherMaskParams& gatherMaskParams,
                          uint64_t& rsvdCnt) {
  rsvdCnt =
      belay::api::IssueGatherMask(dst, src0, belay::abi::Operand{}, src1Pattern,
                                  reduceMode, mask, gatherMaskParams);
}

}  // namespace AscendC

BELAY_KERNEL_CODE_END

#endif  // BELAY_ASCENDC_GATHER_MASK_H_
