// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_RUNTIME_OPERATORS_CALL_FRAME_H_
#define BELAY_RUNTIME_OPERATORS_CALL_FRAME_H_

// One call of an operator in the form its host functions are told it.

#include <memory>
#include <vector>

#include "belay/op_host.h"
#include "exe_graph/runtime/compute_node_info.h"
#include "exe_graph/runtime/tensor.h"
#include "exe_graph/runtime/tiling_data.h"
#include "platform/platform_info.h"
#include "runtime/operators/attributes.h"
#include "runtime/operators/definition.h"
#include "runtime/operators/plan.h"

namespace belay::runtime {

class CallFrame {
 public:
  // Bytes of tiling data that tiling may write. CANN does not document its
  // own limit; kernels copy the data to their small stack.
  static constexpr size_t kTilingCapacity = 65536;

  // All are borrowed.
  CallFrame(const Definition& definition, const OperatorCall& call,
            const std::vector<AttributeValue>& attributes,
            const abi::HostPlatform& platform);
  CallFrame(const CallFrame&) = delete;
  CallFrame& operator=(const CallFrame&) = delete;

  abi::HostCall* call() { return &call_; }

  // The outputs, as far as they are known. An unknown shape is a scalar's.
  void SetOutputs(const std::vector<CallArgument>& outputs);
  // What inference made of them.
  std::vector<CallArgument> outputs() const;

  // Formats of all tensors as this column has them.
  void SetColumn(size_t column);

 private:
  // Appends one tensor; `values` may be null.
  static void Append(const CallTensor& tensor, const void* values,
                     std::vector<gert::Tensor>& tensors,
                     std::vector<gert::CompileTimeTensorDesc>& descs);
  void Connect();

  const Definition& definition_;
  AttributeStorage attributes_;
  fe::PlatFormInfos platform_;
  std::vector<gert::Tensor> inputs_;
  std::vector<gert::Tensor> outputs_;
  std::vector<gert::CompileTimeTensorDesc> input_descs_;
  std::vector<gert::CompileTimeTensorDesc> output_descs_;
  std::vector<abi::HostInstances> input_parameters_;
  std::vector<abi::HostInstances> output_parameters_;
  std::vector<uint64_t> tiling_bytes_;
  gert::TilingData tiling_data_;
  abi::HostCall call_{};
};

}  // namespace belay::runtime

#endif  // BELAY_RUNTIME_OPERATORS_CALL_FRAME_H_
