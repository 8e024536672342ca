// SPDX-License-Identifier: Apache-2.0
// A norm whose order is known when the kernel is called: variants for the
// orders that have an operation of their own, powers for the others.

#include <limits>

#include "crux/lower/lowering.h"

namespace belay::crux::lower {
namespace {

using typed::ExprKind;

}  // namespace

const typed::Expr* Lowering::LiteralLike(const Expr& expr, double number) {
  Expr* literal = NewExpr(ExprKind::kLiteral, expr.type.kind);
  literal->real = number;
  if (expr.type.kind == TypeKind::kHostInt) {
    literal->integer = static_cast<int64_t>(number);
    literal->value = Size(literal->integer);
  }
  return literal;
}

std::optional<double> Lowering::NormOrder(const Expr& order) {
  if (order.kind == ExprKind::kLiteral) {
    return order.type.kind == TypeKind::kHostFloat
               ? order.real
               : static_cast<double>(order.integer);
  }
  if (const auto constant = order.value.constant()) {
    return static_cast<double>(*constant);
  }
  if (order.type.kind == TypeKind::kHostFloat) {
    Expr* infinite = NewExpr(ExprKind::kOperation, TypeKind::kHostBool);
    infinite->op = Op::kIsInf;
    infinite->args = {&order};
    if (Decide(*infinite)) return std::numeric_limits<double>::infinity();
  }
  for (const double number : {1.0, 2.0}) {
    Expr* equal = NewExpr(ExprKind::kOperation, TypeKind::kHostBool);
    equal->op = Op::kEqual;
    equal->args = {&order, LiteralLike(order, number)};
    if (Decide(*equal)) return number;
  }
  return std::nullopt;
}

int Lowering::NormByPowers(int tile, const Expr& order, ir::Stmt sum,
                           std::vector<Dim> dims, Target* target) {
  const DType dtype = TileAt(tile).dtype;
  const std::vector<Dim> shape = TileAt(tile).dims;
  const auto convert = [&](int from, DType to, Target* where) {
    ir::Stmt stmt;
    stmt.op = Op::kTo;
    stmt.line = sum.line;
    stmt.operands = {from};
    stmt.round = abi::Round::kRint;
    return Compute(std::move(stmt), to, TileAt(from).dims, where);
  };
  const bool wide = dtype == DType::kFloat;
  const int line = sum.line;
  const int from = wide ? tile : convert(tile, DType::kFloat, nullptr);
  const int size =
      Compute(Op::kAbs, {from}, DType::kFloat, shape, nullptr, line);
  const int power = Compute(Op::kPow, {size, HostNumber(order)}, DType::kFloat,
                            shape, nullptr, line);
  Expr* root = NewExpr(ExprKind::kOperation, TypeKind::kHostFloat);
  root->op = Op::kDiv;
  Expr* one = NewExpr(ExprKind::kLiteral, TypeKind::kHostFloat);
  one->real = 1;
  root->args = {one, &order};
  sum.op = Op::kSum;
  sum.operands = {power};
  const int total = Compute(std::move(sum), DType::kFloat, dims, nullptr);
  const int result =
      Compute(Op::kPow, {total, HostNumber(*root)}, DType::kFloat, dims,
              wide ? target : nullptr, line);
  return wide ? result : convert(result, dtype, target);
}

}  // namespace belay::crux::lower
