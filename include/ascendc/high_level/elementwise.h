// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_HIGH_LEVEL_ELEMENTWISE_H_
#define BELAY_ASCENDC_HIGH_LEVEL_ELEMENTWISE_H_

// Hands functions of single elements over to the library, which issues their
// vector instructions. Whatever the type of the tensors, they compute in float
// and round the result once. On a cube core they do nothing, as all vector
// calls.

#include "ascendc/high_level/temporary.h"
#include "ascendc/issue.h"
#include "ascendc/system.h"
#include "belay/elementwise.h"

BELAY_KERNEL_CODE_BEGIN

namespace belay::api {

// What a call has beside its tensors.
struct ElementwiseExtra {
  float scalar = 0;
  int32_t scalar_int = 0;
  uint8_t level = 0;
};

BELAY_API void CallElementwise(abi::Elementwise function, Temporary temporary,
                               const Operand& dst, const Operand& src0,
                               const Operand& src1, uint64_t count,
                               const ElementwiseExtra& extra = {}) {
  if (ASCEND_IS_AIC) return;
  temporary.Require(abi::WorkOf(function).Least());
  const uint64_t bytes = temporary.bytes() / 32 * 32;
  abi::ElementwiseCall call{};
  call.name = temporary.name();
  call.function = function;
  call.level = extra.level;
  call.count = count;
  call.scalar = extra.scalar;
  call.scalar_int = extra.scalar_int;
  call.dst = dst;
  call.src0 = src0;
  call.src1 = src1;
  call.temporary = OperandOf(temporary.template Take<uint8_t>(bytes), 1, 8);
  call.temporary_bytes = bytes;
  belay_elementwise(&call);
}

template <typename T>
BELAY_API void CallUnary(abi::Elementwise function, const Temporary& temporary,
                         const AscendC::LocalTensor<T>& dst,
                         const AscendC::LocalTensor<T>& src, uint64_t count,
                         const ElementwiseExtra& extra = {}) {
  CallElementwise(function, temporary, OperandOf(dst, 1, 8),
                  OperandOf(src, 1, 8), Operand{}, count, extra);
}
template <typename T>
BELAY_API void CallBinary(abi::Elementwise function, const Temporary& temporary,
                          const AscendC::LocalTensor<T>& dst,
                          const AscendC::LocalTensor<T>& src0,
                          const AscendC::LocalTensor<T>& src1, uint64_t count,
                          const ElementwiseExtra& extra = {}) {
  CallElementwise(function, temporary, OperandOf(dst, 1, 8),
                  OperandOf(src0, 1, 8), OperandOf(src1, 1, 8), count, extra);
}

}  // namespace belay::api

