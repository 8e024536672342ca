// SPDX-License-Identifier: Apache-2.0
// Checker: `if`, conditional expressions, and, or, not.

#include <fmt/format.h>

#include <algorithm>

#include "crux/checker.h"

namespace belay::crux {

using syntax::ExprKind;
using syntax::Operator;
using typed::IfKind;

void Checker::CheckIf(const syntax::Statement& statement, size_t number) {
  const syntax::Branch& branch = statement.branches[number];
  const syntax::Expr& written = *branch.condition;
  IfKind how = IfKind::kVariant;
  const Expr* condition = nullptr;
  const bool fits = written.kind == ExprKind::kCall &&
                    written.items[0]->kind == ExprKind::kName &&
                    written.items[0]->text == "fits";
  if (fits && written.items.size() == 1 && written.keywords.empty()) {
    how = IfKind::kFits;
    condition = NewOperation(Op::kFits, {}, PlainType(TypeKind::kHostBool),
                             written.range);
  } else {
    condition = EvalOperand(written, "a condition");
    const Type& type = condition->type;
    if (type.is_scalar_tile() && !FirstRefused(type.element, OpDtypes::kBool)) {
      how = IfKind::kDevice;
    } else if (!type.is_error() && type.kind != TypeKind::kHostBool) {
      std::string fix = "compare it: n > 0, mode == \"mean\"";
      if (type.is_tile() && type.rank() > 0) {
        fix =
            "choose elements with where(cond, a, b); for one decision write "
            "any(cond) or all(cond)";
      }
      Report(code::kX156, written.range,
             fmt::format("a condition is a host bool or a scalar bool of the "
                         "device, {} is {}",
                         Quote(written), ToText(type)),
             fix);
      condition = Error(written.range);
    }
  }
  typed::Statement* emitted = program_.NewStatement();
  emitted->kind = typed::StatementKind::kIf;
  emitted->range = branch.range;
  emitted->how = how;
  emitted->condition = condition;
  typed::Block* outer = block_;
  const std::set<const typed::Parameter*> present = present_;

  Implied(condition, true, &present_);
  scope_.Push(FrameKind::kBranch);
  scope_.top().how = how;
  block_ = &emitted->body;
  CheckBlock(branch.body);
  auto then_names = scope_.Pop();

  present_ = present;
  Implied(condition, false, &present_);
  scope_.Push(FrameKind::kBranch);
  scope_.top().how = how;
  block_ = &emitted->otherwise;
  if (number + 1 < statement.branches.size()) {
    emitted->has_otherwise = true;
    CheckIf(statement, number + 1);
  } else {
    emitted->has_otherwise = statement.has_otherwise;
    CheckBlock(statement.otherwise);
  }
  auto else_names = scope_.Pop();

  present_ = present;
  block_ = outer;
  block_->push_back(emitted);
  // A variant without `else` that does not fit does not run at all.
  if (how == IfKind::kFits && !emitted->has_otherwise) {
    for (auto& [name, binding] : then_names) {
      binding.frame = std::min(binding.frame, scope_.depth() - 1);
      scope_.Bind(name, binding);
    }
    return;
  }
  MergeBranches(std::move(then_names), std::move(else_names));
}

void Checker::Implied(const Expr* condition, bool value,
                      std::set<const typed::Parameter*>* present) const {
  if (condition->kind == typed::ExprKind::kOperation &&
      condition->op == Op::kPresent && value) {
    present->insert(condition->args[0]->parameter);
  }
  if (condition->kind != typed::ExprKind::kHostLogic) return;
  if (condition->text == "not") {
    Implied(condition->args[0], !value, present);
  } else if ((condition->text == "and") == value) {
    Implied(condition->args[0], value, present);
    Implied(condition->args[1], value, present);
  }
}

const typed::Expr* Checker::EvalLogic(const syntax::Expr& expr) {
  const std::string word(SpellingOf(expr.op));
  const bool unary = expr.op == Operator::kLogicalNot;
  const std::string_view symbol = unary                              ? "~"
                                  : expr.op == Operator::kLogicalAnd ? "&"
                                                                     : "|";
  Expr* logic =
      New(typed::ExprKind::kHostLogic, TypeKind::kHostBool, expr.range);
  logic->text = word;
  bool good = true;
  const std::set<const typed::Parameter*> present = present_;
  for (const syntax::Expr* item : expr.items) {
    const Expr* value = EvalOperand(*item, "a condition");
    // The right side is looked at only if the left leaves it open.
    if (!unary && !value->type.is_error()) {
      Implied(value, expr.op == Operator::kLogicalAnd, &present_);
    }
    logic->args.push_back(value);
    if (value->type.is_error()) {
      good = false;
    } else if (good && value->type.kind != TypeKind::kHostBool) {
      good = false;
      const bool device =
          value->type.is_tile() || value->type.kind == TypeKind::kIndex;
      Report(code::kX135, expr.place,
             fmt::format("`{}` is for conditions of the host; {} is {}", word,
                         Quote(*item), ToText(value->type)),
             device ? fmt::format(
                          "write `{}` with brackets: {}", symbol,
                          unary ? "~(a < b)"
                                : fmt::format("(a < b) {} (c < d)", symbol))
                    : "compare it: n > 0");
    }
  }
  present_ = present;
  return good ? logic : Error(expr.range);
}

const typed::Expr* Checker::EvalSelect(const syntax::Expr& expr) {
  const Expr* condition = EvalOperand(*expr.items[1], "a condition");
  const std::set<const typed::Parameter*> present = present_;
  Implied(condition, true, &present_);
  const Expr* a = EvalOperand(*expr.items[0], "a value");
  present_ = present;
  Implied(condition, false, &present_);
  const Expr* b = EvalOperand(*expr.items[2], "a value");
  present_ = present;
  if (condition->type.is_error() || a->type.is_error() || b->type.is_error()) {
    return Error(expr.range);
  }
  if (condition->type.kind != TypeKind::kHostBool) {
    const bool device = condition->type.is_tile();
    return Fail(device ? code::kX158 : code::kX156, expr.items[1]->range,
                fmt::format("`a if condition else b` chooses on the host; {} "
                            "is {}",
                            Quote(*expr.items[1]), ToText(condition->type)),
                device ? fmt::format("write where({}, {}, {})",
                                     source_.Text(expr.items[1]->range),
                                     source_.Text(expr.items[0]->range),
                                     source_.Text(expr.items[2]->range))
                       : "compare it: n > 0");
  }
  // Numbers without a dtype take the kind that holds both.
  const auto numeric = [](const Type& type) {
    return type.is_host_number() || type.kind == TypeKind::kIndex;
  };
  Type type = a->type;
  if (!Equal(a->type, b->type)) {
    const bool floats = a->type.kind == TypeKind::kHostFloat ||
                        b->type.kind == TypeKind::kHostFloat;
    const bool indices =
        a->type.kind == TypeKind::kIndex || b->type.kind == TypeKind::kIndex;
    if (numeric(a->type) && numeric(b->type) && !(floats && indices)) {
      type = PlainType(floats ? TypeKind::kHostFloat : TypeKind::kIndex);
    } else if (a->type.is_scalar_tile() && numeric(b->type)) {
      b = FromHost(b, a->type.element);
      if (b->type.is_error()) return b;
    } else if (b->type.is_scalar_tile() && numeric(a->type)) {
      a = FromHost(a, b->type.element);
      if (a->type.is_error()) return a;
      type = a->type;
    } else {
      return Fail(code::kX159, expr.range,
                  fmt::format("the two values of the choice differ in type: {} "
                              "and {}",
                              ToText(a->type), ToText(b->type)),
                  "give both one dtype and shape");
    }
  }
  Expr* select = New(typed::ExprKind::kSelect, type.kind, expr.range);
  select->type = type;
  select->args = {a, condition, b};
  if (IsIntegerScalar(type) && Equal(a->value, b->value)) {
    select->value = a->value;
  } else if (type.kind == TypeKind::kHostInt || type.kind == TypeKind::kIndex) {
    select->value =
        sizes_.Fresh(type.kind == TypeKind::kHostInt ? SizeAtomKind::kOpaque
                                                     : SizeAtomKind::kDevice,
                     source_.Text(expr.range));
  }
  return select;
}

}  // namespace belay::crux
