// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_EXE_GRAPH_RUNTIME_INFER_DATATYPE_CONTEXT_H_
#define BELAY_EXE_GRAPH_RUNTIME_INFER_DATATYPE_CONTEXT_H_

// gert::InferDataTypeContext: types of the inputs in, types of the outputs out.

#include "exe_graph/runtime/extended_kernel_context.h"

namespace gert {

class InferDataTypeContext : public ExtendedKernelContext {
 public:
  using ExtendedKernelContext::ExtendedKernelContext;

  // DT_UNDEFINED for a tensor that is not there.
  ge::DataType GetInputDataType(size_t index) const {
    return TypeOf(GetInputDesc(index));
  }
  ge::DataType GetRequiredInputDataType(size_t ir_index) const {
    return TypeOf(GetRequiredInputDesc(ir_index));
  }
  ge::DataType GetOptionalInputDataType(size_t ir_index) const {
    return TypeOf(GetOptionalInputDesc(ir_index));
  }
  ge::DataType GetDynamicInputDataType(size_t ir_index, size_t relative) const {
    return TypeOf(GetDynamicInputDesc(ir_index, relative));
  }
  ge::DataType GetOutputDataType(size_t index) const {
    return TypeOf(GetOutputDesc(index));
  }

  ge::graphStatus SetOutputDataType(size_t index, ge::DataType type) {
    if (index >= call_->output_count) return ge::GRAPH_FAILED;
    call_->output_descs[index].SetDataType(type);
    return ge::GRAPH_SUCCESS;
  }

 private:
  static ge::DataType TypeOf(const CompileTimeTensorDesc* desc) {
    return desc == nullptr ? ge::DT_UNDEFINED : desc->GetDataType();
  }
};

}  // namespace gert

#endif  // BELAY_EXE_GRAPH_RUNTIME_INFER_DATATYPE_CONTEXT_H_
