// SPDX-License-Identifier: Apache-2.0
#include "runtime/operators/call_frame.h"

#include "runtime/operators/host_types.h"

namespace belay::runtime {

CallFrame::CallFrame(const Definition& definition, const OperatorCall& call,
                     const std::vector<AttributeValue>& attributes,
                     const abi::HostPlatform& platform)
    : definition_(definition),
      attributes_(attributes),
      platform_(&platform),
      tiling_bytes_(kTilingCapacity / sizeof(uint64_t)),
      tiling_data_(tiling_bytes_.data(), kTilingCapacity) {
  for (const CallArgument& argument : call.inputs) {
    input_parameters_.push_back({static_cast<uint32_t>(inputs_.size()),
                                 static_cast<uint32_t>(argument.size())});
    for (const CallTensor& tensor : argument) {
      Append(tensor, tensor.values.empty() ? nullptr : tensor.values.data(),
             inputs_, input_descs_);
    }
  }
  call_.type = definition.signature.type.c_str();
  call_.name = definition.signature.type.c_str();
  call_.attributes = attributes_.attributes();
  call_.platform = &platform_;
  call_.deterministic = call.deterministic ? 1 : 0;
  call_.tiling_data = &tiling_data_;
  Connect();
}

void CallFrame::SetOutputs(const std::vector<CallArgument>& outputs) {
  outputs_.clear();
  output_descs_.clear();
  output_parameters_.clear();
  for (const CallArgument& argument : outputs) {
    output_parameters_.push_back({static_cast<uint32_t>(outputs_.size()),
                                  static_cast<uint32_t>(argument.size())});
    for (const CallTensor& tensor : argument) {
      Append(tensor, nullptr, outputs_, output_descs_);
    }
  }
  Connect();
}

std::vector<CallArgument> CallFrame::outputs() const {
  std::vector<CallArgument> result;
  for (const abi::HostInstances& parameter : output_parameters_) {
    CallArgument& argument = result.emplace_back();
    for (uint32_t i = 0; i < parameter.count; ++i) {
      const size_t at = parameter.start + i;
      argument.push_back({FromHost(output_descs_[at].GetDataType()),
                          FromHost(outputs_[at].GetOriginShape()),
                          {}});
    }
  }
  return result;
}

void CallFrame::SetColumn(size_t column) {
  const auto set = [&](const std::vector<abi::HostInstances>& parameters,
                       const std::vector<ParameterDetails>& details,
                       std::vector<gert::Tensor>& tensors,
                       std::vector<gert::CompileTimeTensorDesc>& descs) {
    for (size_t i = 0; i < parameters.size(); ++i) {
      const ge::Format format = details[i].formats[column];
      for (uint32_t j = 0; j < parameters[i].count; ++j) {
        const size_t at = parameters[i].start + j;
        tensors[at].SetStorageFormat(format);
        tensors[at].SetOriginFormat(format);
        descs[at].SetStorageFormat(format);
        descs[at].SetOriginFormat(format);
      }
    }
  };
  set(input_parameters_, definition_.inputs, inputs_, input_descs_);
  set(output_parameters_, definition_.outputs, outputs_, output_descs_);
}

void CallFrame::Append(const CallTensor& tensor, const void* values,
                       std::vector<gert::Tensor>& tensors,
                       std::vector<gert::CompileTimeTensorDesc>& descs) {
  const gert::Shape shape = ToHost(tensor.shape);
  const ge::DataType type = ToHost(tensor.dtype);
  const gert::StorageFormat format;
  tensors.emplace_back(gert::StorageShape(shape, shape), format,
                       values == nullptr ? gert::kOnDeviceHbm : gert::kOnHost,
                       type, const_cast<void*>(values));
  descs.emplace_back(type, format);
}

void CallFrame::Connect() {
  call_.inputs = inputs_.data();
  call_.outputs = outputs_.data();
  call_.input_descs = input_descs_.data();
  call_.output_descs = output_descs_.data();
  call_.input_count = inputs_.size();
  call_.output_count = outputs_.size();
  call_.input_parameters = {input_parameters_.data(), input_parameters_.size()};
  call_.output_parameters = {output_parameters_.data(),
                             output_parameters_.size()};
}

}  // namespace belay::runtime
