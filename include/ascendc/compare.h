// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_COMPARE_H_
#define BELAY_ASCENDC_COMPARE_H_

// One bit per lane: Compare, Compares (CompareScalar), and the comparison
// register. Bits go to dst packed, lane 0 in the lowest.

#include "ascendc/issue.h"

BELAY_KERNEL_CODE_BEGIN

namespace belay::api {

// The same with a scalar instead of src1.
template <typename T>
BELAY_API void IssueCompareScalar(const Operand& dst, const Operand& src,
                                  T scalar, AscendC::CMPMODE mode,
                                  const Lanes& lanes) {
  IssueUnary(Op::kCompareScalar, dst, src, lanes, BitsOf(scalar),
             static_cast<uint8_t>(mode));
}

}  // namespace belay::api

namespace AscendC {

template <typename T, typename U>
BELAY_API void Compare(const LocalTensor<U>& dst, const LocalTensor<T>& src0,
                       const LocalTensor<T>& src1, CMPMODE cmpMode,
                       int64_t count) {
  BELAY_TAKES(PrimT<T>, "Compare", BELAY_HALF_INT32_FLOAT)
  belay::api::IssueBinary(
      belay::abi::Op::kCompare, belay::api::OperandOf(dst, 1, 8),
      belay::api::OperandOf(src0, 1, 8), belay::api::OperandOf(src1, 1, 8),
      belay::api::FirstLanes(count), static_cast<uint8_t>(cmpMode));
}
template <typename T, typename U, bool isSetMask = true>
BELAY_API void Compare(const LocalTensor<U>& dst, const LocalTensor<T>& src0,
                       const LocalTensor<T>& src1, CMPMODE cmpMode,
                       const uint64_t mask[], int64_t repeatTime,
                       const BinaryRepeatParams& repeatParams) {
  BELAY_TAKES(PrimT<T>, "Compare", BELAY_HALF_INT32_FLOAT)
  belay::api::IssueBinary(
      belay::abi::Op::kCompare, belay::api::DstOf(dst, repeatParams),
      belay::api::Src0Of(src0, repeatParams),
      belay::api::Src1Of(src1, repeatParams),
      belay::api::MaskedLanes<isSetMask, belay::api::kBitsOf<PrimT<T>>>(
          mask, repeatTime),
      static_cast<uint8_t>(cmpMode));
}
template <typename T, typename U, bool isSetMask = true>
BELAY_API void Compare(const LocalTensor<U>& dst, const LocalTensor<T>& src0,
                       const LocalTensor<T>& src1, CMPMODE cmpMode,
                       uint64_t mask, int64_t repeatTime,
                       const BinaryRepeatParams& repeatParams) {
  BELAY_TAKES(PrimT<T>, "Compare", BELAY_HALF_INT32_FLOAT)
  belay::api::IssueBinary(belay::abi::Op::kCompare,
                          belay::api::DstOf(dst, repeatParams),
                          belay::api::Src0Of(src0, repeatParams),
                          belay::api::Src1Of(src1, repeatParams),
                          belay::api::MaskedLanes<isSetMask>(mask, repeatTime),
                          static_cast<uint8_t>(cmpMode));
}

// One repeat into the comparison register.
template <typename T, bool isSetMask = true>
BELAY_API void Compare(const LocalTensor<T>& src0, const LocalTensor<T>& src1,
                       CMPMODE cmpMode, const uint64_t mask[],
                       const BinaryRepeatParams& repeatParams) {
  BELAY_TAKES(PrimT<T>, "Compare to the register", BELAY_HALF_FLOAT)
  belay::api::IssueBinary(
      belay::abi::Op::kCompareToMask, belay::abi::Operand{},
      belay::api::Src0Of(src0, repeatParams),
      belay::api::Src1Of(src1, repeatParams),
      belay::api::MaskedLanes<isSetMask, belay::api::kBitsOf<PrimT<T>>>(mask,
                                                                        1),
      static_cast<uint8_t>(cmpMode));
}
template <typename T, bool isSetMask = true>
BELAY_API void Compare(const LocalTensor<T>& src0, const LocalTensor<T>& src1,
                       CMPMODE cmpMode, uint64_t mask,
                       const BinaryRepeatParams& repeatParams) {
  BELAY_TAKES(PrimT<T>, "Compare to the register", BELAY_HALF_FLOAT)
  belay::api::IssueBinary(belay::abi::Op::kCompareToMask, belay::abi::Operand{},
                          belay::api::Src0Of(src0, repeatParams),
                          belay::api::Src1Of(src1, repeatParams),
                          belay::api::MaskedLanes<isSetMask>(mask, 1),
                          static_cast<uint8_t>(cmpMode));
}

// CompareScalar is the older name of Compares.
#define BELAY_COMPARE_SCALAR(name)                                           \
  template <typename T, typename U>                                          \
  BELAY_API void name(const LocalTensor<U>& dst, const LocalTensor<T>& src0, \
                      const T src1Scalar, CMPMODE cmpMode, int64_t count) {  \
    BELAY_TAKES(PrimT<T>, #name, BELAY_HALF_INT32_FLOAT)                     \
    belay::api::IssueCompareScalar(                                          \
        belay::api::OperandOf(dst, 1, 8), belay::api::OperandOf(src0, 1, 8), \
        src1Scalar, cmpMode, belay::api::FirstLanes(count));                 \
  }                                                                          \
  template <typename T, typename U, bool isSetMask = true>                   \
  BELAY_API void name(const LocalTensor<U>& dst, const LocalTensor<T>& src0, \
                      const T src1Scalar, CMPMODE cmpMode,                   \
                      const uint64_t mask[], int64_t repeatTime,             \
                      const UnaryRepeatParams& repeatParams) {               \
    BELAY_TAKES(PrimT<T>, #name, BELAY_HALF_INT32_FLOAT)                     \
    belay::api::IssueCompareScalar(                                          \
        belay::api::DstOf(dst, repeatParams),                                \
        belay::api::SrcOf(src0, repeatParams), src1Scalar, cmpMode,          \
        belay::api::MaskedLanes<isSetMask, belay::api::kBitsOf<PrimT<T>>>(   \
            mask, repeatTime));                                              \
  }                                                                          \
  template <typename T, typename U, bool isSetMask = true>                   \
  BELAY_API void name(const LocalTensor<U>& dst, const LocalTensor<T>& src0, \
                      const T src1Scalar, CMPMODE cmpMode, uint64_t mask,    \
                      int64_t repeatTime,                                    \
                      const UnaryRepeatParams& repeatParams) {               \
    BELAY_TAKES(PrimT<T>, #name, BELAY_HALF_INT32_FLOAT)                     \
    belay::api::IssueCompareScalar(                                          \
        belay::api::DstOf(dst, repeatParams),                                \
        belay::api::SrcOf(src0, repeatParams), src1Scalar, cmpMode,          \
        belay::api::MaskedLanes<isSetMask>(mask, repeatTime));               \
  }
BELAY_COMPARE_SCALAR(Compares)
BELAY_COMPARE_SCALAR(CompareScalar)
#undef BELAY_COMPARE_SCALAR

// The comparison register as 16 bytes of memory, and back.
template <typename T>
BELAY_API void GetCmpMask(const LocalTensor<T>& dst) {
  belay::abi::Instruction record{};
  record.op = belay::abi::Op::kGetCmpMask;
  record.dst = belay::api::OperandOf(dst, 1, 8);
  belay_issue(&record);
}
template <typename T>
BELAY_API void SetCmpMask(const LocalTensor<T>& src) {
  belay::abi::Instruction record{};
  record.op = belay::abi::Op::kSetCmpMask;
  record.src0 = belay::api::OperandOf(src, 1, 8);
  belay_issue(&record);
}

}  // namespace AscendC

BELAY_KERNEL_CODE_END

#endif  // BELAY_ASCENDC_COMPARE_H_
