// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_NPU_TRANSFER_H_
#define BELAY_NPU_TRANSFER_H_

// Moves between memories, with padding and with atomic accumulation into
// global memory.

#include <cstddef>

#include "npu/vector_state.h"

namespace belay::npu {

// The bytes a move touches on one side: `blocks` runs of `block` bytes, `step`
// bytes from the start of one to the start of the next.
struct TransferSide {
  uint64_t blocks;
  uint64_t block;
  int64_t step;

  // From the first byte to the end of the last; steps go forwards.
  uint64_t Extent() const {
    return blocks == 0 || block == 0 ? 0 : (blocks - 1) * step + block;
  }
};

TransferSide SourceOf(const abi::Instruction& instruction);

// Padding included.
TransferSide DestinationOf(const abi::Instruction& instruction);

// Whether moves to global memory can combine elements of this type this way.
bool CanAccumulate(abi::Atomic how, abi::DType dtype);

// to[i] = to[i] + from[i], or the greater or the smaller, for `bytes` of whole
// elements.
void AccumulateInto(abi::Atomic how, abi::DType dtype, std::byte* to,
                    const std::byte* from, uint64_t bytes);

// Whether half becomes float: from L1 to the bias table.
bool Widens(const abi::Instruction& instruction);

// Executes a DataCopy or DataCopyPad whose ranges were checked. Padding that
// the chip leaves undefined is poisoned.
void ExecuteTransfer(const abi::Instruction& instruction,
                     const VectorState& state);

}  // namespace belay::npu

#endif  // BELAY_NPU_TRANSFER_H_
