// SPDX-License-Identifier: Apache-2.0
#include "crux/run/call_memory.h"

#include <fmt/format.h>

#include <cstring>

#include "npu/repeated_pages.h"

namespace belay::crux::run {
namespace {

using typed::Parameter;
using typed::ParameterRole;

bool IsWritten(const Parameter& parameter) {
  return parameter.role == ParameterRole::kOut ||
         parameter.role == ParameterRole::kInOut;
}

std::string LabelOf(const Parameter& parameter, size_t index) {
  const char* kind = IsWritten(parameter) ? "output" : "input";
  return parameter.list
             ? fmt::format("tensor {} of {} '{}'", index, kind, parameter.name)
             : fmt::format("{} '{}'", kind, parameter.name);
}

}  // namespace

CallMemory::~CallMemory() {
  for (const auto& [address, bytes] : repeated_) {
    npu::UnmapRepeated(address, bytes);
  }
  for (const uint64_t address : allocations_) chip_.global().Free(address);
}

uint64_t CallMemory::PlaceBytes(const void* contents, uint64_t bytes,
                                std::string name) {
  npu::GlobalMemory& memory = chip_.global();
  const uint64_t address =
      bytes == 0 ? memory.AllocateEmpty() : memory.Allocate(bytes);
  if (address == 0) {
    exhausted_ = true;
    return 0;
  }
  allocations_.push_back(address);
  memory.SetLabel(address, {std::move(name)});
  chip_.NotifyAllocate(address, bytes);
  if (contents != nullptr && bytes != 0) {
    std::memcpy(reinterpret_cast<void*>(address), contents, bytes);
    chip_.NotifyHostWrite({address, bytes, 0});
  }
  return address;
}

uint64_t CallMemory::PlaceTensor(const ir::Tensor& tensor,
                                 interpret::HostCall& call, const Array* given,
                                 size_t index) {
  const Parameter& parameter = *tensor.parameter;
  const DType dtype = call.DtypeOf(parameter);
  Placed placed;
  placed.parameter = parameter.name;
  placed.name = parameter.list ? fmt::format("{}[{}]", parameter.name, index)
                               : parameter.name;
  placed.index = index;
  placed.dtype = dtype;
  placed.shape = call.ShapeOf(parameter, index);
  const uint64_t bytes =
      BytesOf(dtype, static_cast<size_t>(ElementCount(placed.shape)));
  const void* contents =
      given == nullptr || given->data.empty() ? nullptr : given->data.data();
  placed.address = PlaceBytes(contents, bytes, LabelOf(parameter, index));
  const uint64_t address = placed.address;
  if (address != 0) Repeat(parameter.name, index, address, bytes);
  if (IsWritten(parameter)) {
    outputs_.push_back(std::move(placed));
  } else {
    inputs_.push_back({address, bytes, LabelOf(parameter, index)});
  }
  return address;
}

void CallMemory::Repeat(const std::string& parameter, size_t index,
                        uint64_t address, uint64_t bytes) {
  if (part_ == nullptr) return;
  for (const PartOfLaunch::Pattern& pattern : part_->patterns) {
    if (pattern.parameter != parameter || pattern.index != index) continue;
    repeated_.emplace_back(address, bytes);
    if (!npu::MapRepeated(address, bytes, pattern.data, pattern.bytes)) {
      exhausted_ = true;
    }
    chip_.NotifyHostWrite({address, bytes, 0});
  }
}

bool CallMemory::Place(const ir::Kernel& kernel, interpret::HostCall& call,
                       const interpret::Arguments& arguments) {
  for (const ir::Tensor& tensor : kernel.tensors) {
    addresses_.push_back(0);
    if (tensor.parameter == nullptr || !call.IsGiven(*tensor.parameter)) {
      continue;
    }
    const auto found = arguments.tensors.find(tensor.parameter->name);
    const auto given = [&](size_t i) -> const Array* {
      return found == arguments.tensors.end() ? nullptr
                                              : &found->second.arrays[i];
    };
    if (!tensor.parameter->list) {
      addresses_.back() = PlaceTensor(tensor, call, given(0), 0);
      continue;
    }
    // As ascendc/list_tensor.h describes a list.
    std::vector<uint64_t> words = {0};
    std::vector<uint64_t> elements;
    for (size_t i = 0; i < call.Count(*tensor.parameter); ++i) {
      const Shape shape = call.ShapeOf(*tensor.parameter, i);
      words.push_back(shape.size() | uint64_t{i} << 32);
      words.insert(words.end(), shape.begin(), shape.end());
      elements.push_back(PlaceTensor(tensor, call, given(i), i));
    }
    words[0] = words.size() * sizeof(uint64_t);
    words.insert(words.end(), elements.begin(), elements.end());
    addresses_.back() =
        PlaceBytes(words.data(), words.size() * sizeof(uint64_t),
                   fmt::format("the list of '{}'", tensor.parameter->name));
  }
  return !exhausted_;
}

std::vector<interpret::OutputTensor> CallMemory::ReadBack() const {
  std::vector<interpret::OutputTensor> outputs;
  for (const Placed& placed : outputs_) {
    interpret::OutputTensor output;
    output.name = placed.name;
    output.parameter = placed.parameter;
    output.index = placed.index;
    output.array.dtype = placed.dtype;
    output.array.shape = placed.shape;
    output.array.data.resize(
        BytesOf(placed.dtype, static_cast<size_t>(ElementCount(placed.shape))));
    std::memcpy(output.array.data.data(),
                reinterpret_cast<const void*>(placed.address),
                output.array.data.size());
    outputs.push_back(std::move(output));
  }
  return outputs;
}

std::vector<std::byte> CallMemory::ReadWindows(
    const std::vector<PartOfLaunch::Window>& windows) const {
  std::vector<std::byte> bytes;
  for (const PartOfLaunch::Window& window : windows) {
    for (const Placed& placed : outputs_) {
      if (placed.parameter != window.parameter ||
          placed.index != window.index) {
        continue;
      }
      const uint64_t size = BytesOf(
          placed.dtype, static_cast<size_t>(ElementCount(placed.shape)));
      if (window.begin > window.end || window.end > size) continue;
      const auto* from =
          reinterpret_cast<const std::byte*>(placed.address + window.begin);
      bytes.insert(bytes.end(), from, from + (window.end - window.begin));
    }
  }
  return bytes;
}

}  // namespace belay::crux::run
