// SPDX-License-Identifier: Apache-2.0
// Checker: what may be loaded and stored, and by whom.

#include <fmt/format.h>

#include "crux/checker.h"

namespace belay::crux {

using typed::LoopKind;
using typed::ParameterRole;

namespace {

// Whether the value may differ between iterations of the loop. Errs on the side
// of yes.
bool Depends(const typed::Expr* expr, const typed::Loop* loop) {
  if (!expr) return false;
  switch (expr->kind) {
    case typed::ExprKind::kLoopIndex:
      return expr->loop == loop || Depends(expr->loop->low, loop) ||
             Depends(expr->loop->high, loop) || Depends(expr->loop->step, loop);
    case typed::ExprKind::kVariable:
      return !expr->type.is_host() && expr->type.kind != TypeKind::kTensor;
    case typed::ExprKind::kAcrossPrefix:
      return true;
    case typed::ExprKind::kOperation:
      if (expr->op == Op::kLoad) return true;
      break;
    default:
      break;
  }
  for (const typed::Expr* arg : expr->args) {
    if (Depends(arg, loop)) return true;
  }
  for (const typed::Subscript& subscript : expr->subscripts) {
    if (Depends(subscript.value, loop) || Depends(subscript.low, loop) ||
        Depends(subscript.high, loop) || Depends(subscript.step, loop)) {
      return true;
    }
  }
  return false;
}

}  // namespace

const typed::Parameter* Checker::RootParameter(const Expr* tensor) const {
  while (tensor->kind == typed::ExprKind::kView ||
         tensor->kind == typed::ExprKind::kListElement ||
         tensor->kind == typed::ExprKind::kFlat ||
         tensor->kind == typed::ExprKind::kReshaped ||
         tensor->kind == typed::ExprKind::kAround) {
    tensor = tensor->args[0];
  }
  if (tensor->kind == typed::ExprKind::kVariable) return tensor->variable->root;
  return tensor->parameter;
}

bool Checker::NeedPresent(const typed::Parameter& parameter,
                          const SourceRange& range) {
  if (!parameter.optional || present_.contains(&parameter)) return true;
  Report(code::kX125, range,
         fmt::format("the parameter '{}' is optional and may not be there",
                     parameter.name),
         fmt::format("use it under `if present({}):`", parameter.name));
  return false;
}

void Checker::CheckRead(const Expr* view, const SourceRange& range) {
  const typed::Parameter* parameter = RootParameter(view);
  if (!parameter) return;
  if (parameter->role == ParameterRole::kOut) {
    Report(
        code::kX160, range,
        fmt::format("'{}' is an output and cannot be loaded", parameter->name),
        fmt::format("keep the tile you stored, or declare {}: inout(…)",
                    parameter->name));
    return;
  }
  NeedPresent(*parameter, range);
}

bool Checker::CheckWritten(const Expr* view, Op op, const SourceRange& range) {
  const typed::Parameter* parameter = RootParameter(view);
  if (!parameter) return true;
  stored_.insert(parameter);
  if (parameter->role == ParameterRole::kIn) {
    Report(code::kX160, range,
           fmt::format("'{}' is an input: '{}' cannot write it",
                       parameter->name, InfoOf(op).spelling),
           fmt::format("declare it as {0}: inout(…), or add an output "
                       "parameter out(…)",
                       parameter->name));
    return false;
  }
  return NeedPresent(*parameter, range);
}

// Iterations of cores that store must store different elements.
void Checker::CheckDisjoint(const Expr* view, const SourceRange& range) {
  for (size_t i = scope_.depth(); i-- > 0;) {
    const Frame& frame = scope_.at(i);
    // What a device condition lets through may be one iteration only.
    if (frame.kind == FrameKind::kBranch &&
        frame.how == typed::IfKind::kDevice) {
      return;
    }
    if (frame.kind != FrameKind::kLoop ||
        frame.loop->kind != LoopKind::kCores || !frame.loop->high) {
      continue;
    }
    const auto count = frame.loop->high->value.constant();
    if ((count && *count <= 1) || Depends(view, frame.loop)) continue;
    Report(code::kX161, range,
           fmt::format("{} does not depend on '{}', so every iteration of the "
                       "`cores` loop stores the same elements",
                       Quote(view->range), frame.loop->name),
           fmt::format("index with {}, store after the loop, or combine the "
                       "values with across_cores(…)",
                       frame.loop->name));
    return;
  }
}

void Checker::CheckStore(const syntax::Statement& statement, Op op) {
  const syntax::Expr& call = *statement.value;
  const OpInfo& info = InfoOf(op);
  std::vector<const syntax::Expr*> bound;
  if (!BindArguments(info, call, false, &bound)) return;
  const Expr* view = EvalArgument(info, info.parameters[0], *bound[0], nullptr);
  if (!view->type.is_error()) {
    if (!CheckWritten(view, op, bound[0]->range)) {
      view = Error(bound[0]->range);
    } else if (op == Op::kStore) {
      CheckDisjoint(view, bound[0]->range);
    }
  }
  const Expr* value =
      EvalArgument(info, info.parameters[1], *bound[1], nullptr);
  if (view->type.is_error() || value->type.is_error()) return;
  const Element& element = view->type.element;
  if (op == Op::kAtomicAdd && !AllowDtype(op, view, call.range)) return;
  value = FromHost(value, element);
  if (value->type.is_error()) return;
  if (!Equal(value->type.element, element)) {
    const std::string_view text = source_.Text(bound[1]->range);
    const bool simple = bound[1]->kind != syntax::ExprKind::kBinary &&
                        bound[1]->kind != syntax::ExprKind::kUnary &&
                        bound[1]->kind != syntax::ExprKind::kSelect;
    Report(code::kX130, bound[1]->range,
           fmt::format("a tile of {} is stored into a tensor of {}",
                       ToText(value->type.element), ToText(element)),
           fmt::format("write {}.to({})",
                       simple ? std::string(text) : fmt::format("({})", text),
                       ToText(element)));
    return;
  }
  const std::vector<Size>& into = view->type.dims;
  const std::vector<Size>& from = value->type.dims;
  bool fits = from.size() <= into.size();
  for (size_t i = 0; fits && i < from.size(); ++i) {
    const Size& have = from[from.size() - 1 - i];
    fits = have.constant() == 1 || Equal(have, into[into.size() - 1 - i]);
  }
  if (!fits) {
    Report(code::kX149, bound[1]->range,
           fmt::format("a tile {} does not fit the view {} of {}",
                       ToText(value->type), Quote(*bound[0]),
                       ToText(TileType(element, into))),
           into.size() < from.size()
               ? "the view has fewer axes: reduce the tile, or index with a "
                 "range or `:`"
               : "sizes must be equal or 1, matched from the last axis");
    return;
  }
  typed::Statement* emitted =
      Emit(op == Op::kStore ? typed::StatementKind::kStore
                            : typed::StatementKind::kAtomicAdd,
           statement.range);
  emitted->target = view;
  emitted->value = value;
}

}  // namespace belay::crux
