// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_NPU_EXECUTE_H_
#define BELAY_NPU_EXECUTE_H_

// What each vector instruction computes. Addresses in the record are host
// addresses that the caller has checked already.

#include "npu/lanes.h"

namespace belay::npu {

// Lanes per full repeat of a vector instruction: 256 bytes over its widest
// element.
uint32_t LanesPerRepeat(const abi::Instruction& instruction);

// True when the instruction exists for these element types on this chip.
bool SupportsDTypes(const abi::Instruction& instruction);

// True when the instruction has this rounding mode (Cast) or comparison for
// its element types. Where it has not, execution acts as if it had.
bool SupportsMode(const abi::Instruction& instruction);

// Executes one instruction of a vector family.
void ExecuteVector(const abi::Instruction& instruction, const Lanes& lanes,
                   VectorState& state);

}  // namespace belay::npu

#endif  // BELAY_NPU_EXECUTE_H_
