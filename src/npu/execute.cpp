// SPDX-License-Identifier: Apache-2.0
#include "npu/execute.h"

#include "base/error.h"
#include "npu/names.h"
#include "npu/vector/families.h"

namespace belay::npu {

void ExecuteVector(const abi::Instruction& instruction, const Lanes& lanes,
                   VectorState& state) {
  switch (FamilyOf(instruction.op)) {
    case Family::kUnary:
    case Family::kBinary:
    case Family::kScalar:
      return ExecuteElementwise(instruction, lanes, state);
    case Family::kFused:
      return ExecuteFused(instruction, lanes, state);
    case Family::kCast:
      return instruction.op == abi::Op::kCast
                 ? ExecuteCast(instruction, lanes, state)
                 : ExecuteCastDequant(instruction, lanes, state);
    case Family::kCompare:
      return ExecuteCompare(instruction, lanes, state);
    case Family::kCmpMask:
      return ExecuteCmpMask(instruction, state);
    case Family::kSelect:
      return ExecuteSelect(instruction, lanes, state);
    case Family::kReduce:
      return ExecuteReduce(instruction, lanes, state);
    case Family::kReduceParts:
      return ExecuteReduceParts(instruction, lanes, state);
    case Family::kDuplicate:
      return ExecuteDuplicate(instruction, lanes);
    case Family::kGather:
      return ExecuteGather(instruction, lanes);
    case Family::kBrcb:
      return ExecuteBrcb(instruction, lanes);
    case Family::kIndex:
      return ExecuteCreateVecIndex(instruction, lanes, state);
    case Family::kCopy:
      return ExecuteCopy(instruction, lanes);
    case Family::kGatherb:
      return ExecuteGatherb(instruction, lanes);
    case Family::kGatherMask:
      return ExecuteGatherMask(instruction, lanes, state);
    case Family::kSort:
      return ExecuteSort32(instruction, lanes);
    case Family::kMerge:
      return ExecuteMrgSort(instruction, lanes, state);
    case Family::kTranspose:
      return ExecuteTranspose(instruction, lanes);
    case Family::kTransposeLists:
      return ExecuteTransDataTo5HD(instruction, lanes);
    default:
      break;
  }
  throw InternalError("ExecuteVector: no such vector instruction");
}

}  // namespace belay::npu
