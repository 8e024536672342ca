// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_VECTOR_SCALAR_H_
#define BELAY_ASCENDC_VECTOR_SCALAR_H_

// dst[i] = f(src[i], scalar): Adds, LeakyRelu, Maxs, Mins, Muls, ShiftLeft,
// ShiftRight, and Axpy, which adds to dst[i]. The scalar must have exactly
// the element's type.

#include "ascendc/issue.h"

BELAY_KERNEL_CODE_BEGIN

namespace belay::api {

template <Op op, bool isSetMask, typename T, typename U>
BELAY_API void ScalarFirst(const AscendC::LocalTensor<T>& dst,
                           const AscendC::LocalTensor<U>& src,
                           const AscendC::PrimT<U>& scalar, int64_t count) {
  constexpr uint32_t kWide = kWidest<AscendC::PrimT<T>, AscendC::PrimT<U>>;
  IssueUnary(op, DenseOperand<kWide>(dst), DenseOperand<kWide>(src),
             FirstLanes<isSetMask>(count), BitsOf(scalar));
}
template <Op op, typename T, typename U>
BELAY_API void ScalarLanes(const AscendC::LocalTensor<T>& dst,
                           const AscendC::LocalTensor<U>& src,
                           const AscendC::PrimT<U>& scalar, const Lanes& lanes,
                           const AscendC::UnaryRepeatParams& params,
                           uint8_t mode = 0) {
  IssueUnary(op, DstOf(dst, params), SrcOf(src, params), lanes, BitsOf(scalar),
             mode);
}

// Axpy multiplies in src's type and adds in that or in float.
template <typename T, typename U>
inline constexpr bool kAxpyAdds =
    kDTypeOf<T> == kDTypeOf<U> || kDTypeOf<T> == DType::kFloat;

}  // namespace belay::api

namespace AscendC {

// One operation in its three forms, as in vector_unary.h. `extra` is a further
// parameter of the mask forms, `mode` what it means to the record.
#define BELAY_SCALAR(name, types, words, extra, mode)                          \
  template <typename T, bool isSetMask = true>                                 \
  BELAY_API void name(const LocalTensor<T>& dst, const LocalTensor<T>& src,    \
                      const T& scalarValue, int64_t count) {                   \
    BELAY_TAKES(PrimT<T>, #name, types, words)                                 \
    belay::api::ScalarFirst<belay::abi::Op::k##name, isSetMask>(               \
        dst, src, scalarValue, count);                                         \
  }                                                                            \
  template <typename T, bool isSetMask = true>                                 \
  BELAY_API void name(const LocalTensor<T>& dst, const LocalTensor<T>& src,    \
                      const T& scalarValue, const uint64_t mask[],             \
                      int64_t repeatTime,                                      \
                      const UnaryRepeatParams& repeatParams extra) {           \
    BELAY_TAKES(PrimT<T>, #name, types, words)                                 \
    belay::api::ScalarLanes<belay::abi::Op::k##name>(                          \
        dst, src, scalarValue,                                                 \
        belay::api::MaskedLanes<isSetMask, belay::api::kBitsOf<PrimT<T>>>(     \
            mask, repeatTime),                                                 \
        repeatParams, mode);                                                   \
  }                                                                            \
  template <typename T, bool isSetMask = true>                                 \
  BELAY_API void name(const LocalTensor<T>& dst, const LocalTensor<T>& src,    \
                      const T& scalarValue, uint64_t mask, int64_t repeatTime, \
                      const UnaryRepeatParams& repeatParams extra) {           \
    BELAY_TAKES(PrimT<T>, #name, types, words)                                 \
    belay::api::ScalarLanes<belay::abi::Op::k##name>(                          \
        dst, src, scalarValue,                                                 \
        belay::api::MaskedLanes<isSetMask>(mask, repeatTime), repeatParams,    \
        mode);                                                                 \
  }
#define BELAY_SCALAR_PLAIN(...) BELAY_SCALAR(__VA_ARGS__, , 0)
#define BELAY_COMMA_ROUND , bool roundEn = false
#define BELAY_SCALAR_ROUND(...) BELAY_SCALAR_ROUND_IMPL(__VA_ARGS__)
#define BELAY_SCALAR_ROUND_IMPL(name, types, words) \
  BELAY_SCALAR(name, types, words, BELAY_COMMA_ROUND, roundEn ? 1 : 0)

BELAY_SCALAR_PLAIN(Adds, BELAY_ARITHMETIC)
BELAY_SCALAR_PLAIN(LeakyRelu, BELAY_HALF_FLOAT)
BELAY_SCALAR_PLAIN(Maxs, BELAY_ARITHMETIC)
BELAY_SCALAR_PLAIN(Mins, BELAY_ARITHMETIC)
BELAY_SCALAR_PLAIN(Muls, BELAY_ARITHMETIC)
BELAY_SCALAR_PLAIN(ShiftLeft, BELAY_INTEGERS)
BELAY_SCALAR_ROUND(ShiftRight, BELAY_INTEGERS)

#undef BELAY_SCALAR_ROUND_IMPL
#undef BELAY_SCALAR_ROUND
#undef BELAY_COMMA_ROUND
#undef BELAY_SCALAR_PLAIN
#undef BELAY_SCALAR

template <typename T, typename U>
BELAY_API void Axpy(const LocalTensor<T>& dst, const LocalTensor<U>& src,
                    const U& scalarValue, int64_t count) {
  BELAY_TAKES(PrimT<U>, "Axpy", BELAY_HALF_FLOAT)
  static_assert(belay::api::kAxpyAdds<PrimT<T>, PrimT<U>>,
                "AscendC::Axpy: dst must have the type of src, or be float "
                "where src is half");
  belay::api::ScalarFirst<belay::abi::Op::kAxpy, true>(dst, src, scalarValue,
                                                       count);
}
template <typename T, typename U, bool isSetMask = true>
BELAY_API void Axpy(const LocalTensor<T>& dst, const LocalTensor<U>& src,
                    const U& scalarValue, const uint64_t mask[],
                    int64_t repeatTime, const UnaryRepeatParams& repeatParams) {
  BELAY_TAKES(PrimT<U>, "Axpy", BELAY_HALF_FLOAT)
  static_assert(belay::api::kAxpyAdds<PrimT<T>, PrimT<U>>,
                "AscendC::Axpy: dst must have the type of src, or be float "
                "where src is half");
  constexpr uint32_t kWide = belay::api::kWidest<PrimT<T>, PrimT<U>>;
  belay::api::ScalarLanes<belay::abi::Op::kAxpy>(
      dst, src, scalarValue,
      belay::api::MaskedLanes<isSetMask, kWide>(mask, repeatTime),
      repeatParams);
}
template <typename T, typename U, bool isSetMask = true>
BELAY_API void Axpy(const LocalTensor<T>& dst, const LocalTensor<U>& src,
                    const U& scalarValue, uint64_t mask, int64_t repeatTime,
                    const UnaryRepeatParams& repeatParams) {
  BELAY_TAKES(PrimT<U>, "Axpy", BELAY_HALF_FLOAT)
  static_assert(belay::api::kAxpyAdds<PrimT<T>, PrimT<U>>,
                "AscendC::Axpy: dst must have the type of src, or be float "
                "where src is half");
  belay::api::ScalarLanes<belay::abi::Op::kAxpy>(
      dst, src, scalarValue,
      belay::api::MaskedLanes<isSetMask>(mask, repeatTime), repeatParams);
}

}  // namespace AscendC

BELAY_KERNEL_CODE_END

#endif  // BELAY_ASCENDC_VECTOR_SCALAR_H_
