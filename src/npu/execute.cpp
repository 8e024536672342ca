// SPDX-License-Identifier: Apache-2.0
#include "npu/execute.h"

#include "base/error.h"
#include "npu/vector/families.h"

namespace belay::npu {
namespace {

// The vector families of belay/operations.def, and one for all others.
enum class Family {
  kUnary,
  kBinary,
  kScalar,
  kCast,
  kCompare,
  kCmpMask,
  kSelect,
  kReduce,
  kReduceParts,
  kDuplicate,
  kGather,
  kBrcb,
  kRegister,
  kTransfer,
  kSync,
  kQueue,
};

constexpr Family kFamilies[] = {
    Family::kRegister,  // kInvalid
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
    case Family::kRegister:
    case Family::kTransfer:
    case Family::kSync:
    case Family::kQueue:
      break;
  }
  throw InternalError("ExecuteVector: not a vector instruction");
}

}  // namespace belay::npu
