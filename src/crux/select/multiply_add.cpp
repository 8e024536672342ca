// SPDX-License-Identifier: Apache-2.0
// A product and a sum in one instruction, where the storage of tiles allows it.

#include "crux/select/elementwise.h"

namespace belay::crux::select {
namespace {

bool IsNumber(const ir::Operand& operand) {
  return std::holds_alternative<ir::Number>(operand);
}

}  // namespace

size_t PlaceOfMultiplyAdd(const ir::Stmt& stmt) {
  return IsNumber(stmt.operands[1]) && !IsNumber(stmt.operands[2]) ? 2 : 0;
}

void SelectMultiplyAdd(Emitter& emitter, const ir::Stmt& stmt) {
  // A result that takes no operand over shares no memory with any.
  const size_t place = PlaceOfMultiplyAdd(stmt);
  const bool in_place = emitter.MemoryOf(stmt.results[0]) ==
                        emitter.MemoryOf(std::get<int>(stmt.operands[place]));
  const Lane dst = LaneOf(emitter, stmt.results[0]);
  const Lane left = LaneOf(emitter, std::get<int>(stmt.operands[0]));
  if (in_place && place == 0) {
    return VectorBinary(
        emitter, "FusedMulAdd", dst,
        LaneOfOperand(emitter, stmt.operands[1], DType::kFloat),
        LaneOfOperand(emitter, stmt.operands[2], DType::kFloat));
  }
  if (const auto* number = std::get_if<ir::Number>(&stmt.operands[1])) {
    const ScalarPtr factor = ScalarOf(*number, DType::kFloat);
    if (in_place) return VectorScalar(emitter, "Axpy", dst, left, factor);
    VectorScalar(emitter, "Muls", dst, left, factor);
  } else {
    VectorBinary(emitter, "Mul", dst, left,
                 LaneOf(emitter, std::get<int>(stmt.operands[1])));
  }
  if (const auto* number = std::get_if<ir::Number>(&stmt.operands[2])) {
    return VectorScalar(emitter, "Adds", dst, dst,
                        ScalarOf(*number, DType::kFloat));
  }
  VectorBinary(emitter, "Add", dst, dst,
               LaneOf(emitter, std::get<int>(stmt.operands[2])));
}

void SelectWidenedSum(Emitter& emitter, const ir::Stmt& sum,
                      const ir::Stmt& to) {
  const int widened = to.results[0];
  const int left = std::get<int>(sum.operands[0]);
  const int other = left == widened ? std::get<int>(sum.operands[1]) : left;
  const Lane dst = LaneOf(emitter, sum.results[0]);
  const Lane source = LaneOf(emitter, std::get<int>(to.operands[0]));
  const bool adds = sum.op == Op::kAdd;
  if (emitter.MemoryOf(sum.results[0]) == emitter.MemoryOf(other)) {
    return VectorScalar(emitter, "Axpy", dst, source,
                        Real(DType::kHalf, adds ? 1 : -1));
  }
  ConvertLanes(emitter, dst, source, to.round);
  VectorBinary(emitter, adds ? "Add" : "Sub", dst,
               adds ? dst : LaneOf(emitter, other),
               adds ? LaneOf(emitter, other) : dst);
}

}  // namespace belay::crux::select
