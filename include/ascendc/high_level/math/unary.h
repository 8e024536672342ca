// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_HIGH_LEVEL_MATH_UNARY_H_
#define BELAY_ASCENDC_HIGH_LEVEL_MATH_UNARY_H_

// Mathematical functions of one tensor. Their configurations choose between
// algorithms on other chips and have no effect here; isReuseSource has none
// anywhere, the source is never written.

#include "ascendc/high_level/elementwise.h"
#include "ascendc/high_level/math/configurations.h"
#include "ascendc/vector_scalar.h"
#include "ascendc/vector_unary.h"

BELAY_KERNEL_CODE_BEGIN

namespace AscendC {

BELAY_LIBRARY_UNARY(Acos, (typename T, bool isReuseSource = false))
BELAY_LIBRARY_UNARY(Acosh, (typename T, bool isReuseSource = false))
BELAY_LIBRARY_UNARY(Asin, (typename T, bool isReuseSource = false))
BELAY_LIBRARY_UNARY(Asinh, (typename T, bool isReuseSource = false))
BELAY_LIBRARY_UNARY(Atan, (typename T, bool isReuseSource = false,
                           const AtanConfig& config = defaultAtanConfig))
BELAY_LIBRARY_UNARY(Atanh, (typename T, bool isReuseSource = false))
BELAY_LIBRARY_UNARY(Ceil, (typename T, bool isReuseSource = false))
BELAY_LIBRARY_UNARY(Cos, (typename T, bool isReuseSource = false,
                          const CosConfig& config = defaultCosConfig))
BELAY_LIBRARY_UNARY(Cosh, (typename T, bool isReuseSource = false))
BELAY_LIBRARY_UNARY(Digamma, (typename T, bool isReuseSource = false))
BELAY_LIBRARY_UNARY(Erf, (typename T, bool isReuseSource = false,
                          const ErfConfig& config = defaultErfConfig))
BELAY_LIBRARY_UNARY(Erfc, (typename T, bool isReuseSource = false))
BELAY_LIBRARY_UNARY(Floor, (typename T, bool isReuseSource = false))
BELAY_LIBRARY_UNARY(Frac, (typename T, bool isReuseSource = false))
BELAY_LIBRARY_UNARY(Lgamma, (typename T, bool isReuseSource = false))
BELAY_LIBRARY_UNARY(Round, (typename T, bool isReuseSource = false))
BELAY_LIBRARY_UNARY(Sign, (typename T, bool isReuseSource = false))
BELAY_LIBRARY_UNARY(Sin, (typename T, bool isReuseSource = false,
                          const SinConfig& config = defaultSinConfig))
BELAY_LIBRARY_UNARY(Sinh, (typename T, bool isReuseSource = false))
BELAY_LIBRARY_UNARY(Tan, (typename T, bool isReuseSource = false))
BELAY_LIBRARY_UNARY(Tanh, (typename T, bool isReuseSource = false,
                           const TanhConfig& config = DEFAULT_TANH_CONFIG))
BELAY_LIBRARY_UNARY(Trunc, (typename T, bool isReuseSource = false))

// exp(floor(x)) times `taylorExpandLevel` terms of the series of the rest; 0
// terms: the instruction.
template <typename T, uint8_t taylorExpandLevel, bool isReuseSource = false>
BELAY_API void Exp(const LocalTensor<T>& dstLocal,
                   const LocalTensor<T>& srcLocal,
                   const LocalTensor<uint8_t>& sharedTmpBuffer,
                   const uint32_t calCount) {
  BELAY_TAKES(PrimT<T>, "Exp", BELAY_HALF_FLOAT)
  if constexpr (taylorExpandLevel == 0) {
    Exp(dstLocal, srcLocal, int64_t{calCount});
  } else {
    belay::api::CallUnary(belay::abi::Elementwise::kExp,
                          belay::api::Temporary("Exp", sharedTmpBuffer),
                          dstLocal, srcLocal, calCount,
                          {0, 0, taylorExpandLevel});
  }
}
template <typename T, uint8_t taylorExpandLevel, bool isReuseSource = false>
BELAY_API void Exp(const LocalTensor<T>& dstLocal,
                   const LocalTensor<T>& srcLocal, const uint32_t calCount) {
  BELAY_TAKES(PrimT<T>, "Exp", BELAY_HALF_FLOAT)
  if constexpr (taylorExpandLevel == 0) {
    Exp(dstLocal, srcLocal, int64_t{calCount});
  } else {
    belay::api::CallUnary(belay::abi::Elementwise::kExp,
                          belay::api::Temporary("Exp"), dstLocal, srcLocal,
                          calCount, {0, 0, taylorExpandLevel});
  }
}

// Logarithms. Log and Log10 work in the type of the tensors, Log2 of half in
// float.
template <typename T, bool isReuseSource = false>
BELAY_API void Log(const LocalTensor<T>& dstTensor,
                   const LocalTensor<T>& srcTensor, uint32_t calCount) {
  Ln(dstTensor, srcTensor, int64_t{calCount});
}
template <typename T, bool isReuseSource = false>
BELAY_API void Log(const LocalTensor<T>& dstTensor,
                   const LocalTensor<T>& srcTensor) {
  Ln(dstTensor, srcTensor, int64_t{srcTensor.GetSize()});
}

}  // namespace AscendC

