// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_EXE_GRAPH_RUNTIME_COMPUTE_NODE_INFO_H_
#define BELAY_EXE_GRAPH_RUNTIME_COMPUTE_NODE_INFO_H_

// What is known of an operator before it runs: names, types and formats of its
// tensors, how many tensors each parameter has, attributes.

#include "belay/op_host.h"
#include "exe_graph/runtime/runtime_attrs.h"
#include "exe_graph/runtime/storage_format.h"
#include "graph/ge_error_codes.h"

namespace gert {

class CompileTimeTensorDesc {
 public:
  CompileTimeTensorDesc() = default;
  CompileTimeTensorDesc(ge::DataType type, const StorageFormat& format)
      : type_(type), format_(format) {}

  ge::DataType GetDataType() const { return type_; }
  void SetDataType(ge::DataType type) { type_ = type; }
  const StorageFormat& GetFormat() const { return format_; }
  ge::Format GetStorageFormat() const { return format_.GetStorageFormat(); }
  ge::Format GetOriginFormat() const { return format_.GetOriginFormat(); }
  void SetStorageFormat(ge::Format format) { format_.SetStorageFormat(format); }
  void SetOriginFormat(ge::Format format) { format_.SetOriginFormat(format); }

 private:
  ge::DataType type_ = ge::DT_UNDEFINED;
  StorageFormat format_;
};

// The tensors of one parameter: 0 of an absent one, n of a list.
class AnchorInstanceInfo : private belay::abi::HostInstances {
 public:
  AnchorInstanceInfo() : HostInstances{0, 0} {}
  AnchorInstanceInfo(uint32_t start, uint32_t count)
      : HostInstances{start, count} {}
  uint32_t GetInstanceStart() const { return start; }
  uint32_t GetInstanceNum() const { return count; }
};

class ComputeNodeInfo {
 public:
  explicit ComputeNodeInfo(belay::abi::HostCall* call) : call_(call) {}

  const char* GetNodeType() const { return call_->type; }
  const char* GetNodeName() const { return call_->name; }
  size_t GetIrInputsNum() const { return call_->input_parameters.size; }
  size_t GetIrOutputsNum() const { return call_->output_parameters.size; }
  size_t GetInputsNum() const { return call_->input_count; }
  size_t GetOutputsNum() const { return call_->output_count; }
  const RuntimeAttrs* GetAttrs() const { return call_->attributes; }

  const AnchorInstanceInfo* GetInputInstanceInfo(size_t index) const {
    return InstanceInfo(call_->input_parameters, index);
  }
  const AnchorInstanceInfo* GetOutputInstanceInfo(size_t index) const {
    return InstanceInfo(call_->output_parameters, index);
  }
  const CompileTimeTensorDesc* GetInputTdInfo(size_t index) const {
    return index < call_->input_count ? call_->input_descs + index : nullptr;
  }
  const CompileTimeTensorDesc* GetOutputTdInfo(size_t index) const {
    return index < call_->output_count ? call_->output_descs + index : nullptr;
  }

 private:
  static const AnchorInstanceInfo* InstanceInfo(
      const belay::abi::HostSpan<belay::abi::HostInstances>& parameters,
      size_t index) {
    static_assert(
        sizeof(AnchorInstanceInfo) == sizeof(belay::abi::HostInstances),
        "one is handed out as the other");
    if (index >= parameters.size) return nullptr;
    return reinterpret_cast<const AnchorInstanceInfo*>(parameters.data + index);
  }

  belay::abi::HostCall* call_;
};

}  // namespace gert

#endif  // BELAY_EXE_GRAPH_RUNTIME_COMPUTE_NODE_INFO_H_
