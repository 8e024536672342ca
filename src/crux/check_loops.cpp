// SPDX-License-Identifier: Apache-2.0
// Checker: `for` over cores, tiles, range and each.

#include <fmt/format.h>

#include "crux/checker.h"
#include "crux/foreign.h"

namespace belay::crux {

using syntax::ExprKind;
using typed::LoopKind;

namespace {

std::optional<LoopKind> LoopKindOf(std::string_view name) {
  if (name == "cores") return LoopKind::kCores;
  if (name == "tiles") return LoopKind::kTiles;
  if (name == "range") return LoopKind::kRange;
  if (name == "each") return LoopKind::kEach;
  return std::nullopt;
}

constexpr std::string_view kLoops =
    "loops are `for r in cores(M):`, `for c in tiles(N, tile=auto):`, `for i "
    "in range(k):` and `for i in each(x):`";

}  // namespace

void Checker::CheckFor(const syntax::Statement& statement) {
  const syntax::Expr& over = *statement.value;
  typed::Loop* loop = program_.NewLoop();
  bool good = true;
  std::optional<LoopKind> kind;
  if (over.kind == ExprKind::kCall && over.items[0]->kind == ExprKind::kName) {
    kind = LoopKindOf(over.items[0]->text);
  }
  if (!kind) {
    std::string fix(kLoops);
    if (over.kind == ExprKind::kCall) {
      const std::string& name = over.items[0]->text;
      if (const std::string_view ours = ForFunction(name); !ours.empty()) {
        fix = fmt::format("write {}", ours);
      } else if (const std::string near =
                     Nearest(name, {"cores", "tiles", "range", "each"});
                 !near.empty()) {
        fix = fmt::format("did you mean '{}'?", near);
      } else if (name == "parallel" || name == "pfor" || name == "prange") {
        fix = "write cores(n) for independent iterations";
      } else if (name == "arange" || name == "serial" ||
                 name == "static_range" || name == "Pipelined") {
        fix = "write range(n) or tiles(n, tile=auto)";
      }
    }
    Report(code::kX150, over.range,
           fmt::format("a loop cannot run over {}", Quote(over)), fix);
    good = false;
  } else {
    loop->kind = *kind;
    good = ReadLoopArguments(over, loop);
  }
  if (statement.targets.size() != 1 ||
      statement.targets[0]->kind != ExprKind::kName) {
    Report(code::kX151, statement.targets[0]->range,
           "a loop has one variable, a name",
           "write one name after `for`; nest loops for several");
    good = false;
  }
  const syntax::Expr& target = *statement.targets[0];
  Binding variable;
  variable.range = target.range;
  variable.frame = scope_.depth();
  if (good && !MayBindLoop(target)) good = false;
  loop->name = target.text;
  loop->id = static_cast<int>(kernel_->loops.size());
  if (good) {
    kernel_->loops.push_back(loop);
    const std::string key = fmt::format("{}.{}", kernel_->name, loop->id);
    variable.kind = BindingKind::kLoop;
    variable.loop = loop;
    loop->type = PlainType(loop->tile ? TypeKind::kRange : TypeKind::kIndex);
    if (loop->tile) {
      loop->type.dims = {sizes_.Atom(SizeAtomKind::kExtent, key, loop->name)};
      variable.value =
          sizes_.Atom(SizeAtomKind::kDevice, key, loop->name + ".start");
    } else {
      variable.value = sizes_.Atom(SizeAtomKind::kDevice, key, loop->name);
    }
  }
  scope_.Push(FrameKind::kLoop);
  scope_.top().loop = loop;
  CollectAssigned(statement.body, scope_.top().assigned);
  // What the body assigns has another value in each iteration.
  for (const std::string& name : scope_.top().assigned) {
    const Binding* outer = scope_.Find(name);
    if (!outer || outer->kind != BindingKind::kVariable ||
        outer->variable->type.is_host() ||
        !IsIntegerScalar(outer->variable->type)) {
      continue;
    }
    Binding changing = *outer;
    changing.value = sizes_.Fresh(SizeAtomKind::kDevice, name);
    scope_.Bind(name, changing);
  }
  if (target.kind == ExprKind::kName) scope_.Bind(target.text, variable);
  typed::Block* outer = block_;
  block_ = &loop->body;
  CheckBlock(statement.body);
  block_ = outer;
  CloseLoop(scope_.Pop(), *loop);
  if (!good) return;
  Emit(typed::StatementKind::kLoop, statement.range)->loop = loop;
}

bool Checker::MayBindLoop(const syntax::Expr& target) {
  const std::string& name = target.text;
  const Binding* binding = scope_.Find(name);
  const Global* global = FindGlobal(name);
  if (FindOperation(name) || LoopKindOf(name) || ElementNamed(name)) {
    Report(code::kX176, target.range,
           fmt::format("'{}' is a name of the language and cannot be a loop "
                       "variable",
                       name),
           "choose another name");
    return false;
  }
  const bool taken = (binding && binding->kind != BindingKind::kLost &&
                      binding->kind != BindingKind::kError) ||
                     (!binding && global && global->kind != GlobalKind::kError);
  if (!taken) return true;
  Report(
      code::kX112, target.range,
      fmt::format("the loop variable '{}' would hide the {} of that name", name,
                  !binding                                   ? "definition"
                  : binding->kind == BindingKind::kParameter ? "parameter"
                  : binding->kind == BindingKind::kLoop
                      ? "variable of the loop around it"
                  : binding->kind == BindingKind::kVariable ? "value"
                                                            : "size"),
      "choose another name");
  return false;
}

bool Checker::ReadLoopArguments(const syntax::Expr& call, typed::Loop* loop) {
  if (loop->kind == LoopKind::kEach) return ReadEach(call, loop);
  const std::string& name = call.items[0]->text;
  bool good = true;
  for (const syntax::Keyword& keyword : call.keywords) {
    if (keyword.name == "tile" && loop->kind != LoopKind::kRange) {
      good &= ReadTile(keyword, loop);
    } else if (keyword.name == "reverse" && loop->kind == LoopKind::kTiles) {
      const Expr* reverse = Eval(*keyword.value);
      if (!reverse->type.is_error() &&
          reverse->type.kind != TypeKind::kHostBool) {
        Report(code::kX151, keyword.value->range,
               fmt::format("reverse= is True, False or a host bool, {} is {}",
                           Quote(*keyword.value), ToText(reverse->type)),
               "write reverse=True");
      }
      good &= reverse->type.kind == TypeKind::kHostBool;
      loop->reverse = reverse;
    } else {
      std::string fix = fmt::format("{} takes {}", name,
                                    loop->kind == LoopKind::kCores ? "tile="
                                    : loop->kind == LoopKind::kTiles
                                        ? "tile= and reverse="
                                        : "no keywords; pieces are "
                                          "tiles(n, tile=…)");
      if (keyword.name == "reverse" && loop->kind == LoopKind::kCores) {
        fix =
            "iterations of cores have no order: delete reverse=, or use "
            "tiles(…)";
      } else if (keyword.name == "step" && loop->kind == LoopKind::kRange) {
        fix = "the step is the third argument: range(low, high, step)";
      } else if (const std::string_view ours = ForKeyword(keyword.name);
                 loop->kind != LoopKind::kRange &&
                 (ours == "tile" ||
                  (ours == "reverse" && loop->kind == LoopKind::kTiles))) {
        fix = fmt::format("write {}=", ours);
      }
      Report(code::kX151, keyword.range,
             fmt::format("{} has no argument '{}='", name, keyword.name), fix);
      good = false;
    }
  }
  return ReadBounds(call, loop) && good;
}

bool Checker::ReadBounds(const syntax::Expr& call, typed::Loop* loop) {
  const std::string& name = call.items[0]->text;
  const size_t count = call.items.size() - 1;
  const size_t most = loop->kind == LoopKind::kRange ? 3 : 2;
  if (count == 0 || count > most) {
    Report(code::kX151, call.range,
           fmt::format("{} takes {}, got {} arguments", name,
                       most == 3 ? "(n), (low, high) or (low, high, step)"
                                 : "(n) or (low, high)",
                       count),
           count == 3 ? "the size of a piece is tile=" : std::string(kLoops));
    return false;
  }
  std::vector<const Expr*> bounds;
  bool good = true;
  for (size_t i = 1; i <= count; ++i) {
    const Expr* bound = Eval(*call.items[i]);
    bounds.push_back(bound);
    if (bound->type.is_error()) {
      good = false;
    } else if (!IsIntegerScalar(bound->type)) {
      std::string fix = "write the name of a size, or a device integer";
      if (bound->type.kind == TypeKind::kHostFloat) {
        fix = "divide sizes with // or ceil_div(a, b)";
      } else if (bound->type.kind == TypeKind::kTensor ||
                 bound->type.kind == TypeKind::kTensorList) {
        fix = "write x.size, a size of its shape, or each(x) for a list";
      }
      Report(code::kX151, call.items[i]->range,
             fmt::format("the bound {} of {} must be an integer, it is {}",
                         Quote(*call.items[i]), name, ToText(bound->type)),
             fix);
      good = false;
    }
  }
  if (!good) return false;
  loop->high = bounds[count == 1 ? 0 : 1];
  if (count > 1) loop->low = bounds[0];
  if (count == 3) {
    loop->step = bounds[2];
    if (loop->step->value.constant() == 0) {
      Report(code::kX177, loop->step->range, "the step of range is 0",
             "write a step that is not 0");
      return false;
    }
  }
  return true;
}

bool Checker::ReadTile(const syntax::Keyword& keyword, typed::Loop* loop) {
  const Expr* tile = Eval(*keyword.value);
  loop->tile = tile;
  if (tile->type.is_error()) return false;
  if (tile->type.kind == TypeKind::kAuto) return true;
  if (tile->type.kind != TypeKind::kHostInt) {
    Report(code::kX151, keyword.value->range,
           fmt::format("tile= is auto or a host integer, {} is {}",
                       Quote(*keyword.value), ToText(tile->type)),
           "write tile=auto, tile=128 or tile=choose(64, 128)");
    return false;
  }
  if (const auto constant = tile->value.constant();
      constant && *constant <= 0) {
    Report(code::kX177, keyword.value->range,
           fmt::format("a piece of {} elements cannot be", *constant),
           "write a positive size, or tile=auto");
    return false;
  }
  return true;
}

bool Checker::ReadEach(const syntax::Expr& call, typed::Loop* loop) {
  if (call.items.size() != 2 || !call.keywords.empty()) {
    Report(code::kX151, call.range, "each takes one list of tensors",
           "write `for i in each(x):`");
    return false;
  }
  const Expr* list = Eval(*call.items[1]);
  if (list->type.is_error()) return false;
  if (list->type.kind != TypeKind::kTensorList) {
    Report(code::kX151, call.items[1]->range,
           fmt::format("each runs over a list of tensors, {} is {}",
                       Quote(*call.items[1]), ToText(list->type)),
           "a list is declared as x: list(T[*S]); over rows write cores(M)");
    return false;
  }
  loop->list = list;
  return true;
}

}  // namespace belay::crux
