// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_CAST_DEQUANT_H_
#define BELAY_ASCENDC_CAST_DEQUANT_H_

// Conversion by a scale that lies in a register: SetDeqScale, CastDequant.

#include "ascendc/issue.h"

BELAY_KERNEL_CODE_BEGIN

namespace belay::api {

BELAY_API void IssueDeqScale(uint64_t bits, uint8_t mode) {
  Instruction record{};
  record.op = Op::kSetDeqScale;
  record.mode = mode;
  record.scalar = bits;
  belay_issue(&record);
}

// Bit 0 of the record's mode: results go to the second half of each block;
// bit 1: the scales come from a tensor.
template <bool isVecDeq, bool halfBlock>
inline constexpr uint8_t kDequantMode =
    (halfBlock ? 1 : 0) | (isVecDeq ? 2 : 0);

template <typename T, typename U>
inline constexpr bool kCastDequantTakes =
    (kDTypeOf<T> == DType::kHalf && kDTypeOf<U> == DType::kInt32) ||
    ((kDTypeOf<T> == DType::kInt8 || kDTypeOf<T> == DType::kUint8) &&
     kDTypeOf<U> == DType::kInt16);

}  // namespace belay::api

namespace AscendC {

// For int32_t to half.
BELAY_API void SetDeqScale(half scale) {
  belay::api::IssueDeqScale(belay::api::BitsOf(static_cast<float>(scale)), 0);
}
// For int16_t to int8_t and uint8_t: the scale in bits 0 to 31, the offset in
// bits 37 to 45, the sign in bit 46.
BELAY_API void SetDeqScale(float scale, int16_t offset, bool signMode) {
  belay::api::IssueDeqScale(belay::api::BitsOf(scale) |
                                (static_cast<uint64_t>(offset) & 0x1ff) << 37 |
                                static_cast<uint64_t>(signMode) << 46,
                            1);
}

#define BELAY_CAST_DEQUANT(name)                                             \
  template <typename T, typename U, bool isVecDeq = true,                    \
            bool halfBlock = true>                                           \
  BELAY_API void name(const LocalTensor<T>& dst, const LocalTensor<U>& src,  \
                      int64_t count) {                                       \
    static_assert(belay::api::kCastDequantTakes<PrimT<T>, PrimT<U>>,         \
                  "AscendC::" #name                                          \
                  " on this chip takes int32_t to half and "                 \
                  "int16_t to int8_t or uint8_t");                           \
    constexpr uint32_t kWide = belay::api::kWidest<PrimT<T>, PrimT<U>>;      \
    belay::api::IssueUnary(                                                  \
        belay::abi::Op::kCastDequant, belay::api::DenseOperand<kWide>(dst),  \
        belay::api::DenseOperand<kWide>(src), belay::api::FirstLanes(count), \
        0, belay::api::kDequantMode<isVecDeq, halfBlock>);                   \
  }                                                                          \
  template <typename T, typename U, bool isSetMask = true,                   \
            bool isVecDeq = true, bool halfBlock = true>                     \
  BELAY_API void name(const LocalTensor<T>& dst, const LocalTensor<U>& src,  \
                      const uint64_t mask[], int64_t repeatTime,             \
                      const UnaryRepeatParams& repeatParams) {               \
    static_assert(belay::api::kCastDequantTakes<PrimT<T>, PrimT<U>>,         \
                  "AscendC::" #name                                          \
                  " on this chip takes int32_t to half and "                 \
                  "int16_t to int8_t or uint8_t");                           \
    constexpr uint32_t kWide = belay::api::kWidest<PrimT<T>, PrimT<U>>;      \
    belay::api::IssueUnary(                                                  \
        belay::abi::Op::kCastDequant, belay::api::DstOf(dst, repeatParams),  \
        belay::api::SrcOf(src, repeatParams),                                \
        belay::api::MaskedLanes<isSetMask, kWide>(mask, repeatTime), 0,      \
        belay::api::kDequantMode<isVecDeq, halfBlock>);                      \
  }                                                                          \
  template <typename T, typename U, bool isSetMask = true,                   \
            bool isVecDeq = true, bool halfBlock = true>                     \
  BELAY_API void name(const LocalTensor<T>& dst, const LocalTensor<U>& src,  \
                      int32_t mask, int64_t repeatTime,                      \
                      const UnaryRepeatParams& repeatParams) {               \
    static_assert(belay::api::kCastDequantTakes<PrimT<T>, PrimT<U>>,         \
                  "AscendC::" #name                                          \
                  " on this chip takes int32_t to half and "                 \
                  "int16_t to int8_t or uint8_t");                           \
    belay::api::IssueUnary(                                                  \
        belay::abi::Op::kCastDequant, belay::api::DstOf(dst, repeatParams),  \
        belay::api::SrcOf(src, repeatParams),                                \
        belay::api::MaskedLanes<isSetMask>(mask, repeatTime), 0,             \
        belay::api::kDequantMode<isVecDeq, halfBlock>);                      \
  }

BELAY_CAST_DEQUANT(CastDequant)
BELAY_CAST_DEQUANT(CastDeq)

#undef BELAY_CAST_DEQUANT

}  // namespace AscendC

BELAY_KERNEL_CODE_END

#endif  // BELAY_ASCENDC_CAST_DEQUANT_H_
