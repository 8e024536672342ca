// SPDX-License-Identifier: Apache-2.0
#include "guest/operator_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/catalogue.h"
#include "belay/guest_abi.h"
#include "npu/repeated_pages.h"

namespace belay::guest {

uint64_t OperatorMemory::PlaceBytes(const void* bytes, uint64_t count,
                                    npu::GlobalMemory::Label label) {
  const uint64_t address =
      count == 0 ? memory_.AllocateEmpty() : memory_.Allocate(count);
  if (address == 0) {
    exhausted_ = true;
    return 0;
  }
  memory_.SetLabel(address, std::move(label));
  chip_.NotifyAllocate(address, count);
  if (bytes != nullptr && count != 0) {
    std::memcpy(reinterpret_cast<void*>(address), bytes, count);
    chip_.NotifyHostWrite({address, count, 0});
  }
  return address;
}

uint64_t OperatorMemory::PlaceTensor(const KernelTensor& tensor,
                                     const std::string& label,
                                     const KernelArgument& argument) {
  const std::vector<std::byte>& fill = argument.fill;
  const uint64_t bytes =
      BytesOf(tensor.dtype, static_cast<size_t>(ElementCount(tensor.shape)));
  const uint64_t address = PlaceBytes(tensor.contents, bytes, {label, {}, {}});
  if (address != 0 && !tensor.pattern.empty()) {
    exhausted_ |= !npu::MapRepeated(address, bytes, tensor.pattern.data(),
                                    tensor.pattern.size());
    chip_.NotifyHostWrite({address, bytes, 0});
  }
  if (argument.read_only && address != 0) {
    input_writes_.Protect(address, bytes, label);
  }
  if (chip_.timing_only() != nullptr) return address;
  for (uint64_t at = 0; address != 0 && at < bytes && !fill.empty();
       at += fill.size()) {
    std::memcpy(reinterpret_cast<void*>(address + at), fill.data(),
                std::min<uint64_t>(fill.size(), bytes - at));
  }
  if (address != 0 && !fill.empty()) chip_.NotifyHostWrite({address, bytes, 0});
  if (address != 0 && tensor.result) {
    results_.push_back({address, bytes, results_at_ + *tensor.result});
  }
  for (const KernelTensor::Window& window : tensor.windows) {
    if (address == 0 || window.end > bytes) continue;
    results_.push_back({address + window.begin, window.end - window.begin,
                        results_at_ + window.result});
  }
  return address;
}

uint64_t OperatorMemory::PlaceList(const KernelArgument& argument) {
  std::vector<uint64_t> words = {0};
  std::vector<uint64_t> addresses;
  for (size_t i = 0; i < argument.tensors.size(); ++i) {
    const KernelTensor& tensor = argument.tensors[i];
    words.push_back(tensor.shape.size() | uint64_t{i} << 32);
    for (const int64_t size : tensor.shape) {
      words.push_back(static_cast<uint64_t>(size));
    }
    addresses.push_back(PlaceTensor(
        tensor, fmt::format("tensor {} of {}", i, argument.label), argument));
  }
  words[0] = words.size() * sizeof(uint64_t);
  words.insert(words.end(), addresses.begin(), addresses.end());
  return PlaceBytes(words.data(), words.size() * sizeof(uint64_t),
                    {fmt::format("the list of {}", argument.label), {}, {}});
}

bool OperatorMemory::Place(const std::vector<KernelArgument>& arguments,
                           std::vector<uint64_t>& words) {
  const size_t first = words.size();
  for (const KernelArgument& argument : arguments) {
    if (argument.same_as) {
      words.push_back(words[first + *argument.same_as]);
    } else if (argument.is_list) {
      words.push_back(PlaceList(argument));
    } else if (argument.tensors.empty()) {
      words.push_back(0);
    } else {
      words.push_back(
          PlaceTensor(argument.tensors.front(), argument.label, argument));
    }
  }
  return !exhausted_;
}

uint64_t OperatorMemory::PlaceTiling(const std::vector<std::byte>& bytes) {
  return PlaceBytes(bytes.data(), bytes.size(),
                    {"the tiling data", code::kH106,
                     "let tiling write (SaveToBuffer, SetDataSize) all that "
                     "the kernel reads"});
}

uint64_t OperatorMemory::PlaceWorkspace(uint64_t bytes) {
  return PlaceBytes(
      nullptr, bytes,
      {"the workspace", code::kH107,
       fmt::format("tiling asked for {} (GetWorkspaceSizes): let it ask for "
                   "what the kernel uses; GetUserWorkspace skips the first {} "
                   "bytes, which are the system's (GetLibApiWorkSpaceSize)",
                   bytes == 0 ? "none" : fmt::format("{} bytes", bytes),
                   abi::kSystemWorkspaceBytes)});
}

void OperatorMemory::CopyBack() const {
  for (const Placed& placed : results_) {
    std::memcpy(placed.result, reinterpret_cast<const void*>(placed.address),
                placed.bytes);
  }
}

}  // namespace belay::guest