namespace belay::api {

// ln(src)·factor in the type of the tensors.
template <typename T>
BELAY_API void ScaledLn(const AscendC::LocalTensor<T>& dst,
                        const AscendC::LocalTensor<T>& src, float factor,
                        int64_t count) {
  AscendC::Ln(dst, src, count);
  AscendC::PipeBarrier<PIPE_V>();
  AscendC::Muls(dst, dst, static_cast<T>(factor), count);
}
inline constexpr float kOneOverLn10 = 0.434294482f;
inline constexpr float kOneOverLn2 = 1.44269504f;

}  // namespace belay::api

namespace AscendC {

template <typename T, bool isReuseSource = false>
BELAY_API void Log10(const LocalTensor<T>& dstTensor,
                     const LocalTensor<T>& srcTensor, uint32_t calCount) {
  belay::api::ScaledLn(dstTensor, srcTensor, belay::api::kOneOverLn10,
                       calCount);
}
template <typename T, bool isReuseSource = false>
BELAY_API void Log10(const LocalTensor<T>& dstTensor,
                     const LocalTensor<T>& srcTensor) {
  belay::api::ScaledLn(dstTensor, srcTensor, belay::api::kOneOverLn10,
                       srcTensor.GetSize());
}

template <typename T, bool isReuseSource = false>
BELAY_API void Log2(const LocalTensor<T>& dstTensor,
                    const LocalTensor<T>& srcTensor,
                    const LocalTensor<uint8_t>& sharedTmpBuffer,
                    uint32_t calCount) {
  BELAY_TAKES(PrimT<T>, "Log2", BELAY_HALF_FLOAT)
  if constexpr (IsSameType<PrimT<T>, float>::value) {
    belay::api::ScaledLn(dstTensor, srcTensor, belay::api::kOneOverLn2,
                         calCount);
  } else {
    belay::api::CallUnary(belay::abi::Elementwise::kLog2,
                          belay::api::Temporary("Log2", sharedTmpBuffer),
                          dstTensor, srcTensor, calCount);
  }
}
template <typename T, bool isReuseSource = false>
BELAY_API void Log2(const LocalTensor<T>& dstTensor,
                    const LocalTensor<T>& srcTensor,
                    const LocalTensor<uint8_t>& sharedTmpBuffer) {
  Log2<T, isReuseSource>(dstTensor, srcTensor, sharedTmpBuffer,
                         srcTensor.GetSize());
}
template <typename T, bool isReuseSource = false>
BELAY_API void Log2(const LocalTensor<T>& dstTensor,
                    const LocalTensor<T>& srcTensor, uint32_t calCount) {
  BELAY_TAKES(PrimT<T>, "Log2", BELAY_HALF_FLOAT)
  if constexpr (IsSameType<PrimT<T>, float>::value) {
    belay::api::ScaledLn(dstTensor, srcTensor, belay::api::kOneOverLn2,
                         calCount);
  } else {
    belay::api::CallUnary(belay::abi::Elementwise::kLog2,
                          belay::api::Temporary("Log2"), dstTensor, srcTensor,
                          calCount);
  }
}
template <typename T, bool isReuseSource = false>
BELAY_API void Log2(const LocalTensor<T>& dstTensor,
                    const LocalTensor<T>& srcTensor) {
  Log2<T, isReuseSource>(dstTensor, srcTensor, srcTensor.GetSize());
}

}  // namespace AscendC

BELAY_KERNEL_CODE_END

#endif  // BELAY_ASCENDC_HIGH_LEVEL_MATH_UNARY_H_
