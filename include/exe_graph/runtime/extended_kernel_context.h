// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_EXE_GRAPH_RUNTIME_EXTENDED_KERNEL_CONTEXT_H_
#define BELAY_EXE_GRAPH_RUNTIME_EXTENDED_KERNEL_CONTEXT_H_

// What every context answers: names, types and formats of the tensors,
// attributes. An index counts tensors, where absent ones have no number and a
// list has as many as it is long; an "IR index" counts parameters.

#include "belay/op_host.h"
#include "exe_graph/runtime/compute_node_info.h"
#include "exe_graph/runtime/runtime_attrs.h"
#include "exe_graph/runtime/tensor.h"

namespace gert {

class ExtendedKernelContext {
 public:
  explicit ExtendedKernelContext(belay::abi::HostCall* call)
      : call_(call), node_(call) {}
  ExtendedKernelContext(const ExtendedKernelContext&) = delete;
  ExtendedKernelContext& operator=(const ExtendedKernelContext&) = delete;

  const char* GetNodeType() const { return call_->type; }
  const char* GetNodeName() const { return call_->name; }
  const ComputeNodeInfo* GetComputeNodeInfo() const { return &node_; }
  size_t GetComputeNodeInputNum() const { return call_->input_count; }
  size_t GetComputeNodeOutputNum() const { return call_->output_count; }
  const AnchorInstanceInfo* GetIrInputInstanceInfo(size_t ir_index) const {
    return Answer("GetIrInputInstanceInfo", ir_index, -1,
                  node_.GetInputInstanceInfo(ir_index));
  }
  const AnchorInstanceInfo* GetIrOutputInstanceInfo(size_t ir_index) const {
    return Answer("GetIrOutputInstanceInfo", ir_index, -1,
                  node_.GetOutputInstanceInfo(ir_index));
  }
  const RuntimeAttrs* GetAttrs() const { return call_->attributes; }

  const CompileTimeTensorDesc* GetInputDesc(size_t index) const {
    return Answer("GetInputDesc", index, -1, node_.GetInputTdInfo(index));
  }
  const CompileTimeTensorDesc* GetOptionalInputDesc(size_t ir_index) const {
    return Answer("GetOptionalInputDesc", ir_index, -1,
                  At(call_->input_descs, InputOf(ir_index, 0)));
  }
  const CompileTimeTensorDesc* GetRequiredInputDesc(size_t ir_index) const {
    return Answer("GetRequiredInputDesc", ir_index, -1,
                  At(call_->input_descs, InputOf(ir_index, 0)));
  }
  const CompileTimeTensorDesc* GetDynamicInputDesc(size_t ir_index,
                                                   size_t relative) const {
    return Answer("GetDynamicInputDesc", ir_index, relative,
                  At(call_->input_descs, InputOf(ir_index, relative)));
  }
  const CompileTimeTensorDesc* GetOutputDesc(size_t index) const {
    return Answer("GetOutputDesc", index, -1, node_.GetOutputTdInfo(index));
  }
  const CompileTimeTensorDesc* GetRequiredOutputDesc(size_t ir_index) const {
    return Answer("GetRequiredOutputDesc", ir_index, -1,
                  At(call_->output_descs, OutputOf(ir_index, 0)));
  }
  const CompileTimeTensorDesc* GetDynamicOutputDesc(size_t ir_index,
                                                    size_t relative) const {
    return Answer("GetDynamicOutputDesc", ir_index, relative,
                  At(call_->output_descs, OutputOf(ir_index, relative)));
  }

 protected:
  static constexpr uint64_t kNone = UINT64_MAX;

  // Which tensor the `relative`-th of a parameter is, or kNone.
  uint64_t InputOf(size_t ir_index, size_t relative) const {
    return InstanceOf(call_->input_parameters, ir_index, relative);
  }
  uint64_t OutputOf(size_t ir_index, size_t relative) const {
    return InstanceOf(call_->output_parameters, ir_index, relative);
  }

  template <typename T>
  static T* At(T* tensors, uint64_t instance) {
    return instance == kNone ? nullptr : tensors + instance;
  }

  // Remembers question and answer for a crash report.
  template <typename T>
  static T* Answer(const char* question, size_t index, int64_t second,
                   T* answer) {
    belay_host_asked(question, static_cast<int64_t>(index), second, answer);
    return answer;
  }

  belay::abi::HostCall* call_;

 private:
  static uint64_t InstanceOf(
      const belay::abi::HostSpan<belay::abi::HostInstances>& parameters,
      size_t ir_index, size_t relative) {
    if (ir_index >= parameters.size) return kNone;
    const belay::abi::HostInstances& instances = parameters.data[ir_index];
    if (relative >= instances.count) return kNone;
    return instances.start + relative;
  }

  ComputeNodeInfo node_;
};

}  // namespace gert

#endif  // BELAY_EXE_GRAPH_RUNTIME_EXTENDED_KERNEL_CONTEXT_H_
