// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_HIGH_LEVEL_MATH_BINARY_H_
#define BELAY_ASCENDC_HIGH_LEVEL_MATH_BINARY_H_

// Mathematical functions of two operands: Axpy, ClampMax, ClampMin, Fmod,
// Power, Xor.

#include "ascendc/high_level/elementwise.h"
#include "ascendc/high_level/math/configurations.h"
#include "ascendc/sync.h"
#include "ascendc/vector_binary.h"
#include "ascendc/vector_scalar.h"
#include "ascendc/vector_unary.h"

BELAY_KERNEL_CODE_BEGIN

namespace AscendC {

BELAY_LIBRARY_BINARY(Fmod, (typename T, bool isReuseSource = false,
                            const FmodConfig& config = DEFAULT_FMOD_CONFIG))

}  // namespace AscendC

namespace belay::api {

// Either operand may be a tensor or one element.
template <typename T>
BELAY_API Operand PowerOperand(const AscendC::LocalTensor<T>& tensor,
                               ElementwiseExtra&) {
  return OperandOf(tensor, 1, 8);
}
template <typename T>
BELAY_API Operand PowerOperand(const T& scalar, ElementwiseExtra& extra) {
  if constexpr (kDTypeOf<T> == DType::kInt32) {
    extra.scalar_int = scalar;
  } else {
    extra.scalar = static_cast<float>(scalar);
  }
  return Operand{};
}
template <typename T, typename Base, typename Exponent>
BELAY_API void CallPower(const Temporary& temporary,
                         const AscendC::LocalTensor<T>& dst, const Base& base,
                         const Exponent& exponent, uint32_t count) {
  BELAY_TAKES(AscendC::PrimT<T>, "Power", BELAY_HALF_INT32_FLOAT)
  constexpr bool kWhole = kDTypeOf<AscendC::PrimT<T>> == DType::kInt32;
  ElementwiseExtra extra;
  const Operand src0 = PowerOperand(base, extra);
  const Operand src1 = PowerOperand(exponent, extra);
  CallElementwise(
      kWhole ? abi::Elementwise::kPowerInt : abi::Elementwise::kPower,
      temporary, OperandOf(dst, 1, 8), src0, src1, count, extra);
}

}  // namespace belay::api

namespace AscendC {

// base^exponent; `size_of` is the tensor whose size is meant when no count is
// given.
#define BELAY_LIBRARY_POWER(base_type, exponent_type, size_of)             \
  template <typename T, bool isReuseSource = false,                        \
            const PowerConfig& config = defaultPowerConfig>                \
  BELAY_API void Power(                                                    \
      const LocalTensor<T>& dstTensor, base_type src0, exponent_type src1, \
      const LocalTensor<uint8_t>& sharedTmpBuffer, uint32_t calCount) {    \
    belay::api::CallPower(belay::api::Temporary("Power", sharedTmpBuffer), \
                          dstTensor, src0, src1, calCount);                \
  }                                                                        \
  template <typename T, bool isReuseSource = false,                        \
            const PowerConfig& config = defaultPowerConfig>                \
  BELAY_API void Power(const LocalTensor<T>& dstTensor, base_type src0,    \
                       exponent_type src1,                                 \
                       const LocalTensor<uint8_t>& sharedTmpBuffer) {      \
    belay::api::CallPower(belay::api::Temporary("Power", sharedTmpBuffer), \
                          dstTensor, src0, src1, size_of.GetSize());       \
  }                                                                        \
  template <typename T, bool isReuseSource = false,                        \
            const PowerConfig& config = defaultPowerConfig>                \
  BELAY_API void Power(const LocalTensor<T>& dstTensor, base_type src0,    \
                       exponent_type src1, uint32_t calCount) {            \
    belay::api::CallPower(belay::api::Temporary("Power"), dstTensor, src0, \
                          src1, calCount);                                 \
  }                                                                        \
  template <typename T, bool isReuseSource = false,                        \
            const PowerConfig& config = defaultPowerConfig>                \
  BELAY_API void Power(const LocalTensor<T>& dstTensor, base_type src0,    \
                       exponent_type src1) {                               \
    belay::api::CallPower(belay::api::Temporary("Power"), dstTensor, src0, \
                          src1, size_of.GetSize());                        \
  }
BELAY_LIBRARY_POWER(const LocalTensor<T>&, const LocalTensor<T>&, src0)
BELAY_LIBRARY_POWER(const LocalTensor<T>&, const PrimT<T>&, src0)
BELAY_LIBRARY_POWER(const PrimT<T>&, const LocalTensor<T>&, src1)
#undef BELAY_LIBRARY_POWER

// dst += src·scalar, in float, rounded once.
template <typename T, typename U, bool isReuseSource = false>
BELAY_API void Axpy(const LocalTensor<T>& dstTensor,
                    const LocalTensor<U>& srcTensor, const PrimT<U> scalarValue,
                    const LocalTensor<uint8_t>& sharedTmpBuffer,
                    const uint32_t calCount) {
  BELAY_TAKES(PrimT<T>, "Axpy", BELAY_HALF_FLOAT)
  BELAY_TAKES(PrimT<U>, "Axpy", BELAY_HALF_FLOAT)
  static_assert(sizeof(PrimT<T>) >= sizeof(PrimT<U>),
                "AscendC::Axpy does not add float to half on this chip");
  belay::api::CallElementwise(belay::abi::Elementwise::kAxpy,
                              belay::api::Temporary("Axpy", sharedTmpBuffer),
                              belay::api::OperandOf(dstTensor, 1, 8),
                              belay::api::OperandOf(srcTensor, 1, 8),
                              belay::api::OperandOf(dstTensor, 1, 8), calCount,
                              {static_cast<float>(scalarValue), 0, 0});
}

// One instruction: the temporary buffer is not used. NaN stays.
template <typename T, bool isReuseSource = false>
BELAY_API void ClampMax(const LocalTensor<T>& dstTensor,
                        const LocalTensor<T>& srcTensor,
                        const LocalTensor<uint8_t>&, const PrimT<T> scalar,
                        const uint32_t calCount) {
  BELAY_TAKES(PrimT<T>, "ClampMax", BELAY_HALF_FLOAT)
  Mins(dstTensor, srcTensor, scalar, int64_t{calCount});
}
template <typename T, bool isReuseSource = false>
BELAY_API void ClampMax(const LocalTensor<T>& dstTensor,
                        const LocalTensor<T>& srcTensor, const PrimT<T> scalar,
                        const uint32_t calCount) {
  BELAY_TAKES(PrimT<T>, "ClampMax", BELAY_HALF_FLOAT)
  Mins(dstTensor, srcTensor, scalar, int64_t{calCount});
}
template <typename T, bool isReuseSource = false>
BELAY_API void ClampMin(const LocalTensor<T>& dstTensor,
                        const LocalTensor<T>& srcTensor,
                        const LocalTensor<uint8_t>&, const PrimT<T> scalar,
                        const uint32_t calCount) {
  BELAY_TAKES(PrimT<T>, "ClampMin", BELAY_HALF_FLOAT)
  Maxs(dstTensor, srcTensor, scalar, int64_t{calCount});
}
template <typename T, bool isReuseSource = false>
BELAY_API void ClampMin(const LocalTensor<T>& dstTensor,
                        const LocalTensor<T>& srcTensor, const PrimT<T> scalar,
                        const uint32_t calCount) {
  BELAY_TAKES(PrimT<T>, "ClampMin", BELAY_HALF_FLOAT)
  Maxs(dstTensor, srcTensor, scalar, int64_t{calCount});
}

}  // namespace AscendC

