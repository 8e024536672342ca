// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_REGISTER_OP_IMPL_REGISTRY_H_
#define BELAY_REGISTER_OP_IMPL_REGISTRY_H_

// IMPL_OP, IMPL_OP_OPTILING, IMPL_OP_INFERSHAPE: registering an operator's host
// functions apart from its definition.

#include <initializer_list>
#include <string>
#include <vector>

#include "belay/op_host.h"
#include "exe_graph/runtime/infer_datatype_context.h"
#include "exe_graph/runtime/infer_shape_context.h"
#include "exe_graph/runtime/infer_shape_range_context.h"
#include "exe_graph/runtime/tiling_context.h"
#include "exe_graph/runtime/tiling_parse_context.h"
#include "graph/ge_error_codes.h"

namespace gert {

class OpImplRegisterV2 {
 public:
  using InferShapeKernelFunc = uint32_t (*)(InferShapeContext*);
  using InferShapeRangeKernelFunc = uint32_t (*)(InferShapeRangeContext*);
  using InferDataTypeKernelFunc = uint32_t (*)(InferDataTypeContext*);
  using TilingKernelFunc = uint32_t (*)(TilingContext*);
  using TilingParseFunc = uint32_t (*)(TilingParseContext*);

  explicit OpImplRegisterV2(const char* type) : type_(type) {}

  OpImplRegisterV2& Tiling(TilingKernelFunc function) {
    belay_register_tiling(type_, function);
    return *this;
  }
  // A CompileInfo is made, filled in by `function`, and handed to tiling.
  template <typename CompileInfo>
  OpImplRegisterV2& TilingParse(TilingParseFunc function) {
    belay_register_tiling_parse(
        type_, function, []() -> void* { return new CompileInfo(); },
        [](void* info) { delete static_cast<CompileInfo*>(info); });
    return *this;
  }
  OpImplRegisterV2& InferShape(InferShapeKernelFunc function) {
    belay_register_infer_shape(type_, function);
    return *this;
  }
  OpImplRegisterV2& InferDataType(InferDataTypeKernelFunc function) {
    belay_register_infer_dtype(type_, function);
    return *this;
  }
  // Ranges of shapes exist in graphs only.
  OpImplRegisterV2& InferShapeRange(InferShapeRangeKernelFunc) { return *this; }

  // Inputs whose values host functions read.
  OpImplRegisterV2& InputsDataDependency(
      std::initializer_list<int32_t> inputs) {
    return DependOnValues(inputs);
  }
  OpImplRegisterV2& TilingInputsDataDependency(
      std::initializer_list<int32_t> inputs) {
    return DependOnValues(inputs);
  }

 private:
  OpImplRegisterV2& DependOnValues(std::initializer_list<int32_t> inputs) {
    const std::vector<uint64_t> indices(inputs.begin(), inputs.end());
    belay_register_value_depend(type_, indices.data(), indices.size());
    return *this;
  }

  const char* type_;
};

using OpImplRegister = OpImplRegisterV2;

}  // namespace gert

#define BELAY_JOIN_(a, b) a##b
#define BELAY_JOIN(a, b) BELAY_JOIN_(a, b)

#define IMPL_OP(type)                                              \
  [[maybe_unused]] static const gert::OpImplRegisterV2 BELAY_JOIN( \
      belay_op_implementation_##type, __COUNTER__) =               \
      gert::OpImplRegisterV2(#type)
#define IMPL_OP_OPTILING(type) IMPL_OP(type)
#define IMPL_OP_INFERSHAPE(type) IMPL_OP(type)
#define IMPL_OP_INFERDATATYPE(type) IMPL_OP(type)

#endif  // BELAY_REGISTER_OP_IMPL_REGISTRY_H_
