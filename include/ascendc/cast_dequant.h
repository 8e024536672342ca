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

// The scale in bits 0 to 31, the offset in bits 37 to 45, the sign in bit 46.
BELAY_API uint64_t DequantWord(float scale, int16_t offset, bool is_signed) {
  return BitsOf(scale) | (static_cast<uint64_t>(offset) & 0x1ff) << 37 |
         static_cast<uint64_t>(is_signed) << 46;
}

// Blocks between the results of one repeat and the next: 8-bit results fill
// one half of as many blocks as the source has.
template <typename T>
inline constexpr uint32_t kDequantStride = kBitsOf<T> == 8 ? 8 : 4;

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
// For int16_t to int8_t and uint8_t.
BELAY_API void SetDeqScale(float scale, int16_t offset, bool signMode) {
  belay::api::IssueDeqScale(belay::api::DequantWord(scale, offset, signMode),
                            1);
}

inline constexpr int VDEQ_TENSOR_SIZE = 16;

struct VdeqInfo {
  VdeqInfo() = default;
  BELAY_API VdeqInfo(const float scales[VDEQ_TENSOR_SIZE],
                     const int16_t offsets[VDEQ_TENSOR_SIZE],
                     const bool signs[VDEQ_TENSOR_SIZE]) {
    for (int i = 0; i < VDEQ_TENSOR_SIZE; ++i) {
      vdeqScale[i] = scales[i];
      vdeqOffset[i] = offsets[i];
      vdeqSignMode[i] = signs[i];
    }
  }

  float vdeqScale[VDEQ_TENSOR_SIZE] = {};
  int16_t vdeqOffset[VDEQ_TENSOR_SIZE] = {};
  bool vdeqSignMode[VDEQ_TENSOR_SIZE] = {};
};

// The same with parameters for each lane of a block, which it puts into vdeq.
template <typename T>
BELAY_API void SetDeqScale(const LocalTensor<T>& vdeq,
                           const VdeqInfo& vdeqInfo) {
  for (int i = 0; i < VDEQ_TENSOR_SIZE; ++i) {
    vdeq.SetValue(i, static_cast<PrimT<T>>(belay::api::DequantWord(
                         vdeqInfo.vdeqScale[i], vdeqInfo.vdeqOffset[i],
                         vdeqInfo.vdeqSignMode[i])));
  }
  belay::api::IssueDeqScale(vdeq.GetPhyAddr(), 1);
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
        belay::abi::Op::kCastDequant,                                        \
        belay::api::OperandOf(dst, 1, belay::api::kDequantStride<PrimT<T>>), \
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
