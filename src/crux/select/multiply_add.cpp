// SPDX-License-Identifier: Apache-2.0
// A product and a sum in one instruction, where the storage of tiles allows it.

#include "crux/select/elementwise.h"

namespace belay::crux::select {
size_t PlaceOfMultiplyAdd(const ir::Stmt& stmt) {
  return std::holds_alternative<ir::Number>(stmt.operands[1]) ? 2 : 0;
}

void SelectMultiplyAdd(Emitter& emitter, const ir::Stmt& stmt) {
  // A result that takes no operand over shares no memory with any.
  const bool in_place =
      emitter.MemoryOf(stmt.results[0]) ==
      emitter.MemoryOf(std::get<int>(stmt.operands[PlaceOfMultiplyAdd(stmt)]));
  const Lane dst = LaneOf(emitter, stmt.results[0]);
  const Lane left = LaneOf(emitter, std::get<int>(stmt.operands[0]));
  const Lane added = LaneOf(emitter, std::get<int>(stmt.operands[2]));
  if (const auto* number = std::get_if<ir::Number>(&stmt.operands[1])) {
    const ScalarPtr factor = ScalarOf(*number, DType::kFloat);
    if (in_place) {
      return VectorScalar(emitter, "Axpy", dst, left, factor);
    }
    VectorScalar(emitter, "Muls", dst, left, factor);
    return VectorBinary(emitter, "Add", dst, dst, added);
  }
  const Lane right = LaneOf(emitter, std::get<int>(stmt.operands[1]));
  if (in_place) {
    return VectorBinary(emitter, "FusedMulAdd", dst, right, added);
  }
  VectorBinary(emitter, "Mul", dst, left, right);
  VectorBinary(emitter, "Add", dst, dst, added);
}

}  // namespace belay::crux::select
