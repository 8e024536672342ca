// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_REDUCE_H_
#define BELAY_ASCENDC_REDUCE_H_

// All lanes to one result: ReduceSum, ReduceMax, ReduceMin.

#include "ascendc/issue.h"

BELAY_KERNEL_CODE_BEGIN

namespace belay::api {

// The record's mode is 1 when the index is wanted beside the value.
template <Op op, typename T>
BELAY_API void ReduceLanes(const AscendC::LocalTensor<T>& dst,
                           const AscendC::LocalTensor<T>& src,
                           const AscendC::LocalTensor<T>& work,
                           const Lanes& lanes, int64_t repeat_stride,
                           bool is_index_wanted) {
  IssueBinary(op, OperandOf(dst, 1, 8),
              OperandOf(src, 1, Saturate(repeat_stride)), OperandOf(work, 1, 8),
              lanes, is_index_wanted ? 1 : 0);
}

}  // namespace belay::api

namespace AscendC {

template <typename T, bool isSetMask = true>
BELAY_API void ReduceSum(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                         const LocalTensor<T>& sharedTmpBuffer, int64_t count) {
  BELAY_TAKES(PrimT<T>, "ReduceSum", BELAY_HALF_FLOAT)
  belay::api::ReduceLanes<belay::abi::Op::kReduceSum>(
      dst, src, sharedTmpBuffer, belay::api::FirstLanes<isSetMask>(count), 8,
      false);
}
template <typename T>
BELAY_API void ReduceSum(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                         const LocalTensor<T>& sharedTmpBuffer,
                         const uint64_t mask[], int64_t repeatTime,
                         int64_t srcRepStride) {
  BELAY_TAKES(PrimT<T>, "ReduceSum", BELAY_HALF_FLOAT)
  belay::api::ReduceLanes<belay::abi::Op::kReduceSum>(
      dst, src, sharedTmpBuffer,
      belay::api::MaskedLanes<true, belay::api::kBitsOf<PrimT<T>>>(mask,
                                                                   repeatTime),
      srcRepStride, false);
}
template <typename T>
BELAY_API void ReduceSum(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                         const LocalTensor<T>& sharedTmpBuffer, int32_t mask,
                         int64_t repeatTime, int64_t srcRepStride) {
  BELAY_TAKES(PrimT<T>, "ReduceSum", BELAY_HALF_FLOAT)
  belay::api::ReduceLanes<belay::abi::Op::kReduceSum>(
      dst, src, sharedTmpBuffer,
      belay::api::MaskedLanes<true>(mask, repeatTime), srcRepStride, false);
}

// The extremum and, when asked for, the bits of its index after it.
#define BELAY_REDUCE_EXTREMUM(name)                                         \
  template <typename T>                                                     \
  BELAY_API void name(const LocalTensor<T>& dst, const LocalTensor<T>& src, \
                      const LocalTensor<T>& sharedTmpBuffer, int64_t count, \
                      bool calIndex = false) {                              \
    BELAY_TAKES(PrimT<T>, #name, BELAY_HALF_FLOAT)                          \
    belay::api::ReduceLanes<belay::abi::Op::k##name>(                       \
        dst, src, sharedTmpBuffer, belay::api::FirstLanes(count), 8,        \
        calIndex);                                                          \
  }                                                                         \
  template <typename T>                                                     \
  BELAY_API void name(const LocalTensor<T>& dst, const LocalTensor<T>& src, \
                      const LocalTensor<T>& sharedTmpBuffer,                \
                      const uint64_t mask[], int64_t repeatTime,            \
                      int64_t srcRepStride, bool calIndex = false) {        \
    BELAY_TAKES(PrimT<T>, #name, BELAY_HALF_FLOAT)                          \
    belay::api::ReduceLanes<belay::abi::Op::k##name>(                       \
        dst, src, sharedTmpBuffer,                                          \
        belay::api::MaskedLanes<true, belay::api::kBitsOf<PrimT<T>>>(       \
            mask, repeatTime),                                              \
        srcRepStride, calIndex);                                            \
  }                                                                         \
  template <typename T>                                                     \
  BELAY_API void name(const LocalTensor<T>& dst, const LocalTensor<T>& src, \
                      const LocalTensor<T>& sharedTmpBuffer, int32_t mask,  \
                      int64_t repeatTime, int64_t srcRepStride,             \
                      bool calIndex = false) {                              \
    BELAY_TAKES(PrimT<T>, #name, BELAY_HALF_FLOAT)                          \
    belay::api::ReduceLanes<belay::abi::Op::k##name>(                       \
        dst, src, sharedTmpBuffer,                                          \
        belay::api::MaskedLanes<true>(mask, repeatTime), srcRepStride,      \
        calIndex);                                                          \
  }
BELAY_REDUCE_EXTREMUM(ReduceMax)
BELAY_REDUCE_EXTREMUM(ReduceMin)
#undef BELAY_REDUCE_EXTREMUM

}  // namespace AscendC

BELAY_KERNEL_CODE_END

#endif  // BELAY_ASCENDC_REDUCE_H_
