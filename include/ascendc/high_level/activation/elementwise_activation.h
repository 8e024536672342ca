// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_HIGH_LEVEL_ACTIVATION_ELEMENTWISE_ACTIVATION_H_
#define BELAY_ASCENDC_HIGH_LEVEL_ACTIVATION_ELEMENTWISE_ACTIVATION_H_

// Activation functions of single elements, and their gated forms: the second
// tensor's activation times the first. highPrecision and highPerformance have
// no effect: half is always computed in float.

#include "ascendc/high_level/elementwise.h"

BELAY_KERNEL_CODE_BEGIN

namespace AscendC {

BELAY_LIBRARY_UNARY(Sigmoid, (typename T, bool isReuseSource = false))
BELAY_LIBRARY_BINARY(GeGLU, (typename T, bool isReuseSource = false))

#define BELAY_LIBRARY_GELU(name)                                              \
  template <typename T, bool highPrecision = false,                           \
            bool highPerformance = false>                                     \
  BELAY_API void name(                                                        \
      const LocalTensor<T>& dstLocal, const LocalTensor<T>& srcLocal,         \
      const LocalTensor<uint8_t>& sharedTmpBuffer, const uint32_t dataSize) { \
    BELAY_TAKES(PrimT<T>, #name, BELAY_HALF_FLOAT)                            \
    belay::api::CallUnary(belay::abi::Elementwise::k##name,                   \
                          belay::api::Temporary(#name, sharedTmpBuffer),      \
                          dstLocal, srcLocal, dataSize);                      \
  }                                                                           \
  template <typename T, bool highPrecision = false,                           \
            bool highPerformance = false>                                     \
  BELAY_API void name(const LocalTensor<T>& dstLocal,                         \
                      const LocalTensor<T>& srcLocal,                         \
                      const uint32_t dataSize) {                              \
    BELAY_TAKES(PrimT<T>, #name, BELAY_HALF_FLOAT)                            \
    belay::api::CallUnary(belay::abi::Elementwise::k##name,                   \
                          belay::api::Temporary(#name), dstLocal, srcLocal,   \
                          dataSize);                                          \
  }
BELAY_LIBRARY_GELU(FasterGelu)
BELAY_LIBRARY_GELU(FasterGeluV2)
BELAY_LIBRARY_GELU(Gelu)
#undef BELAY_LIBRARY_GELU

// x / (1 + exp(-x)).
template <typename T, bool isReuseSource = false>
BELAY_API void Silu(const LocalTensor<T>& dstLocal,
                    const LocalTensor<T>& srcLocal, uint32_t dataSize) {
  BELAY_TAKES(PrimT<T>, "Silu", BELAY_HALF_FLOAT)
  belay::api::CallUnary(belay::abi::Elementwise::kSilu,
                        belay::api::Temporary("Silu"), dstLocal, srcLocal,
                        dataSize);
}
// x / (1 + exp(-scalarValue·x)).
template <typename T, bool isReuseSource = false>
BELAY_API void Swish(const LocalTensor<T>& dstLocal,
                     const LocalTensor<T>& srcLocal, uint32_t dataSize,
                     const PrimT<T> scalarValue) {
  BELAY_TAKES(PrimT<T>, "Swish", BELAY_HALF_FLOAT)
  belay::api::CallUnary(belay::abi::Elementwise::kSwish,
                        belay::api::Temporary("Swish"), dstLocal, srcLocal,
                        dataSize, {static_cast<float>(scalarValue), 0, 0});
}

#define BELAY_HALF_BFLOAT16_FLOAT                       \
  (::belay::api::kSetOf<::belay::api::DType::kHalf,     \
                        ::belay::api::DType::kBfloat16, \
                        ::belay::api::DType::kFloat>),  \
      "half, bfloat16_t or float"
template <typename T, bool isReuseSource = false>
BELAY_API void ReGlu(const LocalTensor<T>& dstTensor,
                     const LocalTensor<T>& srcTensor0,
                     const LocalTensor<T>& srcTensor1,
                     const LocalTensor<uint8_t>& sharedTmpBuffer,
                     const uint32_t calCount) {
  BELAY_TAKES(PrimT<T>, "ReGlu", BELAY_HALF_BFLOAT16_FLOAT)
  belay::api::CallBinary(belay::abi::Elementwise::kReGlu,
                         belay::api::Temporary("ReGlu", sharedTmpBuffer),
                         dstTensor, srcTensor0, srcTensor1, calCount);
}
template <typename T, bool isReuseSource = false>
BELAY_API void ReGlu(const LocalTensor<T>& dstTensor,
                     const LocalTensor<T>& srcTensor0,
                     const LocalTensor<T>& srcTensor1,
                     const uint32_t calCount) {
  BELAY_TAKES(PrimT<T>, "ReGlu", BELAY_HALF_BFLOAT16_FLOAT)
  belay::api::CallBinary(belay::abi::Elementwise::kReGlu,
                         belay::api::Temporary("ReGlu"), dstTensor, srcTensor0,
                         srcTensor1, calCount);
}
#undef BELAY_HALF_BFLOAT16_FLOAT

// srcTensor0·srcTensor1 / (1 + exp(-scalarValue·srcTensor1)).
template <typename T, bool isReuseSource = false>
BELAY_API void SwiGLU(const LocalTensor<T>& dstTensor,
                      const LocalTensor<T>& srcTensor0,
                      const LocalTensor<T>& srcTensor1,
                      const float& scalarValue,
                      const LocalTensor<uint8_t>& sharedTmpBuffer,
                      const uint32_t calCount) {
  BELAY_TAKES(PrimT<T>, "SwiGLU", BELAY_HALF_FLOAT)
  belay::api::CallBinary(belay::abi::Elementwise::kSwiGLU,
                         belay::api::Temporary("SwiGLU", sharedTmpBuffer),
                         dstTensor, srcTensor0, srcTensor1, calCount,
                         {scalarValue, 0, 0});
}
template <typename T, bool isReuseSource = false>
BELAY_API void SwiGLU(const LocalTensor<T>& dstTensor,
                      const LocalTensor<T>& srcTensor0,
                      const LocalTensor<T>& srcTensor1,
                      const float& scalarValue,
                      const LocalTensor<uint8_t>& sharedTmpBuffer) {
  SwiGLU<T, isReuseSource>(dstTensor, srcTensor0, srcTensor1, scalarValue,
                           sharedTmpBuffer, srcTensor0.GetSize());
}
template <typename T, bool isReuseSource = false>
BELAY_API void SwiGLU(const LocalTensor<T>& dstTensor,
                      const LocalTensor<T>& srcTensor0,
                      const LocalTensor<T>& srcTensor1,
                      const float& scalarValue, const uint32_t calCount) {
  BELAY_TAKES(PrimT<T>, "SwiGLU", BELAY_HALF_FLOAT)
  belay::api::CallBinary(belay::abi::Elementwise::kSwiGLU,
                         belay::api::Temporary("SwiGLU"), dstTensor, srcTensor0,
                         srcTensor1, calCount, {scalarValue, 0, 0});
}
template <typename T, bool isReuseSource = false>
BELAY_API void SwiGLU(const LocalTensor<T>& dstTensor,
                      const LocalTensor<T>& srcTensor0,
                      const LocalTensor<T>& srcTensor1,
                      const float& scalarValue) {
  SwiGLU<T, isReuseSource>(dstTensor, srcTensor0, srcTensor1, scalarValue,
                           srcTensor0.GetSize());
}

}  // namespace AscendC

BELAY_KERNEL_CODE_END

#endif  // BELAY_ASCENDC_HIGH_LEVEL_ACTIVATION_ELEMENTWISE_ACTIVATION_H_
