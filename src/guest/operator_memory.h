// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_GUEST_OPERATOR_MEMORY_H_
#define BELAY_GUEST_OPERATOR_MEMORY_H_

// The arguments of one launch in global memory, each allocation named after
// its parameter.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "check/input_writes.h"
#include "guest/operator_kernel.h"
#include "npu/chip.h"

namespace belay::guest {

class OperatorMemory {
 public:
  // All must outlive it. What the kernel may only read is told to
  // `input_writes`; `results` is KernelRun::results.
  OperatorMemory(npu::Chip& chip, check::InputWrites& input_writes,
                 std::byte* results)
      : chip_(chip),
        memory_(chip.global()),
        input_writes_(input_writes),
        results_at_(results) {}

  // Allocates and fills all tensors, and appends to `words` what the kernel
  // gets for each argument: the tensor's address, 0 for an absent one, or the
  // address of a list's description (see ascendc/list_tensor.h). False when
  // memory ran out.
  bool Place(const std::vector<KernelArgument>& arguments,
             std::vector<uint64_t>& words);

  // The address of fresh memory; accesses outside it say what tiling asked
  // for. Without bytes an address nobody may touch. The workspace comes last:
  // GetUserWorkspace points far behind one that is too small, where nothing
  // else may lie.
  uint64_t PlaceTiling(const std::vector<std::byte>& bytes);
  uint64_t PlaceWorkspace(uint64_t bytes);

  bool exhausted() const { return exhausted_; }

  // Copies the bytes of all tensors with a place for results there.
  void CopyBack() const;

 private:
  struct Placed {
    uint64_t address;
    uint64_t bytes;
    std::byte* result;
  };

  uint64_t PlaceBytes(const void* bytes, uint64_t count,
                      npu::GlobalMemory::Label label);
  // One tensor of the argument; messages call it `label`.
  uint64_t PlaceTensor(const KernelTensor& tensor, const std::string& label,
                       const KernelArgument& argument);
  uint64_t PlaceList(const KernelArgument& argument);

  npu::Chip& chip_;
  npu::GlobalMemory& memory_;
  check::InputWrites& input_writes_;
  std::byte* results_at_;
  std::vector<Placed> results_;
  bool exhausted_ = false;
};

}  // namespace belay::guest

#endif  // BELAY_GUEST_OPERATOR_MEMORY_H_
