// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_VECTOR_BINARY_H_
#define BELAY_ASCENDC_VECTOR_BINARY_H_

// dst[i] = f(src0[i], src1[i]): Add, AddRelu, And, Div, Max, Min, Mul, Or,
// Sub, SubRelu.

#include "ascendc/issue.h"

BELAY_KERNEL_CODE_BEGIN

namespace belay::api {

template <Op op, typename T>
BELAY_API void BinaryFirst(const AscendC::LocalTensor<T>& dst,
                           const AscendC::LocalTensor<T>& src0,
                           const AscendC::LocalTensor<T>& src1, int64_t count) {
  IssueBinary(op, OperandOf(dst, 1, 8), OperandOf(src0, 1, 8),
              OperandOf(src1, 1, 8), FirstLanes(count));
}
template <Op op, typename T>
BELAY_API void BinaryLanes(const AscendC::LocalTensor<T>& dst,
                           const AscendC::LocalTensor<T>& src0,
                           const AscendC::LocalTensor<T>& src1,
                           const Lanes& lanes,
                           const AscendC::BinaryRepeatParams& params) {
  IssueBinary(op, DstOf(dst, params), Src0Of(src0, params),
              Src1Of(src1, params), lanes);
}

}  // namespace belay::api

namespace AscendC {

// One operation in its three forms, as in vector_unary.h.
#define BELAY_BINARY(name, first_types, first_words, lane_types, lane_words)   \
  template <typename T>                                                        \
  BELAY_API void name(const LocalTensor<T>& dst, const LocalTensor<T>& src0,   \
                      const LocalTensor<T>& src1, int64_t count) {             \
    BELAY_TAKES(PrimT<T>, #name, first_types, first_words)                     \
    belay::api::BinaryFirst<belay::abi::Op::k##name>(dst, src0, src1, count);  \
  }                                                                            \
  template <typename T, bool isSetMask = true>                                 \
  BELAY_API void name(const LocalTensor<T>& dst, const LocalTensor<T>& src0,   \
                      const LocalTensor<T>& src1, const uint64_t mask[],       \
                      int64_t repeatTime,                                      \
                      const BinaryRepeatParams& repeatParams) {                \
    BELAY_TAKES(PrimT<T>, #name, lane_types, lane_words)                       \
    belay::api::BinaryLanes<belay::abi::Op::k##name>(                          \
        dst, src0, src1,                                                       \
        belay::api::MaskedLanes<isSetMask, belay::api::kBitsOf<PrimT<T>>>(     \
            mask, repeatTime),                                                 \
        repeatParams);                                                         \
  }                                                                            \
  template <typename T, bool isSetMask = true>                                 \
  BELAY_API void name(const LocalTensor<T>& dst, const LocalTensor<T>& src0,   \
                      const LocalTensor<T>& src1, uint64_t mask,               \
                      int64_t repeatTime,                                      \
                      const BinaryRepeatParams& repeatParams) {                \
    BELAY_TAKES(PrimT<T>, #name, lane_types, lane_words)                       \
    belay::api::BinaryLanes<belay::abi::Op::k##name>(                          \
        dst, src0, src1, belay::api::MaskedLanes<isSetMask>(mask, repeatTime), \
        repeatParams);                                                         \
  }
#define BELAY_BINARY_BOTH(...) BELAY_BINARY(__VA_ARGS__)

BELAY_BINARY_BOTH(Add, BELAY_ARITHMETIC, BELAY_ARITHMETIC)
BELAY_BINARY_BOTH(AddRelu, BELAY_INT16_HALF_FLOAT, BELAY_INT16_HALF_FLOAT)
BELAY_BINARY_BOTH(And, BELAY_ANY_TYPE, BELAY_INT16_UINT16)
BELAY_BINARY_BOTH(Div, BELAY_HALF_FLOAT, BELAY_HALF_FLOAT)
BELAY_BINARY_BOTH(Max, BELAY_ARITHMETIC, BELAY_ARITHMETIC)
BELAY_BINARY_BOTH(Min, BELAY_ARITHMETIC, BELAY_ARITHMETIC)
BELAY_BINARY_BOTH(Mul, BELAY_ARITHMETIC, BELAY_ARITHMETIC)
BELAY_BINARY_BOTH(Or, BELAY_ANY_TYPE, BELAY_INT16_UINT16)
BELAY_BINARY_BOTH(Sub, BELAY_ARITHMETIC, BELAY_ARITHMETIC)
BELAY_BINARY_BOTH(SubRelu, BELAY_INT16_HALF_FLOAT, BELAY_INT16_HALF_FLOAT)

#undef BELAY_BINARY_BOTH
#undef BELAY_BINARY

}  // namespace AscendC

BELAY_KERNEL_CODE_END

#endif  // BELAY_ASCENDC_VECTOR_BINARY_H_
