// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_VECTOR_FUSED_H_
#define BELAY_ASCENDC_VECTOR_FUSED_H_

// Two steps in one instruction: FusedMulAdd, MulAddRelu, MulAddDst, MulCast,
// AddReluCast, SubReluCast, AddDeqRelu. Source and destination may differ in
// type.

#include "ascendc/issue.h"

BELAY_KERNEL_CODE_BEGIN

namespace belay::api {

template <Op op, typename T, typename U>
BELAY_API void FusedFirst(const AscendC::LocalTensor<T>& dst,
                          const AscendC::LocalTensor<U>& src0,
                          const AscendC::LocalTensor<U>& src1, int64_t count) {
  constexpr uint32_t kWide = kWidest<AscendC::PrimT<T>, AscendC::PrimT<U>>;
  IssueBinary(op, DenseOperand<kWide>(dst), DenseOperand<kWide>(src0),
              DenseOperand<kWide>(src1), FirstLanes(count));
}
template <Op op, typename T, typename U>
BELAY_API void FusedLanes(const AscendC::LocalTensor<T>& dst,
                          const AscendC::LocalTensor<U>& src0,
                          const AscendC::LocalTensor<U>& src1,
                          const Lanes& lanes,
                          const AscendC::BinaryRepeatParams& params) {
  IssueBinary(op, DstOf(dst, params), Src0Of(src0, params),
              Src1Of(src1, params), lanes);
}

// Whether T and U are just these two types.
template <typename T, typename U>
BELAY_API constexpr bool IsPair(DType to, DType from) {
  return kDTypeOf<T> == to && kDTypeOf<U> == from;
}

}  // namespace belay::api