namespace belay::api {

// (a | b) & ~(a & b), in pieces as large as the temporary memory.
template <typename T>
BELAY_API void CallXor(Temporary temporary, const AscendC::LocalTensor<T>& dst,
                       const AscendC::LocalTensor<T>& src0,
                       const AscendC::LocalTensor<T>& src1, uint32_t count) {
  BELAY_TAKES(AscendC::PrimT<T>, "Xor", BELAY_INT16_UINT16)
  if (ASCEND_IS_AIC) return;
  temporary.Require(32);
  const auto room = static_cast<uint32_t>(temporary.bytes() / 32 * 16);
  const AscendC::LocalTensor<T> both = temporary.template Take<T>(room);
  for (uint32_t first = 0; first < count; first += room) {
    const int64_t now = count - first < room ? count - first : room;
    AscendC::And(both, src0[first], src1[first], now);
    AscendC::Or(dst[first], src0[first], src1[first], now);
    AscendC::PipeBarrier<PIPE_V>();
    AscendC::Not(both, both, now);
    AscendC::PipeBarrier<PIPE_V>();
    AscendC::And(dst[first], dst[first], both, now);
    AscendC::PipeBarrier<PIPE_V>();
  }
}

}  // namespace belay::api

namespace AscendC {

template <typename T, bool isReuseSource = false>
BELAY_API void Xor(const LocalTensor<T>& dstTensor,
                   const LocalTensor<T>& src0Tensor,
                   const LocalTensor<T>& src1Tensor,
                   const LocalTensor<uint8_t>& sharedTmpBuffer,
                   const uint32_t calCount) {
  belay::api::CallXor(belay::api::Temporary("Xor", sharedTmpBuffer), dstTensor,
                      src0Tensor, src1Tensor, calCount);
}
template <typename T, bool isReuseSource = false>
BELAY_API void Xor(const LocalTensor<T>& dstTensor,
                   const LocalTensor<T>& src0Tensor,
                   const LocalTensor<T>& src1Tensor,
                   const LocalTensor<uint8_t>& sharedTmpBuffer) {
  belay::api::CallXor(belay::api::Temporary("Xor", sharedTmpBuffer), dstTensor,
                      src0Tensor, src1Tensor, src0Tensor.GetSize());
}
template <typename T, bool isReuseSource = false>
BELAY_API void Xor(const LocalTensor<T>& dstTensor,
                   const LocalTensor<T>& src0Tensor,
                   const LocalTensor<T>& src1Tensor, const uint32_t calCount) {
  belay::api::CallXor(belay::api::Temporary("Xor"), dstTensor, src0Tensor,
                      src1Tensor, calCount);
}
template <typename T, bool isReuseSource = false>
BELAY_API void Xor(const LocalTensor<T>& dstTensor,
                   const LocalTensor<T>& src0Tensor,
                   const LocalTensor<T>& src1Tensor) {
  belay::api::CallXor(belay::api::Temporary("Xor"), dstTensor, src0Tensor,
                      src1Tensor, src0Tensor.GetSize());
}

}  // namespace AscendC

BELAY_KERNEL_CODE_END

#endif  // BELAY_ASCENDC_HIGH_LEVEL_MATH_BINARY_H_
