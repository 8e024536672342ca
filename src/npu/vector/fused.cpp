// SPDX-License-Identifier: Apache-2.0
// The Fused family: one flat function, run over the lanes.

#include <bit>

#include "npu/vector/families.h"
#include "npu/vector/flat_runner.h"
#include "npu/vector/variants.h"

namespace belay::npu {

void ExecuteFused(const abi::Instruction& instruction, const Lanes& lanes,
                  const VectorState& state) {
  const abi::Op op = instruction.op;
  const FlatFunction function =
      Flat().fused[FusedIndex(op)][static_cast<int>(instruction.src0.dtype)]
                  [static_cast<int>(instruction.dst.dtype)]
                  [state.saturate ? 1 : 0];
  const FlatOperands operands{&instruction.dst, &instruction.src0,
                              &instruction.src1, ReadsDestination(op)};
  RunFlat(function, operands, std::bit_cast<uint32_t>(state.deq_scale), lanes);
}

}  // namespace belay::npu
