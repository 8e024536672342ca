// SPDX-License-Identifier: Apache-2.0
// Integers, as print/integer_text.cpp writes them.

#include <algorithm>

#include "crux/run/compiled_expressions.h"

namespace belay::crux::run {
namespace {

using ir::Int;
using ir::IntKind;

// The operands of nested ones of its kind, each once.
void AddOperands(const Int& expr, IntKind kind, std::vector<Int>& operands) {
  if (expr.kind() == kind) {
    for (const Int& arg : expr.args()) AddOperands(arg, kind, operands);
    return;
  }
  const bool there = std::ranges::any_of(
      operands, [&](const Int& operand) { return Same(operand, expr); });
  if (!there) operands.push_back(expr);
}

ValueOp OpOf(IntKind kind) {
  switch (kind) {
    case IntKind::kSub:
      return ValueOp::kSub;
    case IntKind::kLess:
      return ValueOp::kLess;
    case IntKind::kLessEqual:
      return ValueOp::kLessEqual;
    case IntKind::kEqual:
      return ValueOp::kEqual;
    case IntKind::kNotEqual:
      return ValueOp::kNotEqual;
    case IntKind::kAnd:
      return ValueOp::kBothTrue;
    default:
      return ValueOp::kEitherTrue;
  }
}

}  // namespace

CompiledExpressions::CompiledExpressions(const code::Kernel& kernel,
                                         CompiledValues& values)
    : values_(values), facts_(print::FactsOf(kernel)) {
  context_.may_be_negative = [this](const std::string& name) {
    return facts_.MayBeNegative(name);
  };
  context_.at_least = [this](const Int& a, const Int& b) {
    return facts_.AtLeast(a, b);
  };
}

int32_t CompiledExpressions::NumberOf(const std::string& name) {
  return fields_.emplace(name, static_cast<int32_t>(fields_.size()))
      .first->second;
}

Value CompiledExpressions::Name(const std::string& name) {
  const auto found = names_.find(name);
  if (found != names_.end()) return found->second;
  // These are calls.
  if (name == print::kBlockIndex || name == print::kBlockCount) {
    values_.ForgetLoads();
    return values_.Opaque();
  }
  return values_.Field(NumberOf(name));
}

Value CompiledExpressions::Of(const Int& expr) {
  const auto args = expr.args();
  switch (expr.kind()) {
    case IntKind::kConstant:
      return values_.Constant(expr.value());
    case IntKind::kName:
      return Name(expr.name());
    case IntKind::kElement:
      return values_.FieldElement(NumberOf(expr.name()), Of(args[0]));
    case IntKind::kAdd:
      return Sum(expr);
    case IntKind::kMul:
      return Product(values_.AsInteger(Of(args[0])), args[1]);
    case IntKind::kFloorDiv:
    case IntKind::kMod: {
      const bool negative = MayBeNegative(args[0]) || MayBeNegative(args[1]);
      const bool divides = expr.kind() == IntKind::kFloorDiv;
      const Value a = Of(args[0]);
      const Value b = Of(args[1]);
      if (!negative) {
        return divides ? values_.Divide(a, b) : values_.Remainder(a, b);
      }
      return divides ? FloorDiv(a, b) : FloorMod(a, b);
    }
    case IntKind::kCeilDiv:
      return CeilDiv(args[0], args[1]);
    case IntKind::kAlignUp: {
      const Value quotient = CeilDiv(args[0], args[1]);
      return values_.Binary(ValueOp::kMul, quotient, Of(args[1]));
    }
    case IntKind::kMin:
    case IntKind::kMax:
      return Extreme(expr);
    case IntKind::kSelect: {
      const Value condition = Of(args[0]);
      const Value a = values_.AsInteger(Of(args[1]));
      return values_.Select(condition, a, values_.AsInteger(Of(args[2])));
    }
    case IntKind::kNot:
      return values_.Not(Of(args[0]));
    case IntKind::kAnd:
    case IntKind::kOr: {
      const Value a = Of(args[0]);
      return values_.Binary(OpOf(expr.kind()), a, Of(args[1]));
    }
    default: {
      const Value a = values_.AsInteger(Of(args[0]));
      return values_.Binary(OpOf(expr.kind()), a,
                            values_.AsInteger(Of(args[1])));
    }
  }
}

// A function, which is called with both numbers of a core.
Value CompiledExpressions::FirstItem(const print::SharedItems& shared) {
  values_.Use(Of(shared.items));
  if (shared.late) values_.Use(Of(*shared.late));
  values_.Spend(Class::kSimple, kCallWork);
  const auto binary = [&](ValueOp op, Value a, Value b) {
    return values_.Binary(op, a, b);
  };
  const Value items = values_.Opaque();
  const Value cores = values_.Opaque();
  const Value core = binary(ValueOp::kAdd, values_.Opaque(), values_.Opaque());
  const Value whole = binary(ValueOp::kMul, core, values_.Divide(items, cores));
  const Value rest =
      binary(ValueOp::kMin, core, values_.Remainder(items, cores));
  Value first = binary(ValueOp::kAdd, whole, rest);
  if (shared.late) {
    const Value late = binary(ValueOp::kMul, values_.Opaque(), core);
    const Value behind = binary(ValueOp::kSub, cores, core);
    const Value twice = binary(ValueOp::kMul, cores, values_.Constant(2));
    first = binary(ValueOp::kAdd, first,
                   values_.Divide(binary(ValueOp::kMul, late, behind), twice));
  }
  values_.Use(first);
  values_.ForgetLoads();
  return values_.Opaque();
}

Value CompiledExpressions::Sum(const Int& expr) {
  if (const auto shared = print::SharedItems::Of(expr)) {
    return FirstItem(*shared);
  }
  const size_t mark = values_.count();
  Value sum = values_.Constant(0);
  for (const print::CountedTerm& term : print::CountedTerms(expr)) {
    const Value part = values_.AsInteger(Of(term.value));
    sum = values_.Sum(
        sum, values_.Binary(ValueOp::kMul, part, values_.Constant(term.times)),
        mark);
  }
  return sum;
}

// a * (b * c) is written a * b * c.
Value CompiledExpressions::Product(Value left, const Int& right) {
  if (right.kind() != IntKind::kMul) {
    return values_.Binary(ValueOp::kMul, left, values_.AsInteger(Of(right)));
  }
  return Product(Product(left, right.args()[0]), right.args()[1]);
}

Value CompiledExpressions::Extreme(const Int& expr) {
  const bool smallest = expr.kind() == IntKind::kMin;
  std::vector<Int> operands;
  AddOperands(expr, expr.kind(), operands);
  // Of a maximum: 0, where another operand is never below.
  const bool positive = std::ranges::any_of(operands, [&](const Int& operand) {
    return !operand.is_constant() && !MayBeNegative(operand);
  });
  if (!smallest && positive) {
    std::erase_if(operands, [](const Int& operand) {
      return operand.is_constant() && operand.value() <= 0;
    });
  }
  Value all = values_.AsInteger(Of(operands[0]));
  for (size_t i = 1; i < operands.size(); ++i) {
    all = values_.Binary(smallest ? ValueOp::kMin : ValueOp::kMax, all,
                         values_.AsInteger(Of(operands[i])));
  }
  return all;
}

// a / b + (a % b > 0); a % b of a power of two is a mask then.
Value CompiledExpressions::CeilDiv(const Int& over, const Int& by) {
  const Value a = Of(over);
  const Value b = Of(by);
  if (MayBeNegative(by)) {
    const Value zero = values_.Constant(0);
    const Value minus = values_.Binary(ValueOp::kSub, zero, a);
    return values_.Binary(ValueOp::kSub, zero, FloorDiv(minus, b));
  }
  const Value quotient = values_.Divide(a, b);
  const auto power = values_.ConstantOf(b);
  if (power == 1) return quotient;
  const Value known_rest = values_.Remainder(a, b);
  if (values_.ConstantOf(known_rest) == 0) return quotient;
  const bool masked = power && IsPowerOfTwo(*power) && !values_.ConstantOf(a);
  const Value rest =
      masked ? values_.Make(ValueOp::kAnd, Class::kSimple, 1, a, b, 1)
             : known_rest;
  const Value more = values_.Binary(ValueOp::kLess, values_.Constant(0), rest);
  return values_.Binary(ValueOp::kAdd, quotient, values_.AsInteger(more));
}

// a % b != 0 && (a < 0) != (b < 0)
Value CompiledExpressions::IsCorrected(Value a, Value b) {
  const Value zero = values_.Constant(0);
  const Value rest =
      values_.Binary(ValueOp::kNotEqual, values_.Remainder(a, b), zero);
  const Value signs =
      values_.ConstantOf(b) ? a : values_.Binary(ValueOp::kXor, a, b);
  return values_.Binary(ValueOp::kBothTrue, rest,
                        values_.Binary(ValueOp::kLess, signs, zero));
}

Value CompiledExpressions::FloorDiv(Value a, Value b) {
  // A multiple of b less another one, q * b, is known without dividing.
  if (values_.OpOf(a) == ValueOp::kSub && values_.ConstantOf(b)) {
    const Value less = values_.ArgOf(a, 1);
    const auto from = values_.ConstantOf(values_.ArgOf(a, 0));
    if (from && *from % values_.NumberOf(b) == 0 &&
        values_.OpOf(less) == ValueOp::kMul && values_.ArgOf(less, 1) == b) {
      return values_.ArgOf(less, 0);
    }
  }
  const Value quotient = values_.Divide(a, b);
  if (values_.ConstantOf(b) == 1 || values_.ConstantOf(quotient)) {
    return quotient;
  }
  return values_.Binary(ValueOp::kAdd, quotient,
                        values_.AsInteger(IsCorrected(a, b)));
}

Value CompiledExpressions::FloorMod(Value a, Value b) {
  const Value rest = values_.Remainder(a, b);
  if (values_.ConstantOf(rest)) return rest;
  const Value more = values_.Select(IsCorrected(a, b), b, values_.Constant(0));
  return values_.Binary(ValueOp::kAdd, rest, more);
}

void CompiledExpressions::UseOffset(const Int& expr, DType dtype) {
  values_.UseAsOffset(values_.AsInteger(Of(expr)),
                      static_cast<size_t>(BytesOf(dtype)));
}

Value CompiledExpressions::OfCondition(const Int& expr, bool all) {
  second_integers_.clear();
  keeps_ = all;
  kept_ = std::numeric_limits<size_t>::max();
  const Value condition = Condition(expr);
  keeps_ = false;
  return condition;
}

auto CompiledExpressions::BranchOn(Value condition) const
    -> std::optional<Branch> {
  for (bool not_it = false;; not_it = !not_it) {
    const auto found = branches_.find(condition);
    if (found != branches_.end()) {
      Branch branch = found->second;
      if (not_it) {
        branch.op = branch.op == ValueOp::kBothTrue ? ValueOp::kEitherTrue
                                                    : ValueOp::kBothTrue;
      }
      return branch;
    }
    if (values_.OpOf(condition) != ValueOp::kNot) return std::nullopt;
    condition = values_.ArgOf(condition, 0);
  }
}

Value CompiledExpressions::Condition(const Int& expr) {
  if (expr.kind() == IntKind::kNot) {
    return values_.Not(Condition(expr.args()[0]));
  }
  if (expr.kind() != IntKind::kAnd && expr.kind() != IntKind::kOr) {
    return Of(expr);
  }
  return Shortcut(
      OpOf(expr.kind()), Condition(expr.args()[0]),
      [&] { return Condition(expr.args()[1]); }, second_integers_,
      expr.identity());
}

Value CompiledExpressions::Narrow(Value value, int bits) {
  if (bits >= 64 || values_.ConstantOf(value)) return value;
  return values_.Make(ValueOp::kConvert, Class::kSimple, 1, value, -1, bits);
}

}  // namespace belay::crux::run