namespace AscendC {

// One type throughout, in the three forms of vector_unary.h. `op` is what the
// record calls it.
#define BELAY_FUSED_SAME(name, op)                                             \
  template <typename T>                                                        \
  BELAY_API void name(const LocalTensor<T>& dst, const LocalTensor<T>& src0,   \
                      const LocalTensor<T>& src1, int64_t count) {             \
    BELAY_TAKES(PrimT<T>, #name, BELAY_HALF_FLOAT)                             \
    belay::api::FusedFirst<belay::abi::Op::op>(dst, src0, src1, count);        \
  }                                                                            \
  template <typename T, bool isSetMask = true>                                 \
  BELAY_API void name(const LocalTensor<T>& dst, const LocalTensor<T>& src0,   \
                      const LocalTensor<T>& src1, const uint64_t mask[],       \
                      int64_t repeatTime,                                      \
                      const BinaryRepeatParams& repeatParams) {                \
    BELAY_TAKES(PrimT<T>, #name, BELAY_HALF_FLOAT)                             \
    belay::api::FusedLanes<belay::abi::Op::op>(                                \
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
    BELAY_TAKES(PrimT<T>, #name, BELAY_HALF_FLOAT)                             \
    belay::api::FusedLanes<belay::abi::Op::op>(                                \
        dst, src0, src1, belay::api::MaskedLanes<isSetMask>(mask, repeatTime), \
        repeatParams);                                                         \
  }

BELAY_FUSED_SAME(FusedMulAdd, kFusedMulAdd)
BELAY_FUSED_SAME(FusedMulAddRelu, kFusedMulAddRelu)
BELAY_FUSED_SAME(MulAddRelu, kFusedMulAddRelu)

#undef BELAY_FUSED_SAME

// dst of type T from sources of type U.
#define BELAY_FUSED_PAIR(...) BELAY_FUSED_PAIR_IMPL(__VA_ARGS__)
#define BELAY_FUSED_PAIR_IMPL(name, takes, words, from, from_words)            \
  template <typename T, typename U>                                            \
  BELAY_API void name(const LocalTensor<T>& dst, const LocalTensor<U>& src0,   \
                      const LocalTensor<U>& src1, int64_t count) {             \
    BELAY_TAKES(PrimT<U>, #name, from, from_words)                             \
    static_assert(takes, "AscendC::" #name " on this chip takes " words);      \
    belay::api::FusedFirst<belay::abi::Op::k##name>(dst, src0, src1, count);   \
  }                                                                            \
  template <typename T, typename U, bool isSetMask = true>                     \
  BELAY_API void name(const LocalTensor<T>& dst, const LocalTensor<U>& src0,   \
                      const LocalTensor<U>& src1, const uint64_t mask[],       \
                      int64_t repeatTime,                                      \
                      const BinaryRepeatParams& repeatParams) {                \
    BELAY_TAKES(PrimT<U>, #name, from, from_words)                             \
    static_assert(takes, "AscendC::" #name " on this chip takes " words);      \
    constexpr uint32_t kWide = belay::api::kWidest<PrimT<T>, PrimT<U>>;        \
    belay::api::FusedLanes<belay::abi::Op::k##name>(                           \
        dst, src0, src1,                                                       \
        belay::api::MaskedLanes<isSetMask, kWide>(mask, repeatTime),           \
        repeatParams);                                                         \
  }                                                                            \
  template <typename T, typename U, bool isSetMask = true>                     \
  BELAY_API void name(const LocalTensor<T>& dst, const LocalTensor<U>& src0,   \
                      const LocalTensor<U>& src1, uint64_t mask,               \
                      int64_t repeatTime,                                      \
                      const BinaryRepeatParams& repeatParams) {                \
    BELAY_TAKES(PrimT<U>, #name, from, from_words)                             \
    static_assert(takes, "AscendC::" #name " on this chip takes " words);      \
    belay::api::FusedLanes<belay::abi::Op::k##name>(                           \
        dst, src0, src1, belay::api::MaskedLanes<isSetMask>(mask, repeatTime), \
        repeatParams);                                                         \
  }
#define BELAY_PAIR(to, from)                                     \
  (belay::api::IsPair<PrimT<T>, PrimT<U>>(belay::api::DType::to, \
                                          belay::api::DType::from))
#define BELAY_RELU_CAST_PAIRS                              \
  BELAY_PAIR(kInt8, kHalf) || BELAY_PAIR(kInt8, kInt16) || \
      BELAY_PAIR(kHalf, kFloat)

BELAY_FUSED_PAIR(AddDeqRelu, BELAY_PAIR(kHalf, kInt32), "int32_t to half",
                 belay::api::kSetOf<belay::api::DType::kInt32>, "int32_t")
BELAY_FUSED_PAIR(AddReluCast, BELAY_RELU_CAST_PAIRS,
                 "half or int16_t to int8_t, and float to half",
                 BELAY_INT16_HALF_FLOAT)
BELAY_FUSED_PAIR(SubReluCast, BELAY_RELU_CAST_PAIRS,
                 "half or int16_t to int8_t, and float to half",
                 BELAY_INT16_HALF_FLOAT)
BELAY_FUSED_PAIR(MulCast, BELAY_PAIR(kInt8, kHalf) || BELAY_PAIR(kUint8, kHalf),
                 "half to int8_t or uint8_t",
                 belay::api::kSetOf<belay::api::DType::kHalf>, "half")
BELAY_FUSED_PAIR(MulAddDst,
                 BELAY_PAIR(kHalf, kHalf) || BELAY_PAIR(kFloat, kFloat) ||
                     BELAY_PAIR(kFloat, kHalf),
                 "half to half, float to float, and half to float",
                 BELAY_HALF_FLOAT)

#undef BELAY_RELU_CAST_PAIRS
#undef BELAY_PAIR
#undef BELAY_FUSED_PAIR_IMPL
#undef BELAY_FUSED_PAIR

}  // namespace AscendC

BELAY_KERNEL_CODE_END

#endif  // BELAY_ASCENDC_VECTOR_FUSED_H_
