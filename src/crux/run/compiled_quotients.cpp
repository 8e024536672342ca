// SPDX-License-Identifier: Apache-2.0
// Quotients and remainders, and what is known of the numbers they are made of.

#include "crux/run/compiled_values.h"

namespace belay::crux::run {

bool CompiledValues::IsPositive(Value value) const {
  return OpOf(value) == ValueOp::kMax &&
         ConstantOf(ArgOf(value, 1)).value_or(0) > 0;
}

bool CompiledValues::IsEven(Value value) const {
  return OpOf(value) == ValueOp::kMul &&
         ConstantOf(ArgOf(value, 1)).value_or(1) % 2 == 0;
}

bool CompiledValues::IsNonNegative(Value value) const {
  switch (OpOf(value)) {
    case ValueOp::kConstant:
      return NumberOf(value) >= 0;
    case ValueOp::kWiden:
    case ValueOp::kExtend:
      return true;
    case ValueOp::kMax:
      return IsNonNegative(ArgOf(value, 0)) || IsNonNegative(ArgOf(value, 1));
    case ValueOp::kAnd:
      return ConstantOf(ArgOf(value, 1)).value_or(-1) >= 0;
    case ValueOp::kMin:
      return IsNonNegative(ArgOf(value, 0)) && IsNonNegative(ArgOf(value, 1));
    default:
      return false;
  }
}

bool CompiledValues::Narrowed(Value& a, Value& b) const {
  const auto is_wide = [&](Value value) {
    return OpOf(value) == ValueOp::kExtend ||
           OpOf(value) == ValueOp::kExtendSign;
  };
  const auto same = [&](Value wide, Value other) {
    return is_wide(wide) &&
           (ConstantOf(other).value_or(-1) >= 0 ||
            (OpOf(other) == OpOf(wide) && NumberOf(other) == NumberOf(wide)));
  };
  if (!same(a, b) && !same(b, a)) return false;
  if (is_wide(a)) a = ArgOf(a, 0);
  if (is_wide(b)) b = ArgOf(b, 0);
  return true;
}

std::optional<Value> CompiledValues::OfMultiple(ValueOp op, Value a,
                                                int64_t divisor) {
  if (OpOf(a) != ValueOp::kMul) return std::nullopt;
  const int64_t factor = ConstantOf(ArgOf(a, 1)).value_or(0);
  if (factor == 0) return std::nullopt;
  if (factor % divisor == 0) {
    if (op == ValueOp::kRemainder) return Constant(0);
    // To the left and back: products wrap.
    if (IsPowerOfTwo(factor)) {
      return Make(ValueOp::kShiftRight, Class::kSimple, 1, a, Constant(divisor),
                  2);
    }
    return Binary(ValueOp::kMul, ArgOf(a, 0), Constant(factor / divisor));
  }
  if (op == ValueOp::kRemainder || divisor % factor != 0) return std::nullopt;
  return Divide(ArgOf(a, 0), Constant(divisor / factor));
}

// What is not constant is tested for 0, which reports and goes on, and for -1.
// The test for 0 costs nothing where it serves one division only.
Value CompiledValues::Quotient(ValueOp op, Value a, Value b, bool has_sign) {
  if (OpOf(a) == ValueOp::kExtend || OpOf(b) == ValueOp::kExtend) {
    const Node wide = At(OpOf(a) == ValueOp::kExtend ? a : b);
    if (Narrowed(a, b)) {
      return Make(ValueOp::kExtend, Class::kSimple, 1,
                  Quotient(op, a, b, false), -1, wide.number);
    }
  }
  const auto right = ConstantOf(b);
  if (right && *right != 0) {
    if (const auto left = ConstantOf(a)) {
      return Constant(op == ValueOp::kDivide ? *left / *right : *left % *right);
    }
    if (*right == 1) return op == ValueOp::kDivide ? a : Constant(0);
    if (has_sign) {
      if (const auto known = OfMultiple(op, a, *right)) return *known;
    }
    if (IsPowerOfTwo(*right) && (!has_sign || IsNonNegative(a))) {
      const bool divides = op == ValueOp::kDivide;
      return Make(divides ? ValueOp::kShiftRight : ValueOp::kAnd,
                  Class::kSimple, 1, a, divides ? b : Constant(*right - 1),
                  divides ? 1 : 0);
    }
    return Make(op, Class::kDivide, 1, a, b);
  }
  if (IsPositive(b)) return Make(op, Class::kDivide, 1, a, b);
  if (differ_.contains({b, 0})) return PlainQuotient(op, a, b, has_sign);
  ++tests_;
  const auto [tested, first] = divisors_.emplace(b, -1);
  if (!first && tested->second >= 0) {
    nodes_[static_cast<size_t>(tested->second)].count = 1;
  }
  if (first) {
    Node test;
    test.args[0] = b;
    test.site = site_;
    nodes_.push_back(test);
    tested->second = static_cast<Value>(nodes_.size() - 1);
    Use(tested->second);
  }
  Node node;
  node.op = op;
  node.args = {a, b, -1};
  node.which = Class::kDivide;
  node.count = 1;
  if (has_sign && !IsEven(b) && !IsNonNegative(b)) {
    node.simple = op == ValueOp::kDivide ? 4 : 3;
  }
  node.site = site_;
  nodes_.push_back(node);
  ForgetLoads();
  return static_cast<Value>(nodes_.size() - 1);
}

// By -1, 1 is the divisor, and another value the result.
Value CompiledValues::PlainQuotient(ValueOp op, Value a, Value b,
                                    bool has_sign) {
  if (!has_sign || IsNonNegative(b) || IsEven(b) || differ_.contains({b, -1})) {
    return Make(op, Class::kDivide, 1, a, b);
  }
  const Value is_minus_one = Binary(ValueOp::kEqual, b, Constant(-1));
  const Value quotient =
      Make(op, Class::kDivide, 1, a, Select(is_minus_one, Constant(1), b));
  const Value zero = Constant(0);
  const bool divides = op == ValueOp::kDivide;
  return Select(is_minus_one, divides ? Binary(ValueOp::kSub, zero, a) : zero,
                quotient);
}

void CompiledValues::Rule(Value condition) {
  // !(0 <= x && x < 6)
  if (OpOf(condition) == ValueOp::kNot) {
    const Value inside = ArgOf(condition, 0);
    if (OpOf(inside) == ValueOp::kLess && NumberOf(inside) == 1) {
      bounded_.insert(ArgOf(inside, 0));
    }
  }
  if (OpOf(condition) != ValueOp::kEqual) return;
  const auto number = ConstantOf(ArgOf(condition, 1));
  if (number) differ_.emplace(ArgOf(condition, 0), *number);
}

void CompiledValues::Unrule(Value condition) {
  if (OpOf(condition) != ValueOp::kEqual) return;
  const auto number = ConstantOf(ArgOf(condition, 1));
  if (number) differ_.erase({ArgOf(condition, 0), *number});
}

}  // namespace belay::crux::run
