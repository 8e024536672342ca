// SPDX-License-Identifier: Apache-2.0
#include "crux/select/cores.h"

#include <set>

namespace belay::crux::select {
namespace {

using ir::StmtKind;

Int TurnsOf(const ir::Loop& loop) {
  if (loop.step.is_constant() && loop.step.value() < 0) {
    return Max(0, CeilDiv(loop.low - loop.high, 0 - loop.step));
  }
  return Max(0, CeilDiv(loop.high - loop.low, loop.step));
}

// Whether doing it again for every item changes nothing.
bool MayBeRepeated(const ir::Stmt& stmt) {
  switch (stmt.kind) {
    case StmtKind::kCompute:
    case StmtKind::kSlice:
    case StmtKind::kReshape:
    case StmtKind::kLoad:
    case StmtKind::kRead:
      return true;
    default:
      return false;
  }
}

void DefineNames(Emitter& emitter, const ir::Loop& loop, const Int& value) {
  code::Stmt let;
  let.kind = code::StmtKind::kLet;
  let.name = loop.name;
  let.value = value;
  emitter.Append(std::move(let));
}

void DefineExtent(Emitter& emitter, const ir::Loop& loop) {
  if (loop.extent.empty()) return;
  code::Stmt let;
  let.kind = code::StmtKind::kLet;
  let.name = loop.extent;
  let.value = Min(loop.step, loop.high - Int::Name(loop.name));
  emitter.Append(std::move(let));
}

// A loop from one step before the range on: each turn does `ahead` for the next
// step, then `body` for its own, those in the range.
void TurnAhead(Emitter& emitter, std::string_view name, const ItemRange& range,
               const Int& step, const std::function<void(const Int&)>& ahead,
               const std::function<void(const Int&)>& body) {
  emitter.For(name, range.low - step, range.high, step, [&](const Int& at) {
    emitter.If(Less(at + step, range.high), [&] { ahead(at + step); });
    emitter.If(Int::Of(ir::IntKind::kLessEqual, range.low, at),
               [&] { body(at); });
  });
}

}  // namespace

CoresNest NestOf(const ir::Stmt& stmt) {
  CoresNest nest;
  nest.items = 1;
  const ir::Stmt* next = &stmt;
  std::set<std::string> changing;
  while (next != nullptr) {
    const ir::Loop& loop = *next->loop;
    std::set<std::string> used;
    CollectNames(loop.low, used);
    CollectNames(loop.high, used);
    CollectNames(loop.step, used);
    for (const std::string& name : used) {
      if (changing.contains(name)) return nest;
    }
    if (nest.loops.empty() || nest.loops.back()->body.size() > 1) {
      nest.groups.push_back(nest.loops.size());
    }
    nest.loops.push_back(&loop);
    nest.turns.push_back(TurnsOf(loop));
    nest.items = nest.items * nest.turns.back();
    changing.insert(loop.name);
    changing.insert(loop.extent);
    next = nullptr;
    for (size_t i = 0; i < loop.body.size(); ++i) {
      const ir::Stmt& inner = *loop.body[i];
      if (inner.kind == StmtKind::kLoop && inner.loop->cores &&
          i + 1 == loop.body.size()) {
        next = &inner;
      } else if (!MayBeRepeated(inner)) {
        break;
      } else if (inner.kind == StmtKind::kRead) {
        changing.insert(inner.name);
      }
    }
  }
  return nest;
}

ItemRange ItemsOfCore(Emitter& emitter, const CoresNest& nest) {
  const Int items = emitter.Let("items", nest.items);
  const Int core = Int::Name("block_idx");
  const Int cores = Int::Name("block_num");
  const Int share = emitter.Let("share", FloorDiv(items, cores));
  const Int rest = emitter.Let("rest", Mod(items, cores));
  const Int first = emitter.Let("first_item", core * share + Min(core, rest));
  return {first, emitter.Let("end_item", first + share + Less(core, rest))};
}

void ForGroup(Emitter& emitter, const CoresNest& nest, size_t group,
              const ItemRange& range,
              const std::function<void(const ItemRange&)>& body,
              const std::function<void()>& ahead) {
  const bool last = group + 1 == nest.groups.size();
  const size_t begin = nest.groups[group];
  const size_t end = last ? nest.loops.size() : nest.groups[group + 1];
  Int inside = 1;
  for (size_t i = end; i < nest.loops.size(); ++i) {
    inside = inside * nest.turns[i];
  }
  ItemRange turns = range;
  if (!last) {
    // No items: nothing is divided by them.
    inside = emitter.Let("items_inside", Max(1, inside));
    turns = {FloorDiv(range.low, inside), CeilDiv(range.high, inside)};
  }
  const bool falls = nest.last_first && group == 0;
  if (falls) {
    turns = {emitter.Let("first", turns.low), emitter.Let("end", turns.high)};
  }
  const auto define = [&](const Int& counter) {
    const Int item =
        falls ? emitter.Let("item", turns.low + turns.high - 1 - counter)
              : counter;
    Int left = item;
    for (size_t i = end; i-- > begin;) {
      const ir::Loop& loop = *nest.loops[i];
      const Int turn = i == begin ? left : Mod(left, nest.turns[i]);
      DefineNames(emitter, loop, loop.low + turn * loop.step);
      DefineExtent(emitter, loop);
      if (i > begin) {
        left = emitter.Let("outer_item", FloorDiv(left, nest.turns[i]));
      }
    }
    return item;
  };
  const char* const name = falls ? "turn" : "item";
  if (ahead) {
    return TurnAhead(
        emitter, name, turns, 1,
        [&](const Int& counter) {
          define(emitter.Let("next", counter));
          ahead();
        },
        [&](const Int& counter) {
          define(counter);
          body({});
        });
  }
  emitter.For(name, turns.low, turns.high, 1, [&](const Int& counter) {
    const Int item = define(counter);
    if (last) return body({});
    body({emitter.Let("low", Max(0, range.low - item * inside)),
          emitter.Let("high", Min(inside, range.high - item * inside))});
  });
}

void InOrder(Emitter& emitter, const ir::Loop& loop,
             const std::function<void()>& body,
             const std::function<void()>& ahead) {
  const bool upwards =
      !loop.reverse && !(loop.step.is_constant() && loop.step.value() < 0);
  if (upwards && ahead) {
    const auto define = [&](const Int& position) {
      DefineNames(emitter, loop, position);
      DefineExtent(emitter, loop);
    };
    return TurnAhead(
        emitter, "position", {loop.low, loop.high}, loop.step,
        [&](const Int& position) {
          define(position);
          ahead();
        },
        [&](const Int& position) {
          define(position);
          body();
        });
  }
  if (upwards) {
    code::Stmt turns;
    turns.kind = code::StmtKind::kFor;
    turns.name = loop.name;
    turns.value = loop.low;
    turns.high = loop.high;
    turns.step = loop.step;
    emitter.Into(turns.body, [&] {
      DefineExtent(emitter, loop);
      body();
    });
    emitter.Append(std::move(turns));
    return;
  }
  const Int turns = emitter.Let("turns", TurnsOf(loop));
  const auto define = [&](const Int& turn) {
    const Int which = loop.reverse ? turns - 1 - turn : turn;
    DefineNames(emitter, loop, loop.low + which * loop.step);
    DefineExtent(emitter, loop);
  };
  if (ahead) {
    return TurnAhead(
        emitter, "turn", {0, turns}, 1,
        [&](const Int& turn) {
          define(emitter.Let("next", turn));
          ahead();
        },
        [&](const Int& turn) {
          define(turn);
          body();
        });
  }
  emitter.For("turn", 0, turns, 1, [&](const Int& turn) {
    define(turn);
    body();
  });
}

}  // namespace belay::crux::select
