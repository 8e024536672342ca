// SPDX-License-Identifier: Apache-2.0
// Indices, ranges and integers of the device; and how large they can be.

#include <fmt/format.h>

#include "base/error.h"
#include "crux/lower/int_ops.h"
#include "crux/lower/lowering.h"

namespace belay::crux::lower {
namespace {

using ir::IntKind;
using typed::ExprKind;

std::optional<Int> Comparison(Op op, const Int& a, const Int& b) {
  switch (op) {
    case Op::kLess:
      return Int::Of(IntKind::kLess, a, b);
    case Op::kLessEqual:
      return Int::Of(IntKind::kLessEqual, a, b);
    case Op::kGreater:
      return Int::Of(IntKind::kLess, b, a);
    case Op::kGreaterEqual:
      return Int::Of(IntKind::kLessEqual, b, a);
    case Op::kEqual:
      return Int::Of(IntKind::kEqual, a, b);
    case Op::kNotEqual:
      return Int::Of(IntKind::kNotEqual, a, b);
    default:
      return std::nullopt;
  }
}

bool IsComparison(Op op) { return Comparison(op, 0, 0).has_value(); }

// Of two truth values, 0 or 1: !a differs from b where a is b.
Int Differ(Int a, Int b) {
  bool equal = false;
  for (Int* side : {&a, &b}) {
    if (side->kind() != IntKind::kNot) continue;
    *side = Int(side->args()[0]);
    equal = !equal;
  }
  return Int::Of(equal ? IntKind::kEqual : IntKind::kNotEqual, a, b);
}

}  // namespace

Int Lowering::ReadTile(int tile, std::string_view wish, const Expr* expr) {
  const auto found = reads_.find(tile);
  if (found != reads_.end()) return found->second;
  ir::Stmt& read = Emit(ir::StmtKind::kRead, TileAt(tile).line);
  read.operands = {tile};
  read.name = kernel_.FreshName(fmt::format("{}_value", wish));
  const Int value = Int::Name(read.name);
  const auto bound = tile_bounds_.find(tile);
  if (bound != tile_bounds_.end()) bounds_[read.name] = bound->second;
  if (!IsSigned(TileAt(tile).dtype) && !bounds_[read.name].low) {
    bounds_[read.name].low = Int(0);
  }
  reads_.emplace(tile, value);
  if (expr != nullptr) Learn(expr->value, value);
  return value;
}

Int Lowering::IntOf(const Expr& expr) {
  if (const auto constant = expr.value.constant();
      constant && expr.type.kind != TypeKind::kRange) {
    return *constant;
  }
  switch (expr.type.kind) {
    case TypeKind::kHostInt:
    case TypeKind::kHostBool:
      return HostInt(expr);
    case TypeKind::kRange:
      return RangeOf(expr).extent.size;
    case TypeKind::kIndex:
      break;
    default: {
      if (expr.kind == ExprKind::kFromHost) return IntOf(*expr.args[0]);
      // Sums and the like of 32 or 64 bits are positions: nobody means them to
      // wrap.
      const DType dtype = DtypeOf(expr.type.element);
      const bool wide = dtype == DType::kInt32 || dtype == DType::kInt64;
      const bool safe = expr.kind == ExprKind::kOperation &&
                        (expr.op == Op::kAdd || expr.op == Op::kSub ||
                         expr.op == Op::kMaximum || expr.op == Op::kMinimum);
      if (wide && safe) {
        const Int a = IntOf(*expr.args[0]);
        return Int::Of(*ArithmeticKindOf(expr.op), a, IntOf(*expr.args[1]));
      }
      const int tile = TileOf(expr);
      return ReadTile(tile, TileAt(tile).name, &expr);
    }
  }
  switch (expr.kind) {
    case ExprKind::kLoopIndex:
      Learn(expr.value, loop_names_[static_cast<size_t>(expr.loop->id)]);
      return loop_names_[static_cast<size_t>(expr.loop->id)];
    case ExprKind::kVariable: {
      const Value& value = variables_[static_cast<size_t>(expr.variable->id)];
      if (const auto* integer = std::get_if<Int>(&value)) {
        Learn(expr.value, *integer);
        return *integer;
      }
      if (const auto* cell = std::get_if<IntegerCell>(&value)) {
        return ReadTile(cell->tile, expr.variable->name, &expr);
      }
      if (std::holds_alternative<HostLine>(value)) return HostInt(expr);
      ir::Refuse(code::kX301, expr.range,
                 fmt::format("`{}` has no value in this variant of the kernel",
                             expr.variable->name),
                 "assign it before it is used, on every path");
    }
    case ExprKind::kRangeStart:
      return RangeOf(*expr.args[0]).start;
    case ExprKind::kRangeSize:
      return RangeOf(*expr.args[0]).extent.size;
    case ExprKind::kRangeStop: {
      const Range range = RangeOf(*expr.args[0]);
      if (range.step.Is(1)) return range.start + range.extent.size;
      const Int last =
          range.start + (range.extent.size - Int(1)) * range.step + Int(1);
      return Int::Select(Int::Of(IntKind::kEqual, range.extent.size, 0),
                         range.start, last);
    }
    case ExprKind::kSelect: {
      const Int condition = HostInt(*expr.args[1]);
      const Int a = IntOf(*expr.args[0]);
      return Int::Select(condition, a, IntOf(*expr.args[2]));
    }
    case ExprKind::kHostElement: {
      const Expr* list = Inlined(*expr.args[0]);
      const auto key = std::make_pair<const typed::Loop*>(
          nullptr, "list " + list->parameter->name);
      auto found = opaque_.find(key);
      if (found == opaque_.end()) {
        ir::HostValue& value =
            AddHost(list->parameter->name, ir::HostSource::kList);
        value.expr = list;
        host_names_.erase(value.name);
        found = opaque_.emplace(key, value.name).first;
      }
      const Int at = IntOf(*expr.args[1]);
      RequireElement(*list, at, expr.range);
      return Int::Element(found->second, at);
    }
    case ExprKind::kOperation:
      return IndexOperation(expr);
    default:
      return HostInt(expr);
  }
}

Int Lowering::IndexOperation(const Expr& expr) {
  const auto arg = [&](size_t i) { return IntOf(*expr.args[i]); };
  switch (expr.op) {
    case Op::kNegate:
      return Int(0) - arg(0);
    case Op::kAbs: {
      const Int a = arg(0);
      return Max(a, Int(0) - a);
    }
    case Op::kSign: {
      const Int a = arg(0);
      return Less(0, a) - Less(a, 0);
    }
    case Op::kFloor:
    case Op::kCeil:
    case Op::kRound:
    case Op::kTrunc:
    case Op::kChoose:
      return arg(0);
    case Op::kClamp: {
      const Int low = Max(arg(0), arg(1));
      return Min(low, arg(2));
    }
    case Op::kWhere: {
      const Int condition = ConditionOf(*expr.args[0]);
      const Int a = arg(1);
      return Int::Select(condition, a, arg(2));
    }
    default:
      break;
  }
  if (const auto kind = ArithmeticKindOf(expr.op)) {
    const Int a = arg(0);
    return Int::Of(*kind, a, arg(1));
  }
  // Powers, shifts and bits: as a tile of 64 bits.
  std::vector<ir::Operand> operands;
  for (size_t i = 0; i < expr.args.size(); ++i) {
    operands.push_back(IntegerNumber(arg(i)));
  }
  const int line = expr.range.line;
  operands[0] = Materialised(operands[0], DType::kInt64, nullptr, line);
  const int tile =
      Compute(expr.op, std::move(operands), DType::kInt64, {}, nullptr, line);
  return ReadTile(tile, TileAt(tile).name, &expr);
}

Int Lowering::ConditionOf(const Expr& expr) {
  if (expr.type.kind == TypeKind::kHostBool) return HostInt(expr);
  const auto scalar = [&](const Expr& arg) {
    if (arg.type.kind == TypeKind::kIndex ||
        arg.type.kind == TypeKind::kHostInt) {
      return true;
    }
    if (!arg.type.is_scalar_tile()) return false;
    const DType dtype = DtypeOf(arg.type.element);
    return !IsFloating(dtype) && dtype != DType::kUint64;
  };
  if (expr.kind == ExprKind::kOperation) {
    if (IsComparison(expr.op) && scalar(*expr.args[0]) &&
        scalar(*expr.args[1])) {
      const Int a = IntOf(*expr.args[0]);
      return *Comparison(expr.op, a, IntOf(*expr.args[1]));
    }
    if (expr.op == Op::kBitNot) return Int::Not(ConditionOf(*expr.args[0]));
    const bool logic = expr.op == Op::kBitAnd || expr.op == Op::kBitOr ||
                       expr.op == Op::kBitXor;
    if (logic) {
      const Int a = ConditionOf(*expr.args[0]);
      const Int b = ConditionOf(*expr.args[1]);
      if (expr.op == Op::kBitXor) return Differ(a, b);
      return Int::Of(expr.op == Op::kBitAnd ? IntKind::kAnd : IntKind::kOr, a,
                     b);
    }
  }
  if (expr.kind == ExprKind::kFromHost) return IntOf(*expr.args[0]);
  const int tile = TileOf(expr);
  return ReadTile(tile, TileAt(tile).name, nullptr);
}

Range Lowering::RangeOf(const Expr& expr) {
  switch (expr.kind) {
    case ExprKind::kLoopIndex: {
      const auto id = static_cast<size_t>(expr.loop->id);
      return {loop_names_[id], 1, loop_extents_[id]};
    }
    case ExprKind::kVariable: {
      const Value& value = variables_[static_cast<size_t>(expr.variable->id)];
      if (const auto* range = std::get_if<Range>(&value)) return *range;
      if (const auto* cell = std::get_if<RangeCell>(&value)) {
        const RangeCell copy = *cell;
        const Int start = ReadTile(copy.start, expr.variable->name, nullptr);
        return {start, ReadTile(copy.step, expr.variable->name, nullptr),
                copy.extent};
      }
      break;
    }
    case ExprKind::kSelect:
      return RangeOf(Decide(*expr.args[1]) ? *expr.args[0] : *expr.args[2]);
    case ExprKind::kOperation: {
      if (expr.op == Op::kNegate) {
        Range range = RangeOf(*expr.args[0]);
        range.start = Int(0) - range.start;
        range.step = Int(0) - range.step;
        return range;
      }
      const bool first = expr.args[0]->type.kind == TypeKind::kRange;
      Range range = RangeOf(*expr.args[first ? 0 : 1]);
      const Int number = IntOf(*expr.args[first ? 1 : 0]);
      if (expr.op == Op::kAdd) {
        range.start = range.start + number;
      } else if (expr.op == Op::kMul) {
        range.start = range.start * number;
        range.step = range.step * number;
      } else if (first) {
        range.start = range.start - number;
      } else {
        range.start = number - range.start;
        range.step = Int(0) - range.step;
      }
      return range;
    }
    default:
      break;
  }
  throw InternalError("[crux] an expression that is no range");
}

bool Lowering::IsHost(const Int& value) const {
  if (value.kind() == IntKind::kName) return host_names_.contains(value.name());
  for (const Int& arg : value.args()) {
    if (!IsHost(arg)) return false;
  }
  return true;
}

bool Lowering::IsNotNegative(const Int& value) const {
  const auto all = [&] {
    for (const Int& arg : value.args()) {
      if (!IsNotNegative(arg)) return false;
    }
    return true;
  };
  switch (value.kind()) {
    case IntKind::kConstant:
      return value.value() >= 0;
    case IntKind::kName: {
      if (not_negative_.contains(value.name())) return true;
      const auto bound = bounds_.find(value.name());
      return bound != bounds_.end() && bound->second.low &&
             IsNotNegative(*bound->second.low);
    }
    case IntKind::kElement:
      return not_negative_.contains(value.name());
    case IntKind::kSub:
      return false;
    case IntKind::kMod:
      return IsNotNegative(value.args()[1]);
    case IntKind::kMax:
      return IsNotNegative(value.args()[0]) || IsNotNegative(value.args()[1]);
    case IntKind::kSelect:
      return IsNotNegative(value.args()[1]) && IsNotNegative(value.args()[2]);
    default:
      return IsCondition(value.kind()) || all();
  }
}

std::optional<Int> Lowering::Upper(const Int& value) {
  if (IsHost(value)) return value;
  const auto up = [&](size_t i) { return Upper(value.args()[i]); };
  const auto not_negative = [&](size_t i) {
    return IsNotNegative(value.args()[i]);
  };
  switch (value.kind()) {
    case IntKind::kName: {
      const auto bound = bounds_.find(value.name());
      return bound == bounds_.end() ? std::nullopt : bound->second.high;
    }
    case IntKind::kElement: {
      const auto key = std::make_pair<const typed::Loop*>(
          nullptr, "largest " + value.name());
      auto found = opaque_.find(key);
      if (found == opaque_.end()) {
        const bool positive = not_negative_.contains(value.name());
        ir::HostValue& largest =
            AddHost(value.name() + "_max", ir::HostSource::kLargest);
        largest.formula = Int::Name(value.name());
        if (positive) not_negative_.insert(largest.name);
        found = opaque_.emplace(key, largest.name).first;
      }
      return Int::Name(found->second);
    }
    case IntKind::kAdd: {
      const auto a = up(0);
      const auto b = up(1);
      if (a && b) return *a + *b;
      return std::nullopt;
    }
    case IntKind::kSub: {
      const auto a = up(0);
      const auto b = Lower(value.args()[1]);
      if (a && b) return *a - *b;
      return std::nullopt;
    }
    case IntKind::kMul: {
      const auto a = up(0);
      const auto b = up(1);
      if (a && b && not_negative(0) && not_negative(1)) return *a * *b;
      return std::nullopt;
    }
    case IntKind::kFloorDiv:
    case IntKind::kCeilDiv:
    case IntKind::kAlignUp: {
      const auto a = up(0);
      if (a && IsHost(value.args()[1]) && not_negative(1)) {
        return Int::Of(value.kind(), *a, value.args()[1]);
      }
      return std::nullopt;
    }
    case IntKind::kMod: {
      const auto b = up(1);
      if (b && not_negative(1)) return *b - Int(1);
      return std::nullopt;
    }
    case IntKind::kMin: {
      const auto a = up(0);
      const auto b = up(1);
      if (a && b) return Min(*a, *b);
      return a ? a : b;
    }
    case IntKind::kMax: {
      const auto a = up(0);
      const auto b = up(1);
      if (a && b) return Max(*a, *b);
      return std::nullopt;
    }
    case IntKind::kSelect: {
      const auto a = up(1);
      const auto b = up(2);
      if (a && b) return Max(*a, *b);
      return std::nullopt;
    }
    default:
      return Int(1);
  }
}

std::optional<Int> Lowering::Lower(const Int& value) {
  if (IsHost(value)) return value;
  const auto down = [&](size_t i) { return Lower(value.args()[i]); };
  std::optional<Int> result;
  switch (value.kind()) {
    case IntKind::kName: {
      const auto bound = bounds_.find(value.name());
      if (bound != bounds_.end()) result = bound->second.low;
      break;
    }
    case IntKind::kAdd: {
      const auto a = down(0);
      const auto b = down(1);
      if (a && b) result = *a + *b;
      break;
    }
    case IntKind::kSub: {
      const auto a = down(0);
      const auto b = Upper(value.args()[1]);
      if (a && b) result = *a - *b;
      break;
    }
    default:
      break;
  }
  if (!result && IsNotNegative(value)) result = Int(0);
  return result;
}

Dim Lowering::BoundedDim(const Int& size, const std::optional<Int>& bound,
                         const SourceRange& range) {
  if (IsHost(size)) return {size, size};
  if (const auto upper = Upper(size)) return {*upper, size};
  if (bound) {
    if (size.kind() == IntKind::kName && !bounds_[size.name()].high) {
      bounds_[size.name()].high = *bound;
    }
    return {*bound, size};
  }
  ir::Refuse(code::kX301, range,
             fmt::format("a tile has {} elements along an axis, and nothing "
                         "the host knows bounds that",
                         ToText(size)),
             "bound it: minimum(n, N), or a slice x[0:n] of a tensor; or work "
             "in pieces: for c in tiles(n, tile=auto)");
}

Dim Lowering::DimOf(const Expr& size) {
  if (size.type.kind == TypeKind::kRange) return RangeOf(size).extent;
  const Int length = IntOf(size);
  RequireAtMost(0, length, size.range, "a size must not be negative");
  const bool bounded = IsHost(length) || Upper(length);
  return BoundedDim(length, bounded ? std::nullopt : BoundByUse(size.value),
                    size.range);
}

}  // namespace belay::crux::lower
