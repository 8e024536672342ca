// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_SELECT_H_
#define BELAY_ASCENDC_SELECT_H_

// dst[i] = bit[i] ? src0[i] : src1[i], or a scalar in place of src1.

#include "ascendc/issue.h"

BELAY_KERNEL_CODE_BEGIN

namespace belay::api {

BELAY_API void IssueSelect(const Operand& dst, const Operand& bits,
                           const Operand& src0, const Operand& src1,
                           uint64_t scalar, AscendC::SELMODE mode,
                           const Lanes& lanes) {
  Instruction record = Record(Op::kSelect, lanes);
  record.mode = static_cast<uint8_t>(mode);
  record.scalar = scalar;
  record.dst = dst;
  record.src0 = src0;
  record.src1 = src1;
  record.src2 = bits;
  belay_issue(&record);
}

}  // namespace belay::api

namespace AscendC {

// Two tensors.
template <typename T, typename U>
BELAY_API void Select(const LocalTensor<T>& dst, const LocalTensor<U>& selMask,
                      const LocalTensor<T>& src0, const LocalTensor<T>& src1,
                      SELMODE selMode, int64_t count) {
  BELAY_TAKES(PrimT<T>, "Select", BELAY_HALF_FLOAT)
  belay::api::IssueSelect(
      belay::api::OperandOf(dst, 1, 8), belay::api::OperandOf(selMask, 1, 8),
      belay::api::OperandOf(src0, 1, 8), belay::api::OperandOf(src1, 1, 8), 0,
      selMode, belay::api::FirstLanes(count));
}
template <typename T, typename U, bool isSetMask = true>
BELAY_API void Select(const LocalTensor<T>& dst, const LocalTensor<U>& selMask,
                      const LocalTensor<T>& src0, const LocalTensor<T>& src1,
                      SELMODE selMode, const uint64_t mask[],
                      int64_t repeatTime,
                      const BinaryRepeatParams& repeatParams) {
  BELAY_TAKES(PrimT<T>, "Select", BELAY_HALF_FLOAT)
  belay::api::IssueSelect(
      belay::api::DstOf(dst, repeatParams),
      belay::api::OperandOf(selMask, 1, 8),
      belay::api::Src0Of(src0, repeatParams),
      belay::api::Src1Of(src1, repeatParams), 0, selMode,
      belay::api::MaskedLanes<isSetMask, belay::api::kBitsOf<PrimT<T>>>(
          mask, repeatTime));
}
template <typename T, typename U, bool isSetMask = true>
BELAY_API void Select(const LocalTensor<T>& dst, const LocalTensor<U>& selMask,
                      const LocalTensor<T>& src0, const LocalTensor<T>& src1,
                      SELMODE selMode, uint64_t mask, int64_t repeatTime,
                      const BinaryRepeatParams& repeatParams) {
  BELAY_TAKES(PrimT<T>, "Select", BELAY_HALF_FLOAT)
  belay::api::IssueSelect(belay::api::DstOf(dst, repeatParams),
                          belay::api::OperandOf(selMask, 1, 8),
                          belay::api::Src0Of(src0, repeatParams),
                          belay::api::Src1Of(src1, repeatParams), 0, selMode,
                          belay::api::MaskedLanes<isSetMask>(mask, repeatTime));
}

// A tensor and a scalar.
template <typename T, typename U>
BELAY_API void Select(const LocalTensor<T>& dst, const LocalTensor<U>& selMask,
                      const LocalTensor<T>& src0, T src1, SELMODE selMode,
                      int64_t count) {
  BELAY_TAKES(PrimT<T>, "Select", BELAY_HALF_FLOAT)
  belay::api::IssueSelect(
      belay::api::OperandOf(dst, 1, 8), belay::api::OperandOf(selMask, 1, 8),
      belay::api::OperandOf(src0, 1, 8), belay::abi::Operand{},
      belay::api::BitsOf(src1), selMode, belay::api::FirstLanes(count));
}
template <typename T, typename U, bool isSetMask = true>
BELAY_API void Select(const LocalTensor<T>& dst, const LocalTensor<U>& selMask,
                      const LocalTensor<T>& src0, T src1, SELMODE selMode,
                      const uint64_t mask[], int64_t repeatTime,
                      const BinaryRepeatParams& repeatParams) {
  BELAY_TAKES(PrimT<T>, "Select", BELAY_HALF_FLOAT)
  belay::api::IssueSelect(
      belay::api::DstOf(dst, repeatParams),
      belay::api::OperandOf(selMask, 1, 8),
      belay::api::Src0Of(src0, repeatParams), belay::abi::Operand{},
      belay::api::BitsOf(src1), selMode,
      belay::api::MaskedLanes<isSetMask, belay::api::kBitsOf<PrimT<T>>>(
          mask, repeatTime));
}
template <typename T, typename U, bool isSetMask = true>
BELAY_API void Select(const LocalTensor<T>& dst, const LocalTensor<U>& selMask,
                      const LocalTensor<T>& src0, T src1, SELMODE selMode,
                      uint64_t mask, int64_t repeatTime,
                      const BinaryRepeatParams& repeatParams) {
  BELAY_TAKES(PrimT<T>, "Select", BELAY_HALF_FLOAT)
  belay::api::IssueSelect(belay::api::DstOf(dst, repeatParams),
                          belay::api::OperandOf(selMask, 1, 8),
                          belay::api::Src0Of(src0, repeatParams),
                          belay::abi::Operand{}, belay::api::BitsOf(src1),
                          selMode,
                          belay::api::MaskedLanes<isSetMask>(mask, repeatTime));
}

// What SetCmpMask put into the comparison register takes the missing part:
// here the scalar (the record's src1 has T's type and no address).
template <typename T, typename U>
BELAY_API void Select(const LocalTensor<T>& dst, const LocalTensor<U>& selMask,
                      const LocalTensor<T>& src0, int64_t repeatTime,
                      const BinaryRepeatParams& repeatParams) {
  BELAY_TAKES(PrimT<T>, "Select", BELAY_HALF_FLOAT)
  belay::abi::Operand scalar{};
  scalar.dtype = belay::api::kDTypeOf<PrimT<T>>;
  belay::api::IssueSelect(
      belay::api::DstOf(dst, repeatParams),
      belay::api::OperandOf(selMask, 1, 8),
      belay::api::Src0Of(src0, repeatParams), scalar, 0,
      SELMODE::VSEL_TENSOR_SCALAR_MODE,
      belay::api::MaskedLanes<false>(MASK_PLACEHOLDER, repeatTime));
}
// Here the bits, or in VSEL_TENSOR_TENSOR_MODE their address (the record's
// src2 has no address).
template <typename T, SELMODE selMode>
BELAY_API void Select(const LocalTensor<T>& dst, const LocalTensor<T>& src0,
                      const LocalTensor<T>& src1, int64_t repeatTime,
                      const BinaryRepeatParams& repeatParams) {
  BELAY_TAKES(PrimT<T>, "Select", BELAY_HALF_FLOAT)
  belay::api::IssueSelect(
      belay::api::DstOf(dst, repeatParams), belay::abi::Operand{},
      belay::api::Src0Of(src0, repeatParams),
      belay::api::Src1Of(src1, repeatParams), 0, selMode,
      belay::api::MaskedLanes<false>(MASK_PLACEHOLDER, repeatTime));
}

}  // namespace AscendC

BELAY_KERNEL_CODE_END

#endif  // BELAY_ASCENDC_SELECT_H_
