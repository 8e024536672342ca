// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_RUN_CALL_MEMORY_H_
#define BELAY_CRUX_RUN_CALL_MEMORY_H_

// The tensors of one call in global memory, laid out and named as those of an
// operator project; given back when it goes.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "crux/interpret/host_call.h"
#include "crux/interpret/interpret.h"
#include "crux/ir/tile.h"
#include "crux/run/part_of_launch.h"
#include "npu/chip.h"

namespace belay::crux::run {

class CallMemory {
 public:
  // `part`: inputs that show patterns; null: none.
  explicit CallMemory(npu::Chip& chip, const PartOfLaunch* part = nullptr)
      : chip_(chip), part_(part) {}
  ~CallMemory();
  CallMemory(const CallMemory&) = delete;
  CallMemory& operator=(const CallMemory&) = delete;

  // Places every parameter of the kernel that is given. False when global
  // memory is used up.
  bool Place(const ir::Kernel& kernel, interpret::HostCall& call,
             const interpret::Arguments& arguments);
  // Fresh memory of its own; 0 bytes: an address nobody may touch.
  uint64_t PlaceBytes(const void* contents, uint64_t bytes, std::string name);

  // For each tensor of the kernel: its address, or that of its list; 0: absent.
  const std::vector<uint64_t>& addresses() const { return addresses_; }
  bool exhausted() const { return exhausted_; }

  // Tensors that may only be read.
  struct Input {
    uint64_t address = 0;
    uint64_t bytes = 0;
    std::string name;  // "input 'x'"
  };
  const std::vector<Input>& inputs() const { return inputs_; }

  // What outputs hold now, in the kernel's order.
  std::vector<interpret::OutputTensor> ReadBack() const;
  // What is in the windows of outputs, one after the other; those that lie
  // outside give nothing.
  std::vector<std::byte> ReadWindows(
      const std::vector<PartOfLaunch::Window>& windows) const;

 private:
  struct Placed {
    uint64_t address = 0;
    std::string name;
    std::string parameter;
    size_t index = 0;
    DType dtype = DType::kNone;
    Shape shape;
  };
  uint64_t PlaceTensor(const ir::Tensor& tensor, interpret::HostCall& call,
                       const Array* given, size_t index);

  // Shows the pattern of the tensor, if it has one.
  void Repeat(const std::string& parameter, size_t index, uint64_t address,
              uint64_t bytes);

  npu::Chip& chip_;
  const PartOfLaunch* part_;
  std::vector<std::pair<uint64_t, uint64_t>> repeated_;  // address, bytes
  std::vector<uint64_t> allocations_;
  std::vector<uint64_t> addresses_;
  std::vector<Input> inputs_;
  std::vector<Placed> outputs_;
  bool exhausted_ = false;
};

}  // namespace belay::crux::run

#endif  // BELAY_CRUX_RUN_CALL_MEMORY_H_
