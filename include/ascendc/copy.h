// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_COPY_H_
#define BELAY_ASCENDC_COPY_H_

// dst[i] = src[i] inside UB, by the vector unit.

#include "ascendc/issue.h"

BELAY_KERNEL_CODE_BEGIN

namespace AscendC {

struct CopyRepeatParams {
  BELAY_API constexpr CopyRepeatParams() {}
  BELAY_API constexpr CopyRepeatParams(uint16_t dst_block, uint16_t src_block,
                                       uint16_t dst_repeat, uint16_t src_repeat)
      : dstStride(dst_block),
        srcStride(src_block),
        dstRepeatSize(dst_repeat),
        srcRepeatSize(src_repeat) {}

  belay::api::Field<uint16_t> dstStride{1};
  belay::api::Field<uint16_t> srcStride{1};
  belay::api::Field<uint16_t> dstRepeatSize{8};
  belay::api::Field<uint16_t> srcRepeatSize{8};
};

}  // namespace AscendC

namespace belay::api {

template <typename T>
BELAY_API void IssueCopy(const AscendC::LocalTensor<T>& dst,
                         const AscendC::LocalTensor<T>& src, const Lanes& lanes,
                         const AscendC::CopyRepeatParams& params) {
  IssueUnary(Op::kCopy,
             OperandOf(dst, params.dstStride.Saturated(),
                       params.dstRepeatSize.Saturated()),
             OperandOf(src, params.srcStride.Saturated(),
                       params.srcRepeatSize.Saturated()),
             lanes);
}

}  // namespace belay::api

namespace AscendC {

template <typename T, bool isSetMask = true>
BELAY_API void Copy(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                    const uint64_t mask[], int64_t repeatTime,
                    const CopyRepeatParams& repeatParams) {
  belay::api::IssueCopy(
      dst, src,
      belay::api::MaskedLanes<isSetMask, belay::api::kBitsOf<PrimT<T>>>(
          mask, repeatTime),
      repeatParams);
}
template <typename T, bool isSetMask = true>
BELAY_API void Copy(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                    uint64_t mask, int64_t repeatTime,
                    const CopyRepeatParams& repeatParams) {
  belay::api::IssueCopy(dst, src,
                        belay::api::MaskedLanes<isSetMask>(mask, repeatTime),
                        repeatParams);
}

}  // namespace AscendC

BELAY_KERNEL_CODE_END

#endif  // BELAY_ASCENDC_COPY_H_
