// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_TENSOR_OPERATORS_H_
#define BELAY_ASCENDC_TENSOR_OPERATORS_H_

// dst = src0 + src1 and its like: a vector instruction over a whole tensor.

#include "ascendc/compare.h"
#include "ascendc/vector_binary.h"

BELAY_KERNEL_CODE_BEGIN

namespace belay::api {

template <abi::Op op, uint8_t mode, typename T>
struct TensorExpression {
  const AscendC::LocalTensor<T>& src0;
  const AscendC::LocalTensor<T>& src1;

  // Arithmetic covers dst; a comparison covers src0, one bit each.
  template <typename U>
  BELAY_API void StoreTo(const AscendC::LocalTensor<U>& dst) const {
    if constexpr (op == abi::Op::kCompare) {
      AscendC::Compare(dst, src0, src1, static_cast<AscendC::CMPMODE>(mode),
                       src0.GetSize());
    } else if constexpr (op == abi::Op::kAdd) {
      AscendC::Add(dst, src0, src1, dst.GetSize());
    } else if constexpr (op == abi::Op::kSub) {
      AscendC::Sub(dst, src0, src1, dst.GetSize());
    } else if constexpr (op == abi::Op::kMul) {
      AscendC::Mul(dst, src0, src1, dst.GetSize());
    } else if constexpr (op == abi::Op::kDiv) {
      AscendC::Div(dst, src0, src1, dst.GetSize());
    } else if constexpr (op == abi::Op::kAnd) {
      AscendC::And(dst, src0, src1, dst.GetSize());
    } else {
      AscendC::Or(dst, src0, src1, dst.GetSize());
    }
  }
};

}  // namespace belay::api

namespace AscendC {

#define BELAY_TENSOR_OPERATOR(symbol, op, mode)                             \
  template <typename T>                                                     \
  BELAY_API belay::api::TensorExpression<belay::abi::Op::op,                \
                                         static_cast<uint8_t>(mode), T>     \
  operator symbol(const LocalTensor<T>& src0, const LocalTensor<T>& src1) { \
    return {src0, src1};                                                    \
  }
BELAY_TENSOR_OPERATOR(+, kAdd, 0)
BELAY_TENSOR_OPERATOR(-, kSub, 0)
BELAY_TENSOR_OPERATOR(*, kMul, 0)
BELAY_TENSOR_OPERATOR(/, kDiv, 0)
BELAY_TENSOR_OPERATOR(&, kAnd, 0)
BELAY_TENSOR_OPERATOR(|, kOr, 0)
BELAY_TENSOR_OPERATOR(<, kCompare, CMPMODE::LT)
BELAY_TENSOR_OPERATOR(>, kCompare, CMPMODE::GT)
BELAY_TENSOR_OPERATOR(==, kCompare, CMPMODE::EQ)
BELAY_TENSOR_OPERATOR(<=, kCompare, CMPMODE::LE)
BELAY_TENSOR_OPERATOR(>=, kCompare, CMPMODE::GE)
BELAY_TENSOR_OPERATOR(!=, kCompare, CMPMODE::NE)
#undef BELAY_TENSOR_OPERATOR

}  // namespace AscendC

BELAY_KERNEL_CODE_END

#endif  // BELAY_ASCENDC_TENSOR_OPERATORS_H_
