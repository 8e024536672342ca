// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_FILL_H_
#define BELAY_ASCENDC_FILL_H_

// Values that do not come from memory, and one value into many places:
// CreateVecIndex, Duplicate and Brcb.

#include "ascendc/issue.h"

BELAY_KERNEL_CODE_BEGIN

namespace belay::api {

template <typename T>
BELAY_API void IssueFill(Op op, const Operand& dst, T value,
                         const Lanes& lanes) {
  Instruction record = Record(op, lanes);
  record.scalar = BitsOf(value);
  record.dst = dst;
  belay_issue(&record);
}

}  // namespace belay::api

namespace AscendC {

template <typename T>
BELAY_API void Duplicate(const LocalTensor<T>& dst, const T& scalarValue,
                         int64_t count) {
  BELAY_TAKES(PrimT<T>, "Duplicate", BELAY_16_32_BITS)
  belay::api::IssueFill(belay::abi::Op::kDuplicate,
                        belay::api::OperandOf(dst, 1, 8), scalarValue,
                        belay::api::FirstLanes(count));
}
template <typename T, bool isSetMask = true>
BELAY_API void Duplicate(const LocalTensor<T>& dst, const T& scalarValue,
                         const uint64_t mask[], int64_t repeatTime,
                         int64_t dstBlockStride, int64_t dstRepeatStride) {
  BELAY_TAKES(PrimT<T>, "Duplicate", BELAY_16_32_BITS)
  belay::api::IssueFill(
      belay::abi::Op::kDuplicate,
      belay::api::OperandOf(dst, belay::api::Saturate(dstBlockStride),
                            belay::api::Saturate(dstRepeatStride)),
      scalarValue,
      belay::api::MaskedLanes<isSetMask, belay::api::kBitsOf<PrimT<T>>>(
          mask, repeatTime));
}
template <typename T, bool isSetMask = true>
BELAY_API void Duplicate(const LocalTensor<T>& dst, const T& scalarValue,
                         uint64_t mask, int64_t repeatTime,
                         int64_t dstBlockStride, int64_t dstRepeatStride) {
  BELAY_TAKES(PrimT<T>, "Duplicate", BELAY_16_32_BITS)
  belay::api::IssueFill(
      belay::abi::Op::kDuplicate,
      belay::api::OperandOf(dst, belay::api::Saturate(dstBlockStride),
                            belay::api::Saturate(dstRepeatStride)),
      scalarValue, belay::api::MaskedLanes<isSetMask>(mask, repeatTime));
}

// firstValue, firstValue + 1, …
template <typename T>
BELAY_API void CreateVecIndex(const LocalTensor<T>& dst, const T& firstValue,
                              int64_t count) {
  BELAY_TAKES(PrimT<T>, "CreateVecIndex", BELAY_ARITHMETIC)
  belay::api::IssueFill(belay::abi::Op::kCreateVecIndex,
                        belay::api::OperandOf(dst, 1, 8), firstValue,
                        belay::api::FirstLanes(count));
}
template <typename T>
BELAY_API void CreateVecIndex(const LocalTensor<T>& dst, const T& firstValue,
                              const uint64_t mask[], int64_t repeatTime,
                              int64_t dstBlkStride, int64_t dstRepStride) {
  BELAY_TAKES(PrimT<T>, "CreateVecIndex", BELAY_ARITHMETIC)
  belay::api::IssueFill(
      belay::abi::Op::kCreateVecIndex,
      belay::api::OperandOf(dst, belay::api::Saturate(dstBlkStride),
                            belay::api::Saturate(dstRepStride)),
      firstValue,
      belay::api::MaskedLanes<true, belay::api::kBitsOf<PrimT<T>>>(mask,
                                                                   repeatTime));
}
template <typename T>
BELAY_API void CreateVecIndex(const LocalTensor<T>& dst, const T& firstValue,
                              uint64_t mask, int64_t repeatTime,
                              int64_t dstBlkStride, int64_t dstRepStride) {
  BELAY_TAKES(PrimT<T>, "CreateVecIndex", BELAY_ARITHMETIC)
  belay::api::IssueFill(
      belay::abi::Op::kCreateVecIndex,
      belay::api::OperandOf(dst, belay::api::Saturate(dstBlkStride),
                            belay::api::Saturate(dstRepStride)),
      firstValue, belay::api::MaskedLanes<true>(mask, repeatTime));
}

// Each repeat takes eight elements and fills a 32-byte block with each.
template <typename T>
BELAY_API void Brcb(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                    int64_t repeatTime, const BrcbRepeatParams& repeatParams) {
  belay::abi::Instruction record{};
  record.op = belay::abi::Op::kBrcb;
  record.form = belay::abi::Form::kRegister;
  record.repeat = belay::api::Saturate(repeatTime);
  record.dst = belay::api::OperandOf(dst, repeatParams.dstBlkStride.Saturated(),
                                     repeatParams.dstRepStride.Saturated());
  record.src0 = belay::api::OperandOf(src, 1, 1);
  belay_issue(&record);
}

}  // namespace AscendC

BELAY_KERNEL_CODE_END

#endif  // BELAY_ASCENDC_FILL_H_
