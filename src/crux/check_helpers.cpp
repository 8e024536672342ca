// SPDX-License-Identifier: Apache-2.0
// Checker: calls of @inline helpers, whose statements take the place of the
// call with the types of its arguments.

#include <fmt/format.h>

#include <algorithm>

#include "crux/checker.h"

namespace belay::crux {

using syntax::ExprKind;
using syntax::StatementKind;

namespace {

constexpr int kMaxInlineCalls = 1000;

bool Stores(const syntax::Block& block) {
  return std::any_of(
      block.begin(), block.end(), [](const syntax::Statement* statement) {
        if (statement->kind == StatementKind::kExpression &&
            statement->value->kind == ExprKind::kCall) {
          const std::string& name = statement->value->items[0]->text;
          if (name == "store" || name == "atomic_add") return true;
        }
        for (const syntax::Branch& branch : statement->branches) {
          if (Stores(branch.body)) return true;
        }
        return Stores(statement->body) || Stores(statement->otherwise);
      });
}

}  // namespace

bool Checker::BindHelperArguments(const syntax::Function& function,
                                  const syntax::Expr& expr,
                                  std::vector<const Expr*>* values) {
  const size_t count = function.parameters.size();
  std::vector<const syntax::Expr*> bound(count, nullptr);
  std::string parameters;
  for (const syntax::Parameter& parameter : function.parameters) {
    parameters += (parameters.empty() ? "" : ", ") + parameter.name;
  }
  const std::string fix =
      fmt::format("it is {}({})", function.name, parameters);
  if (expr.items.size() - 1 > count) {
    Report(code::kX127, expr.range,
           fmt::format("'{}' takes {} arguments, here are {}", function.name,
                       count, expr.items.size() - 1),
           fix);
    return false;
  }
  for (size_t i = 1; i < expr.items.size(); ++i) bound[i - 1] = expr.items[i];
  for (const syntax::Keyword& keyword : expr.keywords) {
    size_t place = 0;
    while (place < count && function.parameters[place].name != keyword.name) {
      ++place;
    }
    if (place == count || bound[place]) {
      Report(code::kX127, keyword.range,
             place == count ? fmt::format("'{}' has no argument '{}='",
                                          function.name, keyword.name)
                            : fmt::format("the argument '{}' is given twice",
                                          keyword.name),
             fix);
      return false;
    }
    bound[place] = keyword.value;
  }
  bool good = true;
  for (size_t i = 0; i < count; ++i) {
    const syntax::Parameter& parameter = function.parameters[i];
    if (parameter.annotation && !IsAttributeType(*parameter.annotation)) {
      Report(code::kX115, parameter.annotation->range,
             fmt::format("the parameter '{}' of a helper has a type",
                         parameter.name),
             "delete it: a helper takes the types of each call");
      return false;
    }
    if (!bound[i]) bound[i] = parameter.fallback;
    if (!bound[i]) {
      Report(code::kX127, expr.range,
             fmt::format("'{}' needs the argument '{}'", function.name,
                         parameter.name),
             fix);
      return false;
    }
    const Expr* value = Eval(*bound[i]);
    if (value->type.kind == TypeKind::kNothing ||
        value->type.kind == TypeKind::kTuple) {
      value = AsOperand(value, *bound[i], "an argument");
    }
    values->push_back(value);
    good &= !value->type.is_error();
  }
  return good;
}

const typed::Expr* Checker::CallHelper(const syntax::Function& function,
                                       const syntax::Expr& expr) {
  if (function.broken || !kernel_) {
    if (!kernel_) {
      return Fail(code::kX110, expr.range, "a helper is called inside a kernel",
                  "move the line there");
    }
    return Error(expr.range);
  }
  for (const InlineCall& open : inlined_) {
    if (open.function != &function) continue;
    return Fail(code::kX126, expr.range,
                fmt::format("the helper '{}' calls itself", function.name),
                "helpers are put in the place of the call and cannot recurse: "
                "write a loop");
  }
  if (++inline_calls_ > kMaxInlineCalls) {
    return Fail(code::kX108, expr.range,
                fmt::format("helpers are called more than {} times when all "
                            "are put in place",
                            kMaxInlineCalls),
                "let helpers call each other less");
  }
  std::vector<const Expr*> values;
  if (!BindHelperArguments(function, expr, &values)) return Error(expr.range);
  const syntax::Statement* last =
      function.body.empty() ? nullptr : function.body.back();
  const bool returns =
      last && last->kind == StatementKind::kReturn && last->value;
  if (returns && Stores(function.body)) {
    return Fail(code::kX172, last->range,
                fmt::format("the helper '{}' stores and returns a value",
                            function.name),
                "let it either store or return");
  }

  const int errors = messages_.errors();
  inlined_.push_back({&function, expr.range,
                      fmt::format("{}#{}.", function.name, inline_calls_)});
  std::set<std::string, std::less<>> outer_assigned;
  std::swap(outer_assigned, assigned_);
  CollectAssigned(function.body, assigned_);
  const size_t depth = scope_.depth();
  scope_.Push(FrameKind::kFunction);
  for (size_t i = 0; i < values.size(); ++i) {
    const syntax::Parameter& parameter = function.parameters[i];
    const typed::ExprKind kind = values[i]->kind;
    const bool simple = kind == typed::ExprKind::kVariable ||
                        kind == typed::ExprKind::kLoopIndex ||
                        kind == typed::ExprKind::kLiteral ||
                        kind == typed::ExprKind::kParameter ||
                        kind == typed::ExprKind::kSize;
    // What the helper assigns itself needs a variable.
    if (values[i]->type.kind == TypeKind::kView ||
        (simple && !assigned_.contains(parameter.name))) {
      Binding binding;
      binding.kind = BindingKind::kAlias;
      binding.expr = values[i];
      binding.range = parameter.range;
      binding.frame = depth;
      scope_.Bind(parameter.name, binding);
      continue;
    }
    syntax::Expr target;
    target.kind = ExprKind::kName;
    target.text = parameter.name;
    target.range = parameter.range;
    if (const typed::Variable* variable = BindTarget(target, values[i])) {
      typed::Statement* emitted =
          Emit(typed::StatementKind::kAssign, expr.range);
      emitted->targets = {variable};
      emitted->values = {values[i]};
    }
  }
  const Expr* result = nullptr;
  for (const syntax::Statement* statement : function.body) {
    if (statement != last || !returns) {
      CheckStatement(*statement);
      continue;
    }
    if (statement->value->kind == ExprKind::kTuple) {
      Expr* tuple = New(typed::ExprKind::kTuple, TypeKind::kTuple, expr.range);
      for (const syntax::Expr* item : statement->value->items) {
        tuple->args.push_back(EvalOperand(*item, "a result"));
        tuple->type.members.push_back(tuple->args.back()->type);
        if (tuple->args.back()->type.is_error()) result = Error(expr.range);
      }
      if (!result) result = tuple;
    } else {
      const Expr* value = Eval(*statement->value);
      if (value->type.kind == TypeKind::kTuple) {
        result = value;
      } else {
        result = AsOperand(value, *statement->value, "a result");
      }
    }
  }
  scope_.Pop();
  std::swap(outer_assigned, assigned_);
  inlined_.pop_back();
  if (!result) {
    if (messages_.errors() > errors) return Error(expr.range);
    return New(typed::ExprKind::kTuple, TypeKind::kNothing, expr.range);
  }
  Expr* copy = program_.NewExpr();
  *copy = *result;
  copy->range = expr.range;
  return copy;
}

}  // namespace belay::crux
