// SPDX-License-Identifier: Apache-2.0
#include "npu/execute.h"

#include "base/error.h"
#include "npu/names.h"
#include "npu/vector/families.h"

namespace belay::npu {
namespace {

constexpr Family kFamilies[] = {
    Family::kNone,  // kInvalid
#define BELAY_OPERATION(name, family) Family::k##family,
#include "belay/operations.def"
#undef BELAY_OPERATION
};

}  // namespace

void ExecuteVector(const abi::Instruction& instruction, const Lanes& lanes,
                   VectorState& state) {
  switch (kFamilies[static_cast<int>(instruction.op)]) {
    case Family::kUnary:
    case Family::kBinary:
    case Family::kScalar:
      return ExecuteElementwise(instruction, lanes, state);
    case Family::kCast:
      if (instruction.op != abi::Op::kCast) break;
      return ExecuteCast(instruction, lanes, state);
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
    default:
      break;
  }
  throw InternalError("ExecuteVector: no such vector instruction");
}

}  // namespace belay::npu
