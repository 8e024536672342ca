// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_NPU_CUBE_REQUIREMENTS_H_
#define BELAY_NPU_CUBE_REQUIREMENTS_H_

// What the chip itself traps in cube instructions: operands in the wrong
// memory, misaligned or outside it, sizes that fit no fractal, parameters that
// fit no field, types and modes there is no instruction for.

#include "npu/chip.h"

namespace belay::npu {

// For a record that CompleteCube completed and IsNothing is false for. Throws
// Trap.
void RequireCube(const Chip& chip, const Core& core,
                 const abi::Instruction& instruction);

// Unit flags: an Mmad that is to write what Fixpipe has not taken out yet, or
// a Fixpipe of what no Mmad handed over, waits for ever. Throws Trap; else
// leaves the flags as the instruction does.
void PassUnitFlags(const Chip& chip, Core& core,
                   const abi::Instruction& instruction);

}  // namespace belay::npu

#endif  // BELAY_NPU_CUBE_REQUIREMENTS_H_
