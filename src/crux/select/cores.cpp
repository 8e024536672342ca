// SPDX-License-Identifier: Apache-2.0
#include "crux/select/cores.h"

#include <algorithm>
#include <set>

namespace belay::crux::select {
namespace {

using ir::StmtKind;

// What a core loads while all others, one after the other, start (910B1: 47
// times 0.076 us at a 48th of 1.56 TB/s).
constexpr int64_t kLateBytes = 116000;
// So many items are there for each one that the last has less than the first:
// 32 for each of 48 cores.
constexpr int64_t kItemsForLate = 1536;
// Fewer than so many are lost between items that take longer than others: the
// last has a multiple of them less.
constexpr int64_t kLeastLate = 3;

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

// A loop from one step before the range on: each turn loads for the next step,
// then does `body` for its own, those in the range. `define` defines the names
// of a step, `names`.
void TurnAhead(Emitter& emitter, std::string_view name, const ItemRange& range,
               const Int& step, const std::function<void(const Int&)>& define,
               const std::vector<std::string>& names, const TurnLoads& loads,
               const std::function<void()>& body) {
  emitter.For(name, range.low - step, range.high, step, [&](const Int& at) {
    const auto now = [&](const std::function<void()>& part) {
      emitter.If(Int::Of(ir::IntKind::kLessEqual, range.low, at), [&] {
        define(at);
        part();
      });
    };
    const auto next = [&](const std::function<void()>& part) {
      define(at + step);
      part();
    };
    const Int has_next = Less(at + step, range.high);
    if (loads.own) now(loads.own);
    if (loads.next) emitter.If(has_next, [&] { next(loads.next); });
    if (!loads.first) return now(body);
    emitter.If(Int::Of(ir::IntKind::kAnd, Less(at, range.low), has_next),
               [&] { next(loads.first); });
    now([&] {
      loads.later([&](const std::function<void()>& part) {
        emitter.If(has_next,
                   [&] { emitter.Renaming(names, [&] { next(part); }); });
      });
      body();
    });
  });
}

void AddNames(const ir::Loop& loop, std::vector<std::string>& names) {
  names.push_back(loop.name);
  if (!loop.extent.empty()) names.push_back(loop.extent);
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

bool RepeatsNumbers(const Layouts& layouts, const CoresNest& nest) {
  const auto is_number = [&](int tile) { return layouts[tile].last < 0; };
  return std::all_of(
      nest.loops.begin(), nest.loops.end() - 1, [&](const ir::Loop* loop) {
        return std::all_of(
            loop->body.begin(), loop->body.end(), [&](const auto& stmt) {
              return std::all_of(stmt->results.begin(), stmt->results.end(),
                                 is_number);
            });
      });
}

ItemRange ItemsOfCore(Emitter& emitter, const CoresNest& nest) {
  const Int items = emitter.Let("items", nest.items);
  const Int cores = Int::Name("block_num");
  if (nest.bytes.Is(0)) {
    const Int share = emitter.Let("share", FloorDiv(items, cores));
    const Int rest = emitter.Let("rest", Mod(items, cores));
    const Int core = Int::Name("block_idx");
    const Int first = emitter.Let("first_item", core * share + Min(core, rest));
    return {first, emitter.Let("end_item", first + share + Less(core, rest))};
  }
  const Int late = emitter.Let(
      "late", Min(FloorDiv(items, kItemsForLate * kLeastLate),
                  FloorDiv(kLateBytes / kLeastLate, nest.bytes + 1)) *
                  kLeastLate);
  const auto begin = [&](const Int& at) {
    return at * FloorDiv(items, cores) + Min(at, Mod(items, cores)) +
           FloorDiv(late * at * (cores - at), cores * 2);
  };
  const Int core = Int::Name("block_idx");
  const Int first = emitter.Let("first_item", begin(core));
  return {first, emitter.Let("end_item", begin(core + 1))};
}

void ForGroup(Emitter& emitter, const CoresNest& nest, size_t group,
              const ItemRange& range,
              const std::function<void(const ItemRange&)>& body,
              const TurnLoads& loads) {
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
  if (loads.any()) {
    std::vector<std::string> names;
    for (size_t i = begin; i < end; ++i) AddNames(*nest.loops[i], names);
    return TurnAhead(
        emitter, name, turns, 1, [&](const Int& at) { define(at); }, names,
        loads, [&] { body({}); });
  }
  emitter.For(name, turns.low, turns.high, 1, [&](const Int& counter) {
    const Int item = define(counter);
    if (last) return body({});
    body({emitter.Let("low", Max(0, range.low - item * inside)),
          emitter.Let("high", Min(inside, range.high - item * inside))});
  });
}

void InOrder(Emitter& emitter, const ir::Loop& loop,
             const std::function<void()>& body, const TurnLoads& loads) {
  const bool upwards =
      !loop.reverse && !(loop.step.is_constant() && loop.step.value() < 0);
  std::vector<std::string> names;
  AddNames(loop, names);
  if (upwards && loads.any()) {
    return TurnAhead(
        emitter, "position", {loop.low, loop.high}, loop.step,
        [&](const Int& position) {
          DefineNames(emitter, loop, position);
          DefineExtent(emitter, loop);
        },
        names, loads, body);
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
  if (loads.any()) {
    return TurnAhead(emitter, "turn", {0, turns}, 1, define, names, loads,
                     body);
  }
  emitter.For("turn", 0, turns, 1, [&](const Int& turn) {
    define(turn);
    body();
  });
}

}  // namespace belay::crux::select
