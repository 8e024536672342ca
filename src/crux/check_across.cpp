// SPDX-License-Identifier: Apache-2.0
// Checker: values across cores: updated inside the loop, read after it.

#include <fmt/format.h>

#include "crux/checker.h"

namespace belay::crux {

using syntax::ExprKind;
using syntax::Operator;
using typed::LoopKind;

namespace {

bool Same(const syntax::Expr* a, const syntax::Expr* b) {
  if (!a || !b) return a == b;
  if (a->kind != b->kind || a->text != b->text || a->integer != b->integer ||
      a->op != b->op || a->items.size() != b->items.size() ||
      !a->keywords.empty() || !b->keywords.empty()) {
    return false;
  }
  for (size_t i = 0; i < a->items.size(); ++i) {
    if (!Same(a->items[i], b->items[i])) return false;
  }
  return true;
}

struct Update {
  std::string_view how;  // "+", "|", "&", "maximum", "minimum"
  const syntax::Expr* value = nullptr;
};

// `acc += v`, `acc = acc + v`, `acc = maximum(acc, v)`.
std::optional<Update> UpdateIn(const syntax::Statement& statement) {
  const syntax::Expr* target = statement.targets[0];
  const syntax::Expr* value = statement.value;
  if (statement.kind == syntax::StatementKind::kAugmented) {
    return Update{SpellingOf(statement.op), value};
  }
  std::string_view how;
  size_t first = 0;
  if (value->kind == ExprKind::kBinary) {
    how = SpellingOf(value->op);
  } else if (value->kind == ExprKind::kCall && value->items.size() == 3 &&
             value->items[0]->kind == ExprKind::kName) {
    how = value->items[0]->text;
    first = 1;
  } else {
    return std::nullopt;
  }
  if (Same(target, value->items[first])) {
    return Update{how, value->items[first + 1]};
  }
  if (Same(target, value->items[first + 1])) {
    return Update{how, value->items[first]};
  }
  return std::nullopt;
}

std::string_view UpdateOf(Op combine) {
  switch (combine) {
    case Op::kMax:
      return "maximum";
    case Op::kMin:
      return "minimum";
    case Op::kAny:
      return "|";
    case Op::kAll:
      return "&";
    default:
      return "+";
  }
}

std::string Written(Op combine, std::string_view name) {
  const std::string_view how = UpdateOf(combine);
  if (how.size() > 1) return fmt::format("{0} = {1}({0}, v)", name, how);
  return fmt::format("{} {}= v", name, how);
}

bool SameSpace(const typed::Loop& a, const typed::Loop& b) {
  const auto equal = [](const typed::Expr* x, const typed::Expr* y) {
    if (!x || !y) return x == y;
    if (x->type.kind == TypeKind::kAuto || y->type.kind == TypeKind::kAuto) {
      return x->type.kind == y->type.kind;
    }
    return Equal(x->value, y->value);
  };
  return equal(a.low, b.low) && equal(a.high, b.high) && equal(a.tile, b.tile);
}

}  // namespace

bool Checker::CheckAcrossUpdate(const syntax::Statement& statement) {
  const syntax::Expr& target = *statement.targets[0];
  const bool part = target.kind == ExprKind::kSubscript;
  const syntax::Expr& name = part ? *target.items[0] : target;
  if (name.kind != ExprKind::kName) return false;
  const Binding* binding = scope_.Find(name.text);
  if (!binding || binding->kind != BindingKind::kVariable ||
      binding->variable->type.kind != TypeKind::kAcross) {
    return false;
  }
  const typed::Variable* across = binding->variable;
  const Op combine = across->type.combine;
  const std::string written = Written(combine, source_.Text(target.range));
  const std::optional<Update> update = UpdateIn(statement);
  if (!update || update->how != UpdateOf(combine)) {
    Report(code::kX165, statement.range,
           fmt::format("'{}' is {}, and this is not how that is updated",
                       name.text, ToText(across->type)),
           fmt::format("write {}", written));
    return true;
  }
  if (!scope_.Inside(LoopKind::kCores)) {
    Report(code::kX165, statement.range,
           fmt::format("'{}' is updated outside of a `cores` loop", name.text),
           "update it inside `for … in cores(…):`, or use a plain value: "
           "zeros(f32)");
    return true;
  }
  if (part && combine == Op::kCumsum) {
    Report(
        code::kX165, target.range,
        fmt::format("'{}' takes prefixes and is updated as a whole", name.text),
        fmt::format("write {} += v", name.text));
    return true;
  }
  if (combine == Op::kCumsum && !prefix_loops_.contains(across)) {
    std::vector<const typed::Loop*>& loops = prefix_loops_[across];
    for (size_t i = 0; i < scope_.depth(); ++i) {
      const Frame& frame = scope_.at(i);
      if (frame.kind == FrameKind::kLoop &&
          frame.loop->kind == LoopKind::kCores) {
        loops.push_back(frame.loop);
      }
    }
  }
  Expr* whole = New(typed::ExprKind::kVariable, TypeKind::kAcross, name.range);
  whole->type = across->type;
  whole->variable = across;
  const Expr* destination = whole;
  std::vector<Size> dims = across->type.dims;
  if (part) {
    Expr* subscript =
        New(typed::ExprKind::kSubscript, TypeKind::kTile, target.range);
    subscript->type.element = across->type.element;
    subscript->args = {whole};
    Type tile = TileType(across->type.element, across->type.dims);
    if (!ReadSubscripts(target, tile, false, Quote(name),
                        &subscript->subscripts, &subscript->type.dims)) {
      return true;
    }
    dims = subscript->type.dims;
    destination = subscript;
  }
  const Expr* value = EvalOperand(*update->value, "an update");
  if (value->type.is_error()) return true;
  if (!value->type.is_tile() && !value->type.is_host_number() &&
      value->type.kind != TypeKind::kHostBool &&
      value->type.kind != TypeKind::kIndex) {
    Report(code::kX128, update->value->range,
           fmt::format("'{}' is updated with a tile, {} is {}", name.text,
                       Quote(*update->value), ToText(value->type)));
    return true;
  }
  value = FromHost(value, across->type.element);
  if (value->type.is_error()) return true;
  if (!Equal(value->type.element, across->type.element)) {
    Report(code::kX130, update->value->range,
           fmt::format("'{}' combines {}, and the update is {}", name.text,
                       ToText(across->type.element), ToText(value->type)),
           fmt::format("convert it: .to({})", ToText(across->type.element)));
    return true;
  }
  const std::vector<Size>& from = value->type.dims;
  bool fits = from.size() <= dims.size();
  for (size_t i = 0; fits && i < from.size(); ++i) {
    const Size& have = from[from.size() - 1 - i];
    fits = have.constant() == 1 || Equal(have, dims[dims.size() - 1 - i]);
  }
  if (!fits) {
    Report(code::kX149, update->value->range,
           fmt::format("an update {} does not fit {} of {}",
                       ToText(value->type), Quote(target),
                       ToText(TileType(across->type.element, dims))),
           part ? "sizes must be equal or 1, matched from the last axis"
                : fmt::format("update the part: {}[c] += …", name.text));
    return true;
  }
  typed::Statement* emitted =
      Emit(typed::StatementKind::kAcrossUpdate, statement.range);
  emitted->target = destination;
  emitted->value = value;
  return true;
}

// Reports a read where not every core has added its part.
bool Checker::AcrossComplete(const typed::Variable& across,
                             const SourceRange& range) {
  for (size_t i = 0; i < scope_.depth(); ++i) {
    const Frame& frame = scope_.at(i);
    if (frame.kind != FrameKind::kLoop ||
        frame.loop->kind != LoopKind::kCores ||
        !frame.assigned.contains(across.name)) {
      continue;
    }
    Report(code::kX166, range,
           fmt::format("'{}' is read in the `cores` loop over '{}' that "
                       "updates it",
                       across.name, frame.loop->name),
           "read it after the loop; a value of one iteration needs a name of "
           "its own");
    return false;
  }
  return true;
}

const typed::Expr* Checker::ReadAcross(const typed::Variable& across,
                                       const SourceRange& range) {
  if (!AcrossComplete(across, range)) return Error(range);
  if (across.type.combine == Op::kCumsum) {
    return Fail(
        code::kX167, range,
        fmt::format("'{}' has one value for each iteration", across.name),
        fmt::format("write {}[c] with the variable of the `cores` loop",
                    across.name));
  }
  Expr* whole = New(typed::ExprKind::kVariable, TypeKind::kAcross, range);
  whole->type = across.type;
  whole->variable = &across;
  Expr* value = New(typed::ExprKind::kAcrossValue, TypeKind::kTile, range);
  value->type = TileType(across.type.element, across.type.dims);
  value->args = {whole};
  return value;
}

const typed::Expr* Checker::SubscriptAcross(const typed::Variable& across,
                                            const syntax::Expr& expr) {
  if (across.type.combine != Op::kCumsum) {
    const Expr* value = ReadAcross(across, expr.items[0]->range);
    return value->type.is_error() ? value : SubscriptTile(value, expr);
  }
  if (!AcrossComplete(across, expr.range)) return Error(expr.range);
  const auto updated = prefix_loops_.find(&across);
  if (updated == prefix_loops_.end()) {
    return Fail(code::kX166, expr.range,
                fmt::format("'{}' is read before a `cores` loop updates it",
                            across.name),
                fmt::format("write the loop with {} += … first", across.name));
  }
  Expr* prefix =
      New(typed::ExprKind::kAcrossPrefix, TypeKind::kTile, expr.range);
  prefix->type = TileType(across.type.element, across.type.dims);
  Expr* whole =
      New(typed::ExprKind::kVariable, TypeKind::kAcross, expr.items[0]->range);
  whole->type = across.type;
  whole->variable = &across;
  prefix->args = {whole};
  const std::vector<const typed::Loop*>& loops = updated->second;
  const std::string fix = fmt::format(
      "give the variables of `cores` loops with the bounds and tile= of the "
      "{} loop{} that update{} it",
      loops.size(), loops.size() == 1 ? "" : "s", loops.size() == 1 ? "s" : "");
  if (expr.items.size() - 1 != loops.size()) {
    return Fail(
        code::kX167, expr.range,
        fmt::format("'{}' is updated in {} `cores` loop{}, here are {} "
                    "subscripts",
                    across.name, loops.size(), loops.size() == 1 ? "" : "s",
                    expr.items.size() - 1),
        fix);
  }
  for (size_t i = 0; i < loops.size(); ++i) {
    const Expr* index = Eval(*expr.items[i + 1]);
    if (index->type.is_error()) return index;
    const bool loop_variable = index->kind == typed::ExprKind::kLoopIndex &&
                               index->loop->kind == LoopKind::kCores;
    if (!loop_variable || !SameSpace(*index->loop, *loops[i])) {
      return Fail(code::kX167, expr.items[i + 1]->range,
                  fmt::format("{} does not run over the space in which '{}' "
                              "was updated",
                              Quote(*expr.items[i + 1]), across.name),
                  fix);
    }
    prefix->args.push_back(index);
  }
  return prefix;
}

}  // namespace belay::crux
