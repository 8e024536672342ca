// SPDX-License-Identifier: Apache-2.0
// Checker: statements that are not loops or conditions.

#include <fmt/format.h>

#include "crux/checker.h"

namespace belay::crux {

using syntax::ExprKind;
using syntax::StatementKind;

typed::Statement* Checker::Emit(typed::StatementKind kind,
                                const SourceRange& range) {
  typed::Statement* statement = program_.NewStatement();
  statement->kind = kind;
  statement->range = range;
  block_->push_back(statement);
  return statement;
}

void Checker::CheckBlock(const syntax::Block& block) {
  for (const syntax::Statement* statement : block) CheckStatement(*statement);
}

void Checker::CheckStatement(const syntax::Statement& statement) {
  constexpr int kMost = 20'000;
  if (++statements_ > kMost) {
    if (statements_ == kMost + 1) {
      Report(code::kX108, statement.range,
             fmt::format("the kernel '{}' has more than {} statements, helpers "
                         "put in place",
                         kernel_->name, kMost),
             "write loops, or several kernels");
    }
    return;
  }
  switch (statement.kind) {
    case StatementKind::kError:
    case StatementKind::kPass:
      return;
    case StatementKind::kExpression:
      CheckExpressionStatement(statement);
      return;
    case StatementKind::kAssign:
      CheckAssign(statement);
      return;
    case StatementKind::kAugmented:
      CheckAugmented(statement);
      return;
    case StatementKind::kFor:
      CheckFor(statement);
      return;
    case StatementKind::kIf:
      CheckIf(statement, 0);
      return;
    case StatementKind::kAssert:
      CheckAssert(statement);
      return;
    case StatementKind::kReturn:
      if (!inlined_.empty()) {
        Report(code::kX172, statement.range,
               "the `return` of a helper is its last statement",
               "assign the value to a name in the branches and return it at "
               "the end");
      } else if (statement.value) {
        Report(code::kX173, statement.range, "a kernel returns nothing",
               "results are parameters: add y: out(T[M, N]) and write "
               "store(y[…], tile)");
      } else {
        Report(code::kX110, statement.range,
               "a kernel runs to its end: `return` cannot stand in it",
               "guard the statements that follow with `if`");
      }
      return;
    case StatementKind::kFunction:
      Report(code::kX110, statement.range,
             fmt::format("the function '{}' is defined inside another",
                         statement.function->name),
             "move it to the left margin, with @inline above it");
      return;
  }
}

void Checker::CheckAssert(const syntax::Statement& statement) {
  const Expr* condition = Eval(*statement.value);
  if (condition->type.is_error()) return;
  if (condition->type.kind != TypeKind::kHostBool) {
    Report(code::kX171, statement.value->range,
           fmt::format("`assert` is checked on the host before the kernel "
                       "starts; {} is {}",
                       Quote(*statement.value), ToText(condition->type)),
           "assert a condition on sizes and attributes: assert N % 8 == 0, "
           "\"N is a multiple of 8\"");
    return;
  }
  std::string text;
  if (statement.message) {
    if (statement.message->kind != ExprKind::kString) {
      Report(code::kX171, statement.message->range,
             "the message of `assert` is a string", "write it in quotes");
      return;
    }
    text = statement.message->text;
  }
  typed::Statement* emitted =
      Emit(typed::StatementKind::kAssert, statement.range);
  emitted->condition = condition;
  emitted->text = std::move(text);
}

void Checker::CheckAssign(const syntax::Statement& statement) {
  if (statement.targets.size() != 1) {
    CheckUnpack(statement);
    return;
  }
  const syntax::Expr& target = *statement.targets[0];
  if (CheckAcrossUpdate(statement)) return;
  if (target.kind == ExprKind::kName) {
    const Expr* value = Eval(*statement.value);
    const typed::Variable* variable = BindTarget(target, value);
    if (!variable) return;
    typed::Statement* emitted =
        Emit(typed::StatementKind::kAssign, statement.range);
    emitted->targets = {variable};
    emitted->values = {value};
    return;
  }
  const Expr* base = Eval(*target.items[0]);
  if (base->type.is_error()) return;
  if (base->type.kind == TypeKind::kTensor ||
      base->type.kind == TypeKind::kTensorList) {
    Report(code::kX109, target.range,
           "a tensor in global memory is written with store",
           fmt::format("write store({}, {})", source_.Text(target.range),
                       source_.Text(statement.value->range)));
    return;
  }
  Report(code::kX109, target.range,
         fmt::format("{} cannot be assigned: tiles are values", Quote(target)),
         "build the tile with where(cond, a, b) or concat((a, b))");
}

void Checker::CheckUnpack(const syntax::Statement& statement) {
  for (const syntax::Expr* target : statement.targets) {
    if (target->kind == ExprKind::kName) continue;
    Report(code::kX109, target->range,
           fmt::format("{} cannot stand in a list of names", Quote(*target)),
           "unpack into names, one assignment for the rest");
    return;
  }
  std::vector<const Expr*> values;
  const Expr* tuple = nullptr;
  if (statement.value->kind == ExprKind::kTuple) {
    for (const syntax::Expr* item : statement.value->items) {
      values.push_back(Eval(*item));
    }
  } else {
    tuple = Eval(*statement.value);
    if (tuple->kind == typed::ExprKind::kTuple) {
      values = tuple->args;
      tuple = nullptr;
    } else if (tuple->type.kind == TypeKind::kTuple) {
      for (size_t i = 0; i < tuple->type.members.size(); ++i) {
        Expr* item = New(typed::ExprKind::kItem, TypeKind::kError,
                         statement.value->range);
        item->type = tuple->type.members[i];
        item->item = static_cast<int>(i);
        item->args = {tuple};
        values.push_back(item);
      }
    } else if (tuple->type.is_error()) {
      for (const syntax::Expr* target : statement.targets) {
        BindTarget(*target, tuple);
      }
      return;
    } else {
      values = {tuple};
    }
  }
  if (values.size() != statement.targets.size()) {
    Report(
        code::kX129, statement.value->range,
        fmt::format("{} names are assigned, but there {} {} value{}",
                    statement.targets.size(), values.size() == 1 ? "is" : "are",
                    values.size(), values.size() == 1 ? "" : "s"),
        "give each name one value");
    for (const syntax::Expr* target : statement.targets) {
      BindTarget(*target, Error(target->range));
    }
    return;
  }
  std::vector<const typed::Variable*> targets;
  std::vector<const Expr*> assigned;
  for (size_t i = 0; i < values.size(); ++i) {
    const typed::Variable* variable =
        BindTarget(*statement.targets[i], values[i]);
    if (!variable) continue;
    targets.push_back(variable);
    assigned.push_back(values[i]);
  }
  if (targets.empty()) return;
  typed::Statement* emitted =
      Emit(typed::StatementKind::kAssign, statement.range);
  emitted->targets = std::move(targets);
  // The members of one call are one value, evaluated once.
  if (tuple && emitted->targets.size() == values.size()) {
    emitted->values = {tuple};
  } else {
    emitted->values = std::move(assigned);
  }
}

void Checker::CheckAugmented(const syntax::Statement& statement) {
  if (CheckAcrossUpdate(statement)) return;
  const syntax::Expr& target = *statement.targets[0];
  if (target.kind != ExprKind::kName) {
    const Expr* base = Eval(*target.items[0]);
    if (base->type.is_error()) return;
    const bool tensor = base->type.kind == TypeKind::kTensor;
    Report(code::kX109, target.range,
           tensor ? "a tensor in global memory is written with store"
                  : fmt::format("{} cannot be assigned: tiles are values",
                                Quote(target)),
           tensor ? fmt::format("write store(v, load(v) + …) with v = {} of an "
                                "inout tensor, or atomic_add(…)",
                                source_.Text(target.range))
                  : "build the tile with where(cond, a, b) or concat((a, b))");
    return;
  }
  const Expr* before = EvalOperand(target, "the left side");
  const Expr* right = EvalOperand(*statement.value, "the right side");
  const OpInfo* info = nullptr;
  const std::string_view spelling = SpellingOf(statement.op);
  for (const OpInfo& candidate : AllOperations()) {
    if (candidate.is_operator() &&
        candidate.spelling == fmt::format(" {} ", spelling)) {
      info = &candidate;
    }
  }
  const Expr* value =
      Binary(info->op, before, right, statement.range, statement.place);
  const typed::Variable* variable = BindTarget(target, value);
  if (!variable) return;
  typed::Statement* emitted =
      Emit(typed::StatementKind::kAssign, statement.range);
  emitted->targets = {variable};
  emitted->values = {value};
}

void Checker::CheckExpressionStatement(const syntax::Statement& statement) {
  const syntax::Expr& value = *statement.value;
  if (value.kind == ExprKind::kString) return;
  if (value.kind == ExprKind::kCall &&
      value.items[0]->kind == ExprKind::kName) {
    const std::string& name = value.items[0]->text;
    const bool local = scope_.Find(name) || FindGlobal(name);
    if (!local && name == "store") {
      CheckStore(statement, Op::kStore);
      return;
    }
    if (!local && name == "atomic_add") {
      CheckStore(statement, Op::kAtomicAdd);
      return;
    }
  }
  const Expr* result = Eval(value);
  if (result->type.is_error() || result->type.kind == TypeKind::kNothing) {
    return;
  }
  std::string fix = "assign it to a name, or delete the line";
  if (value.kind == ExprKind::kCompare &&
      value.ops[0] == syntax::Operator::kEqual) {
    fix = "an assignment is written with one `=`";
  }
  Report(code::kX163, value.range,
         fmt::format("the value of {} is not used", Quote(value)),
         std::move(fix));
}

}  // namespace belay::crux
