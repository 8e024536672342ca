// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_EXE_GRAPH_RUNTIME_INFER_SHAPE_CONTEXT_H_
#define BELAY_EXE_GRAPH_RUNTIME_INFER_SHAPE_CONTEXT_H_

// gert::InferShapeContext: shapes of the inputs in, shapes of the outputs out.

#include "exe_graph/runtime/extended_kernel_context.h"
#include "exe_graph/runtime/shape.h"
#include "exe_graph/runtime/tensor.h"

namespace gert {

class InferShapeContext : public ExtendedKernelContext {
 public:
  using ExtendedKernelContext::ExtendedKernelContext;

  const Shape* GetInputShape(size_t index) const {
    return Answer("GetInputShape", index, -1, ShapeOf(Input(index)));
  }
  const Shape* GetRequiredInputShape(size_t ir_index) const {
    return Answer("GetRequiredInputShape", ir_index, -1,
                  ShapeOf(InputAt(ir_index, 0)));
  }
  const Shape* GetOptionalInputShape(size_t ir_index) const {
    return Answer("GetOptionalInputShape", ir_index, -1,
                  ShapeOf(InputAt(ir_index, 0)));
  }
  const Shape* GetDynamicInputShape(size_t ir_index, size_t relative) const {
    return Answer("GetDynamicInputShape", ir_index, relative,
                  ShapeOf(InputAt(ir_index, relative)));
  }

  const Tensor* GetInputTensor(size_t index) const {
    return Answer("GetInputTensor", index, -1, Input(index));
  }
  const Tensor* GetRequiredInputTensor(size_t ir_index) const {
    return Answer("GetRequiredInputTensor", ir_index, -1, InputAt(ir_index, 0));
  }
  const Tensor* GetOptionalInputTensor(size_t ir_index) const {
    return Answer("GetOptionalInputTensor", ir_index, -1, InputAt(ir_index, 0));
  }
  const Tensor* GetDynamicInputTensor(size_t ir_index, size_t relative) const {
    return Answer("GetDynamicInputTensor", ir_index, relative,
                  InputAt(ir_index, relative));
  }

  // To be filled in.
  Shape* GetOutputShape(size_t index) {
    return Answer("GetOutputShape", index, -1,
                  index < call_->output_count
                      ? &call_->outputs[index].MutableOriginShape()
                      : nullptr);
  }

 private:
  const Tensor* Input(size_t index) const {
    return index < call_->input_count ? call_->inputs + index : nullptr;
  }
  const Tensor* InputAt(size_t ir_index, size_t relative) const {
    return At(call_->inputs, InputOf(ir_index, relative));
  }
  static const Shape* ShapeOf(const Tensor* tensor) {
    return tensor == nullptr ? nullptr : &tensor->GetOriginShape();
  }
};

}  // namespace gert

#endif  // BELAY_EXE_GRAPH_RUNTIME_INFER_SHAPE_CONTEXT_H_
