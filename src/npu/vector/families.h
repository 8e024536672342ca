// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_NPU_VECTOR_FAMILIES_H_
#define BELAY_NPU_VECTOR_FAMILIES_H_

// One function for each family of vector instructions. The instruction's
// types and mode must be ones the chip has.

#include "npu/lanes.h"
#include "npu/vector_state.h"

namespace belay::npu {

// True for operations that read dst[i] before they write it.
constexpr bool ReadsDestination(abi::Op op) {
  return op == abi::Op::kAxpy || op == abi::Op::kFusedMulAdd ||
         op == abi::Op::kFusedMulAddRelu || op == abi::Op::kMulAddDst;
}

// Unary, Binary, Scalar.
void ExecuteElementwise(const abi::Instruction& instruction, const Lanes& lanes,
                        const VectorState& state);
void ExecuteFused(const abi::Instruction& instruction, const Lanes& lanes,
                  const VectorState& state);
void ExecuteCast(const abi::Instruction& instruction, const Lanes& lanes,
                 const VectorState& state);
void ExecuteCastDequant(const abi::Instruction& instruction, const Lanes& lanes,
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
void ExecuteCreateVecIndex(const abi::Instruction& instruction,
                           const Lanes& lanes, const VectorState& state);
void ExecuteCopy(const abi::Instruction& instruction, const Lanes& lanes);
void ExecuteGatherb(const abi::Instruction& instruction, const Lanes& lanes);
void ExecuteGatherMask(const abi::Instruction& instruction, const Lanes& lanes,
                       VectorState& state);
void ExecuteSort32(const abi::Instruction& instruction, const Lanes& lanes);
void ExecuteMrgSort(const abi::Instruction& instruction, const Lanes& lanes,
                    VectorState& state);
void ExecuteTranspose(const abi::Instruction& instruction, const Lanes& lanes);
void ExecuteTransDataTo5HD(const abi::Instruction& instruction,
                           const Lanes& lanes);

}  // namespace belay::npu

#endif  // BELAY_NPU_VECTOR_FAMILIES_H_
