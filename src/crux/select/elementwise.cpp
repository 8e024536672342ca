// SPDX-License-Identifier: Apache-2.0
#include "crux/select/elementwise.h"

#include <fmt/format.h>

#include "base/error.h"

namespace belay::crux::select {

DType OperandDtype(const Emitter& emitter, const ir::Stmt& stmt) {
  for (const ir::Operand& operand : stmt.operands) {
    if (const int* tile = std::get_if<int>(&operand)) {
      return emitter.DtypeOf(*tile);
    }
  }
  return emitter.DtypeOf(stmt.results[0]);
}

Lane LaneOfOperand(Emitter& emitter, const ir::Operand& operand, DType dtype) {
  if (const int* tile = std::get_if<int>(&operand)) {
    return LaneOf(emitter, *tile);
  }
  return FilledWith(emitter, dtype,
                    ScalarOf(std::get<ir::Number>(operand), dtype));
}

ScalarPtr NegatedScalar(const ir::Number& number, DType dtype) {
  switch (number.kind) {
    case ir::Number::Kind::kReal:
      return Real(dtype, -number.real);
    case ir::Number::Kind::kInt:
      return Whole(dtype, Int(0) - number.integer);
    case ir::Number::Kind::kHostReal:
      return Unary("-", ScalarOf(number, dtype));
  }
  throw InternalError("[crux] a number of no kind");
}

void ByScalars(
    Emitter& emitter, const ir::Stmt& stmt,
    const std::function<ScalarPtr(const std::vector<ScalarPtr>&)>& value) {
  const int result = stmt.results[0];
  const Layout layout = emitter.LayoutOf(result);
  const DType numbers = OperandDtype(emitter, stmt);
  ForEachElement(
      emitter, emitter.TileOf(result).dims,
      [&](const std::vector<Int>& indices) {
        std::vector<ScalarPtr> scalars;
        for (const ir::Operand& operand : stmt.operands) {
          if (const auto* number = std::get_if<ir::Number>(&operand)) {
            scalars.push_back(ScalarOf(*number, numbers));
            continue;
          }
          const int tile = std::get<int>(operand);
          const Int offset = emitter.LayoutOf(tile).Offset(
              BroadcastIndices(emitter.TileOf(tile).dims, indices));
          scalars.push_back(
              Element(emitter.DtypeOf(tile), emitter.At(tile, offset)));
        }
        emitter.SetValue(emitter.At(result, layout.Offset(indices)),
                         value(scalars));
      });
}

void SelectElementwise(Emitter& emitter, const ir::Stmt& stmt) {
  switch (InfoOf(stmt.op).family) {
    case OpFamily::kMake:
      return SelectMake(emitter, stmt);
    case OpFamily::kConvert:
      return SelectConvert(emitter, stmt);
    case OpFamily::kCompare:
      return stmt.op == Op::kWhere ? SelectWhere(emitter, stmt)
                                   : SelectCompare(emitter, stmt);
    case OpFamily::kElementwise:
      return IsFloating(OperandDtype(emitter, stmt))
                 ? SelectFloating(emitter, stmt)
                 : SelectWhole(emitter, stmt);
    default:
      throw InternalError(
          fmt::format("[crux] {} is not elementwise", InfoOf(stmt.op).id));
  }
}

bool RunsInPlace(const ir::Kernel& kernel, const ir::Stmt& stmt, size_t i) {
  if (stmt.kind != ir::StmtKind::kCompute) return false;
  const int* operand = std::get_if<int>(&stmt.operands[i]);
  if (operand == nullptr) return false;
  const DType dtype = kernel.tiles[*operand].dtype;
  const DType result = kernel.tiles[stmt.results[0]].dtype;
  const size_t bytes = BytesOf(dtype);
  if ((bytes != 2 && bytes != 4) || BytesOf(result) != bytes) return false;
  if (stmt.op == Op::kMul && stmt.operands.size() == 3) {
    return i == PlaceOfMultiplyAdd(stmt);
  }
  switch (stmt.op) {
    case Op::kAdd:
    case Op::kSub:
    case Op::kMul:
    case Op::kDiv:
    case Op::kNegate:
    case Op::kExp:
    case Op::kLn:
    case Op::kSqrt:
    case Op::kFloor:
    case Op::kCeil:
    case Op::kRound:
    case Op::kTrunc:
    case Op::kWhere:
      return true;
    case Op::kAbs:
    case Op::kMaximum:
    case Op::kMinimum:
    case Op::kSign:
      return IsFloating(dtype);
    case Op::kLess:
    case Op::kLessEqual:
    case Op::kGreater:
    case Op::kGreaterEqual:
    case Op::kEqual:
    case Op::kNotEqual:
      return true;
    case Op::kTo:  // one instruction
      return dtype == DType::kInt32 && result == DType::kFloat;
    default:
      return false;
  }
}

}  // namespace belay::crux::select
