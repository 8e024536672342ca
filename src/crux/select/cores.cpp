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

void ForItemsOfCore(Emitter& emitter, const CoresNest& nest,
                    const std::function<void()>& body) {
  const Int items = emitter.Let("items", nest.items);
  const Int core = Int::Name("block_idx");
  const Int cores = Int::Name("block_num");
  const Int share = emitter.Let("share", FloorDiv(items, cores));
  const Int rest = emitter.Let("rest", Mod(items, cores));
  const Int first =
      emitter.Let("first_item", core * share + Min(core, rest));
  const Int end = emitter.Let("end_item", first + share + Less(core, rest));
  emitter.For("item", first, end, 1, [&](const Int& item) {
    Int left = item;
    for (size_t i = nest.loops.size(); i-- > 0;) {
      const ir::Loop& loop = *nest.loops[i];
      const Int turn = i == 0 ? left : Mod(left, nest.turns[i]);
      DefineNames(emitter, loop, loop.low + turn * loop.step);
      DefineExtent(emitter, loop);
      if (i > 0) left = emitter.Let("outer_item", FloorDiv(left, nest.turns[i]));
    }
    body();
  });
}

void InOrder(Emitter& emitter, const ir::Loop& loop,
             const std::function<void()>& body) {
  const bool upwards =
      !loop.reverse && !(loop.step.is_constant() && loop.step.value() < 0);
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
  emitter.For("turn", 0, turns, 1, [&](const Int& turn) {
    const Int which = loop.reverse ? turns - 1 - turn : turn;
    DefineNames(emitter, loop, loop.low + which * loop.step);
    DefineExtent(emitter, loop);
    body();
  });
}

}  // namespace belay::crux::select
