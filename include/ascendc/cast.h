// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_CAST_H_
#define BELAY_ASCENDC_CAST_H_

// dst[i] = convert(src[i]) by a round mode.

#include "ascendc/issue.h"

BELAY_KERNEL_CODE_BEGIN

namespace belay::api {

// Types a source type converts to; modes are checked when it runs.
BELAY_API constexpr uint32_t CastTargets(DType from) {
  switch (from) {
    case DType::kInt4:
    case DType::kInt8:
    case DType::kUint8:
      return kSetOf<DType::kHalf>;
    case DType::kInt16:
      return kSetOf<DType::kInt8, DType::kUint8, DType::kHalf, DType::kFloat>;
    case DType::kHalf:
      return kSetOf<DType::kInt4, DType::kInt8, DType::kUint8, DType::kInt16,
                    DType::kInt32, DType::kFloat>;
    case DType::kBfloat16:
      return kSetOf<DType::kInt32, DType::kFloat>;
    case DType::kInt32:
      return kSetOf<DType::kInt16, DType::kHalf, DType::kFloat, DType::kInt64>;
    case DType::kFloat:
      return kSetOf<DType::kInt16, DType::kHalf, DType::kBfloat16,
                    DType::kInt32, DType::kFloat, DType::kInt64>;
    case DType::kInt64:
      return kSetOf<DType::kInt32, DType::kFloat>;
    default:
      return 0;
  }
}

}  // namespace belay::api

namespace AscendC {

#define BELAY_REFUSE_CAST_(dtype, name, takes)                              \
  static_assert(belay::api::kDTypeOf<PrimT<U>> != belay::api::DType::dtype, \
                "AscendC::Cast does not convert " name                      \
                " to the type of dst on this chip: it converts " name       \
                " to " takes);
#define BELAY_CAST_TAKES                                                       \
  if constexpr (!belay::api::IsIn<PrimT<T>>(belay::api::CastTargets(           \
                    belay::api::kDTypeOf<PrimT<U>>))) {                        \
    BELAY_REFUSE_CAST_(kInt4, "int4b_t", "half")                               \
    BELAY_REFUSE_CAST_(kInt8, "int8_t", "half")                                \
    BELAY_REFUSE_CAST_(kUint8, "uint8_t", "half")                              \
    BELAY_REFUSE_CAST_(kInt16, "int16_t", "half or float")                     \
    BELAY_REFUSE_CAST_(kHalf, "half",                                          \
                       "int4b_t, int8_t, uint8_t, int16_t, int32_t or float")  \
    BELAY_REFUSE_CAST_(kBfloat16, "bfloat16_t", "int32_t or float")            \
    BELAY_REFUSE_CAST_(kInt32, "int32_t", "int16_t, half, float or int64_t")   \
    BELAY_REFUSE_CAST_(kFloat, "float",                                        \
                       "int16_t, half, bfloat16_t, int32_t, float or int64_t") \
    BELAY_REFUSE_CAST_(kInt64, "int64_t", "int32_t or float")                  \
    BELAY_REFUSE_CAST_(kNone, "this type", "nothing")                          \
    BELAY_REFUSE_CAST_(kBool, "bool", "nothing")                               \
    BELAY_REFUSE_CAST_(kUint16, "uint16_t", "nothing")                         \
    BELAY_REFUSE_CAST_(kUint32, "uint32_t", "nothing")                         \
    BELAY_REFUSE_CAST_(kUint64, "uint64_t", "nothing")                         \
    BELAY_REFUSE_CAST_(kDouble, "double", "nothing")                           \
  }

template <typename T, typename U>
BELAY_API void Cast(const LocalTensor<T>& dst, const LocalTensor<U>& src,
                    const RoundMode& roundMode, int64_t count) {
  BELAY_CAST_TAKES
  constexpr uint32_t kWide = belay::api::kWidest<PrimT<T>, PrimT<U>>;
  belay::api::IssueUnary(
      belay::abi::Op::kCast, belay::api::DenseOperand<kWide>(dst),
      belay::api::DenseOperand<kWide>(src), belay::api::FirstLanes(count), 0,
      static_cast<uint8_t>(roundMode));
}
template <typename T, typename U, bool isSetMask = true>
BELAY_API void Cast(const LocalTensor<T>& dst, const LocalTensor<U>& src,
                    const RoundMode& roundMode, const uint64_t mask[],
                    int64_t repeatTime, const UnaryRepeatParams& repeatParams) {
  BELAY_CAST_TAKES
  constexpr uint32_t kWide = belay::api::kWidest<PrimT<T>, PrimT<U>>;
  belay::api::IssueUnary(
      belay::abi::Op::kCast, belay::api::DstOf(dst, repeatParams),
      belay::api::SrcOf(src, repeatParams),
      belay::api::MaskedLanes<isSetMask, kWide>(mask, repeatTime), 0,
      static_cast<uint8_t>(roundMode));
}
template <typename T, typename U, bool isSetMask = true>
BELAY_API void Cast(const LocalTensor<T>& dst, const LocalTensor<U>& src,
                    const RoundMode& roundMode, uint64_t mask,
                    int64_t repeatTime, const UnaryRepeatParams& repeatParams) {
  BELAY_CAST_TAKES
  belay::api::IssueUnary(belay::abi::Op::kCast,
                         belay::api::DstOf(dst, repeatParams),
                         belay::api::SrcOf(src, repeatParams),
                         belay::api::MaskedLanes<isSetMask>(mask, repeatTime),
                         0, static_cast<uint8_t>(roundMode));
}

#undef BELAY_CAST_TAKES
#undef BELAY_REFUSE_CAST_

}  // namespace AscendC

BELAY_KERNEL_CODE_END

#endif  // BELAY_ASCENDC_CAST_H_
