// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_TENSOR_TRAIT_SCALAR_H_
#define BELAY_ASCENDC_TENSOR_TRAIT_SCALAR_H_

// Operations of tensors of TensorTrait<T> with a scalar of T: the same as with
// tensors of T.

#include "ascendc/compare.h"
#include "ascendc/fill.h"
#include "ascendc/select.h"
#include "ascendc/tensor_trait.h"
#include "ascendc/vector_scalar.h"

BELAY_KERNEL_CODE_BEGIN

namespace belay::api {

// A type only where T is a TensorTrait of U.
template <typename T, typename U>
using IfTraitOf =
    std::enable_if_t<AscendC::is_tensorTrait<T>::value &&
                         AscendC::IsSameType<AscendC::PrimT<T>, U>::value,
                     bool>;

template <typename T>
BELAY_API auto Plain(const AscendC::LocalTensor<T>& tensor) {
  return tensor.template ReinterpretCast<AscendC::PrimT<T>>();
}

}  // namespace belay::api

namespace AscendC {

#define BELAY_TRAIT_SCALAR(name)                                            \
  template <typename T, typename U, bool isSetMask = true,                  \
            belay::api::IfTraitOf<T, U> = true>                             \
  BELAY_API void name(const LocalTensor<T>& dst, const LocalTensor<T>& src, \
                      const U& scalarValue, int64_t count) {                \
    name<U, isSetMask>(belay::api::Plain(dst), belay::api::Plain(src),      \
                       scalarValue, count);                                 \
  }                                                                         \
  template <typename T, typename U, bool isSetMask = true, typename Mask,   \
            belay::api::IfTraitOf<T, U> = true>                             \
  BELAY_API void name(const LocalTensor<T>& dst, const LocalTensor<T>& src, \
                      const U& scalarValue, const Mask& mask,               \
                      int64_t repeatTime,                                   \
                      const UnaryRepeatParams& repeatParams) {              \
    name<U, isSetMask>(belay::api::Plain(dst), belay::api::Plain(src),      \
                       scalarValue, mask, repeatTime, repeatParams);        \
  }
BELAY_TRAIT_SCALAR(Adds)
BELAY_TRAIT_SCALAR(LeakyRelu)
BELAY_TRAIT_SCALAR(Maxs)
BELAY_TRAIT_SCALAR(Mins)
BELAY_TRAIT_SCALAR(Muls)
BELAY_TRAIT_SCALAR(ShiftLeft)
BELAY_TRAIT_SCALAR(ShiftRight)
#undef BELAY_TRAIT_SCALAR

#define BELAY_TRAIT_FILL(name)                                            \
  template <typename T, typename U, belay::api::IfTraitOf<T, U> = true>   \
  BELAY_API void name(const LocalTensor<T>& dst, const U& value,          \
                      int64_t count) {                                    \
    name(belay::api::Plain(dst), value, count);                           \
  }                                                                       \
  template <typename T, typename U, typename Mask,                        \
            belay::api::IfTraitOf<T, U> = true>                           \
  BELAY_API void name(const LocalTensor<T>& dst, const U& value,          \
                      const Mask& mask, int64_t repeatTime,               \
                      int64_t dstBlockStride, int64_t dstRepeatStride) {  \
    name(belay::api::Plain(dst), value, mask, repeatTime, dstBlockStride, \
         dstRepeatStride);                                                \
  }
BELAY_TRAIT_FILL(CreateVecIndex)
BELAY_TRAIT_FILL(Duplicate)
#undef BELAY_TRAIT_FILL

#define BELAY_TRAIT_COMPARE(name)                                             \
  template <typename T, typename U, typename S,                               \
            belay::api::IfTraitOf<T, S> = true>                               \
  BELAY_API void name(const LocalTensor<U>& dst, const LocalTensor<T>& src0,  \
                      const S& src1Scalar, CMPMODE cmpMode, int64_t count) {  \
    name(dst, belay::api::Plain(src0), src1Scalar, cmpMode, count);           \
  }                                                                           \
  template <typename T, typename U, typename S, typename Mask,                \
            belay::api::IfTraitOf<T, S> = true>                               \
  BELAY_API void name(const LocalTensor<U>& dst, const LocalTensor<T>& src0,  \
                      const S& src1Scalar, CMPMODE cmpMode, const Mask& mask, \
                      int64_t repeatTime,                                     \
                      const UnaryRepeatParams& repeatParams) {                \
    name(dst, belay::api::Plain(src0), src1Scalar, cmpMode, mask, repeatTime, \
         repeatParams);                                                       \
  }
BELAY_TRAIT_COMPARE(Compares)
BELAY_TRAIT_COMPARE(CompareScalar)
#undef BELAY_TRAIT_COMPARE

template <typename T, typename U, typename S,
          belay::api::IfTraitOf<T, S> = true>
BELAY_API void Select(const LocalTensor<T>& dst, const LocalTensor<U>& selMask,
                      const LocalTensor<T>& src0, const S& src1,
                      SELMODE selMode, int64_t count) {
  Select(belay::api::Plain(dst), selMask, belay::api::Plain(src0), src1,
         selMode, count);
}
template <typename T, typename U, typename S, typename Mask,
          belay::api::IfTraitOf<T, S> = true>
BELAY_API void Select(const LocalTensor<T>& dst, const LocalTensor<U>& selMask,
                      const LocalTensor<T>& src0, const S& src1,
                      SELMODE selMode, const Mask& mask, int64_t repeatTime,
                      const BinaryRepeatParams& repeatParams) {
  Select(belay::api::Plain(dst), selMask, belay::api::Plain(src0), src1,
         selMode, mask, repeatTime, repeatParams);
}

}  // namespace AscendC

BELAY_KERNEL_CODE_END

#endif  // BELAY_ASCENDC_TENSOR_TRAIT_SCALAR_H_
