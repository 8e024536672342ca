// SPDX-License-Identifier: Apache-2.0
// Unary, Binary, Scalar and Cast: one flat function, run over the lanes.

#include <bit>

#include "npu/vector/families.h"
#include "npu/vector/flat_runner.h"
#include "npu/vector/variants.h"

namespace belay::npu {
namespace {

int FlavourOf(const abi::Instruction& instruction, const VectorState& state) {
  const bool refined = instruction.op == abi::Op::kShiftRight
                           ? (instruction.mode & 1) != 0
                           : state.exact_reciprocal;
  return (state.saturate ? kSaturate : kPlain) | (refined ? kRefined : kPlain);
}

bool HasTwoTensors(abi::Op op) {
  switch (op) {
    case abi::Op::kAdd:
    case abi::Op::kAddRelu:
    case abi::Op::kAnd:
    case abi::Op::kDiv:
    case abi::Op::kMax:
    case abi::Op::kMin:
    case abi::Op::kMul:
    case abi::Op::kOr:
    case abi::Op::kSub:
    case abi::Op::kSubRelu:
      return true;
    default:
      return false;
  }
}

}  // namespace

void ExecuteElementwise(const abi::Instruction& instruction, const Lanes& lanes,
                        const VectorState& state) {
  const abi::Operand& source = instruction.src0;
  FlatFunction function =
      Flat().elementwise[static_cast<int>(instruction.op)][static_cast<int>(
          source.dtype)][FlavourOf(instruction, state)];
  FlatOperands operands{&instruction.dst, &source};
  if (HasTwoTensors(instruction.op)) operands.b = &instruction.src1;
  if (instruction.op == abi::Op::kAxpy) {
    operands.b = &instruction.dst;
    if (instruction.dst.dtype != source.dtype) function = Flat().axpy_widening;
  }
  RunFlat(function, operands, instruction.scalar, lanes);
}

void ExecuteCast(const abi::Instruction& instruction, const Lanes& lanes,
                 const VectorState& state) {
  const FlatFunction function =
      Flat().cast[static_cast<int>(instruction.src0.dtype)][static_cast<int>(
          instruction.dst.dtype)][instruction.mode][state.saturate ? 1 : 0];
  RunFlat(function, {&instruction.dst, &instruction.src0},
          std::bit_cast<uint32_t>(state.deq_scale), lanes);
}

}  // namespace belay::npu
