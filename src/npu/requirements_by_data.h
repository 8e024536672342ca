// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_NPU_REQUIREMENTS_BY_DATA_H_
#define BELAY_NPU_REQUIREMENTS_BY_DATA_H_

// What the chip traps of instructions whose operands are not plain tensors:
// tables reached by offsets, lists of addresses, bits, lists to be merged.

#include "npu/chip.h"

namespace belay::npu {

// A pattern that exists, or bits as wide as the elements. Throws Trap.
void RequireGatherMaskParameters(const abi::Instruction& instruction);

// Lengths that fit and lists that may take part; reports repeats that have no
// effect as a warning. Throws Trap.
void RequireMergeParameters(const Chip& chip,
                            const abi::Instruction& instruction);

// The memory data and registers lead to. The operands the instruction names
// must have been checked. Throws Trap.
void RequireByData(const Chip& chip, const Core& core,
                   const abi::Instruction& instruction, const Lanes& lanes);

}  // namespace belay::npu

#endif  // BELAY_NPU_REQUIREMENTS_BY_DATA_H_
