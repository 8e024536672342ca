// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_NPU_VECTOR_FAMILIES_H_
#define BELAY_NPU_VECTOR_FAMILIES_H_

// One function for each family of vector instructions. The instruction's
// types and mode must be ones the chip has.

#include "npu/lanes.h"
#include "npu/vector_state.h"

namespace belay::npu {

// Unary, Binary, Scalar.
void ExecuteElementwise(const abi::Instruction& instruction, const Lanes& lanes,
                        const VectorState& state);
void ExecuteCast(const abi::Instruction& instruction, const Lanes& lanes,
                 const VectorState& state);
void ExecuteCompare(const abi::Instruction& instruction, const Lanes& lanes,
                    VectorState& state);
void ExecuteCmpMask(const abi::Instruction& instruction, VectorState& state);
void ExecuteSelect(const abi::Instruction& instruction, const Lanes& lanes,
                   VectorState& state);
void ExecuteReduce(const abi::Instruction& instruction, const Lanes& lanes,
                   VectorState& state);
void ExecuteReduceParts(const abi::Instruction& instruction, const Lanes& lanes,
                        VectorState& state);
void ExecuteDuplicate(const abi::Instruction& instruction, const Lanes& lanes);
void ExecuteGather(const abi::Instruction& instruction, const Lanes& lanes);
void ExecuteBrcb(const abi::Instruction& instruction, const Lanes& lanes);

}  // namespace belay::npu

#endif  // BELAY_NPU_VECTOR_FAMILIES_H_
