// SPDX-License-Identifier: Apache-2.0
#include "clock/vector_flops.h"

#include <string>

#include "base/error.h"
#include "npu/names.h"

namespace belay::clock {

int VectorFlops(abi::Op op) {
  using abi::Op;
  switch (op) {
    case Op::kAnd:
    case Op::kNot:
    case Op::kOr:
    case Op::kShiftLeft:
    case Op::kShiftRight:
      return 0;
    case Op::kAddDeqRelu:
    case Op::kFusedMulAddRelu:
      return 3;
    case Op::kAddRelu:
    case Op::kAddReluCast:
    case Op::kAxpy:
    case Op::kFusedMulAdd:
    case Op::kMulAddDst:
    case Op::kSubRelu:
    case Op::kSubReluCast:
      return 2;
    case Op::kCastDequant:
      return 1;
    default:
      break;
  }
  switch (npu::FamilyOf(op)) {
    case npu::Family::kUnary:
    case npu::Family::kBinary:
    case npu::Family::kFused:
    case npu::Family::kScalar:
    case npu::Family::kCompare:
    case npu::Family::kSelect:
    case npu::Family::kReduce:
    case npu::Family::kReduceParts:
      return 1;
    default:
      return 0;
  }
}

int LaneBits(const VectorCost& cost) {
  const size_t point = cost.name.rfind(".b");
  if (point == std::string::npos) {
    throw InternalError("vector cost without a width: " + cost.name);
  }
  return std::stoi(cost.name.substr(point + 2));
}

}  // namespace belay::clock
