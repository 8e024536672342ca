// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_NPU_REQUIREMENTS_H_
#define BELAY_NPU_REQUIREMENTS_H_

// What the chip itself traps, checked before an instruction executes: operands
// outside their memory, misaligned addresses, parameters that do not fit the
// fields of an instruction.

#include "npu/chip.h"

namespace belay::npu {

// Parameters of a vector instruction that do not depend on its lanes: repeat,
// strides, element types. Throws Trap.
void RequireVectorParameters(const Chip& chip,
                             const abi::Instruction& instruction);

// Reports lanes the chip leaves out without saying so.
void WarnOfLostLanes(const Chip& chip, const Core& core,
                     const abi::Instruction& instruction, uint32_t per_repeat);

// Every operand that the instruction names inside the core's memory and
// aligned. Throws Trap.
void RequireNamedOperands(const Chip& chip, const Core& core,
                          const abi::Instruction& instruction,
                          const Lanes& lanes);

// The same, and what data and registers lead to. Throws Trap.
void RequireVectorOperands(const Chip& chip, const Core& core,
                           const abi::Instruction& instruction,
                           const Lanes& lanes);

// Both sides of a move. Rounds a length the chip cannot move down to what it
// does move, and reports that as a warning. Throws Trap.
void RequireTransfer(Chip& chip, const Core& core,
                     abi::Instruction& instruction);

// `address` a multiple of `alignment` bytes from the start of the core's
// memory. Throws Trap.
void RequireAligned(const Chip& chip, const Core& core, abi::Op op,
                    std::string_view what, abi::Memory memory, uint64_t address,
                    uint32_t alignment);

// [address, address + bytes) inside `memory` of the core, or inside one global
// allocation. `what` names the operand. Throws Trap.
void RequireRange(const Chip& chip, const Core& core, abi::Op op,
                  std::string_view what, abi::Memory memory, uint64_t address,
                  uint64_t bytes);

}  // namespace belay::npu

#endif  // BELAY_NPU_REQUIREMENTS_H_
