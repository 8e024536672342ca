// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TESTS_RUNTIME_OPERATORS_CALLS_H_
#define BELAY_TESTS_RUNTIME_OPERATORS_CALLS_H_

// Calls of the operators that these tests register.

#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "runtime/operators/plan.h"

namespace belay::runtime {

inline CallTensor TensorOf(DType dtype, Shape shape) {
  return {dtype, std::move(shape), {}};
}

template <typename T>
CallTensor ValuesOf(DType dtype, const std::vector<T>& values) {
  CallTensor tensor{dtype, {static_cast<int64_t>(values.size())}, {}};
  tensor.values.resize(values.size() * sizeof(T));
  std::memcpy(tensor.values.data(), values.data(), tensor.values.size());
  return tensor;
}

// One input x of 2 x 3 floats, no attributes.
inline OperatorCall PlainCall(std::string type) {
  OperatorCall call;
  call.type = std::move(type);
  call.inputs = {{TensorOf(DType::kFloat, {2, 3})}};
  return call;
}

inline OperatorCall AddCall(DType dtype, Shape shape) {
  OperatorCall call;
  call.type = "AddCustom";
  call.inputs = {{TensorOf(dtype, shape)}, {TensorOf(dtype, shape)}};
  return call;
}

// A list of two, no bias, begin = {5, -6}, axis = 3.
inline OperatorCall SplitCall(DType dtype = DType::kHalf) {
  OperatorCall call;
  call.type = "SplitOp";
  call.inputs = {{TensorOf(dtype, {4, 8}), TensorOf(dtype, {3})},
                 {},
                 {ValuesOf<int64_t>(DType::kInt64, {5, -6})},
                 {TensorOf(DType::kFloat, {1})},
                 {}};
  call.attributes = {{}, int64_t{3}};
  return call;
}

}  // namespace belay::runtime

#endif  // BELAY_TESTS_RUNTIME_OPERATORS_CALLS_H_
