// SPDX-License-Identifier: Apache-2.0
#include "crux/lower/facts.h"

#include <fmt/format.h>

#include "crux/print_typed.h"

namespace belay::crux::lower {
namespace {

using typed::ExprKind;

bool IsWhole(const typed::Expr& expr) {
  return expr.type.kind == TypeKind::kHostInt;
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

const std::string& Facts::TextOf(const typed::Expr& expr) const {
  const auto [found, is_new] = known_->texts.try_emplace(&expr);
  if (is_new) found->second = ToText(expr);
  return found->second;
}

const Facts::ConditionKey& Facts::KeyOf(const typed::Expr& condition) const {
  const auto found = known_->keys.find(&condition);
  if (found != known_->keys.end()) return found->second;
  return known_->keys[&condition] = NewKey(condition);
}

Facts::ConditionKey Facts::NewKey(const typed::Expr& condition) const {
  if (condition.kind != ExprKind::kOperation || condition.args.size() != 2 ||
      condition.args[0] == nullptr || condition.args[1] == nullptr) {
    return {TextOf(condition)};
  }
  const std::string& a = TextOf(*condition.args[0]);
  const std::string& b = TextOf(*condition.args[1]);
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
      return {TextOf(condition)};
  }
}

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
  if (IsLiteralText(a)) return (TextOf(a) == TextOf(b)) == same;
  const auto found = equal_.find(TextOf(a));
  if (found == equal_.end()) return std::nullopt;
  return (found->second == TextOf(b)) == same;
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
  const ConditionKey& key = KeyOf(condition);
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
  if (required_.empty()) return std::nullopt;
  for (const bool answer : {true, false}) {
    Facts trial = *this;
    trial.Assume(condition, answer);
    if (trial.Contradicts()) return !answer;
  }
  return std::nullopt;
}

void Facts::Assume(const typed::Expr& condition, bool answer) {
  const ConditionKey& key = KeyOf(condition);
  answers_[key.name] = answer != key.negated;
  if (condition.kind == ExprKind::kHostLogic) {
    if (condition.text == "not") return Assume(*condition.args[0], !answer);
    if ((condition.text == "and") != answer) return;
    for (const typed::Expr* arg : condition.args) Assume(*arg, answer);
    return;
  }
  if (IsEquality(condition) && (condition.op == Op::kEqual) == answer &&
      IsLiteralText(*condition.args[1])) {
    equal_[TextOf(*condition.args[0])] = TextOf(*condition.args[1]);
  }
}

void Facts::Require(const typed::Expr& condition) {
  required_.push_back(&condition);
  if (!Known(condition)) Assume(condition, true);
}

}  // namespace belay::crux::lower