// The four forms of a function of one tensor: with the caller's temporary
// buffer or without, of the first calCount elements or of all. `parameters`
// is the list of template parameters, T among them, in brackets.
#define BELAY_LIBRARY_UNARY(name, parameters)                                 \
  template <BELAY_LIBRARY_UNWRAP parameters>                                  \
  BELAY_API void name(                                                        \
      const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor,       \
      const LocalTensor<uint8_t>& sharedTmpBuffer, const uint32_t calCount) { \
    BELAY_TAKES(PrimT<T>, #name, BELAY_HALF_FLOAT)                            \
    belay::api::CallUnary(belay::abi::Elementwise::k##name,                   \
                          belay::api::Temporary(#name, sharedTmpBuffer),      \
                          dstTensor, srcTensor, calCount);                    \
  }                                                                           \
  template <BELAY_LIBRARY_UNWRAP parameters>                                  \
  BELAY_API void name(const LocalTensor<T>& dstTensor,                        \
                      const LocalTensor<T>& srcTensor,                        \
                      const LocalTensor<uint8_t>& sharedTmpBuffer) {          \
    BELAY_TAKES(PrimT<T>, #name, BELAY_HALF_FLOAT)                            \
    belay::api::CallUnary(belay::abi::Elementwise::k##name,                   \
                          belay::api::Temporary(#name, sharedTmpBuffer),      \
                          dstTensor, srcTensor, srcTensor.GetSize());         \
  }                                                                           \
  template <BELAY_LIBRARY_UNWRAP parameters>                                  \
  BELAY_API void name(const LocalTensor<T>& dstTensor,                        \
                      const LocalTensor<T>& srcTensor,                        \
                      const uint32_t calCount) {                              \
    BELAY_TAKES(PrimT<T>, #name, BELAY_HALF_FLOAT)                            \
    belay::api::CallUnary(belay::abi::Elementwise::k##name,                   \
                          belay::api::Temporary(#name), dstTensor, srcTensor, \
                          calCount);                                          \
  }                                                                           \
  template <BELAY_LIBRARY_UNWRAP parameters>                                  \
  BELAY_API void name(const LocalTensor<T>& dstTensor,                        \
                      const LocalTensor<T>& srcTensor) {                      \
    BELAY_TAKES(PrimT<T>, #name, BELAY_HALF_FLOAT)                            \
    belay::api::CallUnary(belay::abi::Elementwise::k##name,                   \
                          belay::api::Temporary(#name), dstTensor, srcTensor, \
                          srcTensor.GetSize());                               \
  }

// The same for a function of two tensors.
#define BELAY_LIBRARY_BINARY(name, parameters)                                \
  template <BELAY_LIBRARY_UNWRAP parameters>                                  \
  BELAY_API void name(                                                        \
      const LocalTensor<T>& dstTensor, const LocalTensor<T>& src0Tensor,      \
      const LocalTensor<T>& src1Tensor,                                       \
      const LocalTensor<uint8_t>& sharedTmpBuffer, const uint32_t calCount) { \
    BELAY_TAKES(PrimT<T>, #name, BELAY_HALF_FLOAT)                            \
    belay::api::CallBinary(belay::abi::Elementwise::k##name,                  \
                           belay::api::Temporary(#name, sharedTmpBuffer),     \
                           dstTensor, src0Tensor, src1Tensor, calCount);      \
  }                                                                           \
  template <BELAY_LIBRARY_UNWRAP parameters>                                  \
  BELAY_API void name(const LocalTensor<T>& dstTensor,                        \
                      const LocalTensor<T>& src0Tensor,                       \
                      const LocalTensor<T>& src1Tensor,                       \
                      const LocalTensor<uint8_t>& sharedTmpBuffer) {          \
    BELAY_TAKES(PrimT<T>, #name, BELAY_HALF_FLOAT)                            \
    belay::api::CallBinary(belay::abi::Elementwise::k##name,                  \
                           belay::api::Temporary(#name, sharedTmpBuffer),     \
                           dstTensor, src0Tensor, src1Tensor,                 \
                           src0Tensor.GetSize());                             \
  }                                                                           \
  template <BELAY_LIBRARY_UNWRAP parameters>                                  \
  BELAY_API void name(                                                        \
      const LocalTensor<T>& dstTensor, const LocalTensor<T>& src0Tensor,      \
      const LocalTensor<T>& src1Tensor, const uint32_t calCount) {            \
    BELAY_TAKES(PrimT<T>, #name, BELAY_HALF_FLOAT)                            \
    belay::api::CallBinary(belay::abi::Elementwise::k##name,                  \
                           belay::api::Temporary(#name), dstTensor,           \
                           src0Tensor, src1Tensor, calCount);                 \
  }                                                                           \
  template <BELAY_LIBRARY_UNWRAP parameters>                                  \
  BELAY_API void name(const LocalTensor<T>& dstTensor,                        \
                      const LocalTensor<T>& src0Tensor,                       \
                      const LocalTensor<T>& src1Tensor) {                     \
    BELAY_TAKES(PrimT<T>, #name, BELAY_HALF_FLOAT)                            \
    belay::api::CallBinary(belay::abi::Elementwise::k##name,                  \
                           belay::api::Temporary(#name), dstTensor,           \
                           src0Tensor, src1Tensor, src0Tensor.GetSize());     \
  }
#define BELAY_LIBRARY_UNWRAP(...) __VA_ARGS__

BELAY_KERNEL_CODE_END

#endif  // BELAY_ASCENDC_HIGH_LEVEL_ELEMENTWISE_H_
