// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_VECTOR_UNARY_H_
#define BELAY_ASCENDC_VECTOR_UNARY_H_

// dst[i] = f(src[i]): Abs, Exp, Ln, Not, Reciprocal, Relu, Rsqrt, Sqrt.

#include "ascendc/issue.h"

BELAY_KERNEL_CODE_BEGIN

namespace belay::api {

template <Op op, typename T>
BELAY_API void UnaryFirst(const AscendC::LocalTensor<T>& dst,
                          const AscendC::LocalTensor<T>& src, int64_t count) {
  IssueUnary(op, OperandOf(dst, 1, 8), OperandOf(src, 1, 8), FirstLanes(count));
}
template <Op op, typename T>
BELAY_API void UnaryLanes(const AscendC::LocalTensor<T>& dst,
                          const AscendC::LocalTensor<T>& src,
                          const Lanes& lanes,
                          const AscendC::UnaryRepeatParams& params) {
  IssueUnary(op, DstOf(dst, params), SrcOf(src, params), lanes);
}

}  // namespace belay::api

namespace AscendC {

// One operation in its three forms: the first `count` elements; the first
// `mask` lanes of each repeat; the lanes set in mask[].
#define BELAY_UNARY(name, first_types, first_words, lane_types, lane_words) \
  template <typename T>                                                     \
  BELAY_API void name(const LocalTensor<T>& dst, const LocalTensor<T>& src, \
                      int64_t count) {                                      \
    BELAY_TAKES(PrimT<T>, #name, first_types, first_words)                  \
    belay::api::UnaryFirst<belay::abi::Op::k##name>(dst, src, count);       \
  }                                                                         \
  template <typename T, bool isSetMask = true>                              \
  BELAY_API void name(const LocalTensor<T>& dst, const LocalTensor<T>& src, \
                      const uint64_t mask[], int64_t repeatTime,            \
                      const UnaryRepeatParams& repeatParams) {              \
    BELAY_TAKES(PrimT<T>, #name, lane_types, lane_words)                    \
    belay::api::UnaryLanes<belay::abi::Op::k##name>(                        \
        dst, src,                                                           \
        belay::api::MaskedLanes<isSetMask, belay::api::kBitsOf<PrimT<T>>>(  \
            mask, repeatTime),                                              \
        repeatParams);                                                      \
  }                                                                         \
  template <typename T, bool isSetMask = true>                              \
  BELAY_API void name(const LocalTensor<T>& dst, const LocalTensor<T>& src, \
                      uint64_t mask, int64_t repeatTime,                    \
                      const UnaryRepeatParams& repeatParams) {              \
    BELAY_TAKES(PrimT<T>, #name, lane_types, lane_words)                    \
    belay::api::UnaryLanes<belay::abi::Op::k##name>(                        \
        dst, src, belay::api::MaskedLanes<isSetMask>(mask, repeatTime),     \
        repeatParams);                                                      \
  }
#define BELAY_UNARY_BOTH(...) BELAY_UNARY(__VA_ARGS__)

BELAY_UNARY_BOTH(Abs, BELAY_INT16_HALF_FLOAT, BELAY_HALF_FLOAT)
BELAY_UNARY_BOTH(Exp, BELAY_HALF_FLOAT, BELAY_HALF_FLOAT)
BELAY_UNARY_BOTH(Ln, BELAY_HALF_FLOAT, BELAY_HALF_FLOAT)
BELAY_UNARY_BOTH(Not, BELAY_INT16_UINT16, BELAY_INT16_UINT16)
BELAY_UNARY_BOTH(Reciprocal, BELAY_HALF_FLOAT, BELAY_HALF_FLOAT)
BELAY_UNARY_BOTH(Relu, BELAY_HALF_INT32_FLOAT, BELAY_HALF_INT32_FLOAT)
BELAY_UNARY_BOTH(Rsqrt, BELAY_HALF_FLOAT, BELAY_HALF_FLOAT)
BELAY_UNARY_BOTH(Sqrt, BELAY_HALF_FLOAT, BELAY_HALF_FLOAT)

#undef BELAY_UNARY_BOTH
#undef BELAY_UNARY

}  // namespace AscendC

BELAY_KERNEL_CODE_END

#endif  // BELAY_ASCENDC_VECTOR_UNARY_H_
