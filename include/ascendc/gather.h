// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_GATHER_H_
#define BELAY_ASCENDC_GATHER_H_

// dst[i] = the element, or 32-byte block, at base + offset[i] bytes of src.

#include "ascendc/issue.h"

BELAY_KERNEL_CODE_BEGIN

namespace belay::api {

template <typename T>
BELAY_API void IssueGather(const AscendC::LocalTensor<T>& dst,
                           const AscendC::LocalTensor<T>& src,
                           const AscendC::LocalTensor<uint32_t>& offsets,
                           uint32_t base, const Lanes& lanes,
                           int64_t dst_repeat_stride) {
  Instruction record = Record(Op::kGather, lanes);
  record.scalar = base;
  record.dst = OperandOf(dst, 1, Saturate(dst_repeat_stride));
  record.src0 = OperandOf(src, 1, 8);
  // One offset per lane, without gaps.
  record.src1 = DenseOperand<kBitsOf<AscendC::PrimT<T>>>(offsets);
  belay_issue(&record);
}

}  // namespace belay::api

namespace AscendC {

template <typename T>
BELAY_API void Gather(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                      const LocalTensor<uint32_t>& srcOffset,
                      uint32_t srcBaseAddr, int64_t count) {
  belay::api::IssueGather(dst, src, srcOffset, srcBaseAddr,
                          belay::api::FirstLanes(count), 8);
}
template <typename T>
BELAY_API void Gather(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                      const LocalTensor<uint32_t>& srcOffset,
                      uint32_t srcBaseAddr, const uint64_t mask[],
                      int64_t repeatTime, int64_t dstRepStride) {
  belay::api::IssueGather(
      dst, src, srcOffset, srcBaseAddr,
      belay::api::MaskedLanes<true, belay::api::kBitsOf<PrimT<T>>>(mask,
                                                                   repeatTime),
      dstRepStride);
}
template <typename T>
BELAY_API void Gather(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                      const LocalTensor<uint32_t>& srcOffset,
                      uint32_t srcBaseAddr, uint64_t mask, int64_t repeatTime,
                      int64_t dstRepStride) {
  belay::api::IssueGather(dst, src, srcOffset, srcBaseAddr,
                          belay::api::MaskedLanes<true>(mask, repeatTime),
                          dstRepStride);
}

// Eight blocks a repeat, each with an offset of its own.
template <typename T>
BELAY_API void Gatherb(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                       const LocalTensor<uint32_t>& offset, int64_t repeatTime,
                       const GatherRepeatParams& repeatParams) {
  BELAY_TAKES(PrimT<T>, "Gatherb",
              (belay::api::kSetOf<belay::api::DType::kUint16,
                                  belay::api::DType::kUint32>),
              "uint16_t or uint32_t")
  belay::abi::Instruction record{};
  record.op = belay::abi::Op::kGatherb;
  record.form = belay::abi::Form::kRegister;
  record.repeat = belay::api::Saturate(repeatTime);
  record.dst = belay::api::OperandOf(dst, repeatParams.dstBlkStride.Saturated(),
                                     repeatParams.dstRepStride.Saturated());
  record.src0 = belay::api::OperandOf(src, 1, 8);
  record.src1 = belay::api::OperandOf(offset, 1, 1);
  belay_issue(&record);
}

}  // namespace AscendC

BELAY_KERNEL_CODE_END

#endif  // BELAY_ASCENDC_GATHER_H_
