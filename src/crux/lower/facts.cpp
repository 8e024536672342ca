// SPDX-License-Identifier: Apache-2.0
#include "crux/lower/facts.h"

#include <fmt/format.h>

#include "crux/print_typed.h"

namespace belay::crux::lower {
namespace {

using typed::ExprKind;

// A condition under a name that equal conditions share; `negated`: the name is
// that of its opposite.
struct ConditionKey {
  std::string name;
  bool negated = false;
};

bool IsWhole(const typed::Expr& expr) {
  return expr.type.kind == TypeKind::kHostInt;
}

ConditionKey KeyOf(const typed::Expr& condition) {
  if (condition.kind != ExprKind::kOperation || condition.args.size() != 2 ||
      condition.args[0] == nullptr || condition.args[1] == nullptr) {
    return {ToText(condition)};
  }
  const std::string a = ToText(*condition.args[0]);
  const std::string b = ToText(*condition.args[1]);
  const bool whole = IsWhole(*condition.args[0]) && IsWhole(*condition.args[1]);
  const auto less = [](const std::string& x, const std::string& y) {
    return fmt::format("{} < {}", x, y);
  };
  switch (condition.op) {
    case Op::kEqual:
    case Op::kNotEqual:
      return {fmt::format("{} == {}", a, b), condition.op == Op::kNotEqual};
    case Op::kLess:
      return {less(a, b)};
    case Op::kGreater:
      return {less(b, a)};
    case Op::kLessEqual:
      if (whole) return {less(b, a), true};
      return {fmt::format("{} <= {}", a, b)};
    case Op::kGreaterEqual:
      if (whole) return {less(a, b), true};
      return {fmt::format("{} <= {}", b, a)};
    default:
      return {ToText(condition)};
  }
}

bool IsEquality(const typed::Expr& expr) {
  return expr.kind == ExprKind::kOperation &&
         (expr.op == Op::kEqual || expr.op == Op::kNotEqual) &&
         expr.args.size() == 2;
}

bool IsLiteralText(const typed::Expr& expr) {
  return expr.kind == ExprKind::kLiteral &&
         (expr.type.kind == TypeKind::kHostString || IsWhole(expr));
}

}  // namespace

std::optional<bool> Facts::KnownComparison(const typed::Expr& condition) const {
  const typed::Expr& a = *condition.args[0];
  const typed::Expr& b = *condition.args[1];
  const auto left = a.value.constant();
  const auto right = b.value.constant();
  if (left && right && IsWhole(a) && IsWhole(b)) {
    switch (condition.op) {
      case Op::kEqual:
        return *left == *right;
      case Op::kNotEqual:
        return *left != *right;
      case Op::kLess:
        return *left < *right;
      case Op::kLessEqual:
        return *left <= *right;
      case Op::kGreater:
        return *left > *right;
      case Op::kGreaterEqual:
        return *left >= *right;
      default:
        break;
    }
  }
  if (!IsEquality(condition) || !IsLiteralText(b)) return std::nullopt;
  const bool same = condition.op == Op::kEqual;
  if (IsLiteralText(a)) return (ToText(a) == ToText(b)) == same;
  const auto found = equal_.find(ToText(a));
  if (found == equal_.end()) return std::nullopt;
  return (found->second == ToText(b)) == same;
}

std::optional<bool> Facts::Known(const typed::Expr& condition) const {
  switch (condition.kind) {
    case ExprKind::kLiteral:
      return condition.integer != 0;
    case ExprKind::kDtypeIs:
      return dtypes_(condition.args[0]->type.element) ==
             dtypes_(condition.args[1]->type.element);
    case ExprKind::kHostLogic: {
      if (condition.text == "not") {
        const auto part = Known(*condition.args[0]);
        if (part) return !*part;
        break;
      }
      const bool settles = condition.text == "or";
      bool all = true;
      for (const typed::Expr* arg : condition.args) {
        const auto part = Known(*arg);
        if (part == settles) return settles;
        all &= part.has_value();
      }
      if (all) return !settles;
      break;
    }
    case ExprKind::kOperation:
      if (condition.args.size() == 2) {
        if (const auto known = KnownComparison(condition)) return known;
      }
      break;
    default:
      break;
  }
  const ConditionKey key = KeyOf(condition);
  const auto found = answers_.find(key.name);
  if (found == answers_.end()) return std::nullopt;
  return found->second != key.negated;
}

bool Facts::Contradicts() const {
  for (const typed::Expr* condition : required_) {
    if (Known(*condition) == false) return true;
  }
  return false;
}

std::optional<bool> Facts::Settled(const typed::Expr& condition) const {
  if (const auto known = Known(condition)) return known;
  for (const bool answer : {true, false}) {
    Facts trial = *this;
    trial.Assume(condition, answer);
    if (trial.Contradicts()) return !answer;
  }
  return std::nullopt;
}

void Facts::Assume(const typed::Expr& condition, bool answer) {
  const ConditionKey key = KeyOf(condition);
  answers_[key.name] = answer != key.negated;
  if (condition.kind == ExprKind::kHostLogic) {
    if (condition.text == "not") return Assume(*condition.args[0], !answer);
    if ((condition.text == "and") != answer) return;
    for (const typed::Expr* arg : condition.args) Assume(*arg, answer);
    return;
  }
  if (IsEquality(condition) && (condition.op == Op::kEqual) == answer &&
      IsLiteralText(*condition.args[1])) {
    equal_[ToText(*condition.args[0])] = ToText(*condition.args[1]);
  }
}

void Facts::Require(const typed::Expr& condition) {
  required_.push_back(&condition);
  if (!Known(condition)) Assume(condition, true);
}

}  // namespace belay::crux::lower
