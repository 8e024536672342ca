// SPDX-License-Identifier: Apache-2.0
#include "crux/select/turn_selector.h"

#include <algorithm>
#include <utility>

#include "crux/select/vector.h"

namespace belay::crux::select {

using ir::StmtKind;

Local NameOfBuffer(Emitter& emitter, const std::string& buffer, DType dtype,
                   const std::string& wish) {
  code::Stmt get;
  get.kind = code::StmtKind::kGet;
  get.name = emitter.FreshName(wish);
  get.from = buffer;
  get.dtype = dtype;
  const Local all{get.name, 0};
  emitter.Declare(all.name, dtype);
  emitter.Append(std::move(get));
  return all;
}

void TurnSelector::Select(const ir::Stmt& stmt) {
  if (const auto found = filled_.find(&stmt); found != filled_.end()) {
    return EmitTurn(emitter_, found->second, 0);
  }
  const bool back = stmt.kind == StmtKind::kTurnBack;
  const int to = stmt.results[0];
  const int from = std::get<int>(stmt.operands[0]);
  const Turn turn =
      PlanTurn(emitter_, stmt, std::max(SlotsOf(to), SlotsOf(from)));
  if (!back) PlanBehind(stmt, turn);
  const Local dst = ViewAs(emitter_, LaneOf(emitter_, to), turn.word()).place;
  const Local src = ViewAs(emitter_, LaneOf(emitter_, from), turn.word()).place;
  const Int turns = emitter_.Counter("turns");
  const Int slot =
      turn.slots == 1 ? Int(0) : emitter_.Let("slot", Mod(turns, turn.slots));
  emitter_.If(Less(turns, turn.slots), [&] {
    FillTurnLists(emitter_, turn, back ? src : dst, back ? dst : src, slot);
  });
  emitter_.If(Less(turns, 1), [&] { FillBehind(); });
  if (!back) {
    FillUpRows(emitter_, turn, src, kernel_.tiles[from].dims[0].size);
  }
  EmitTurn(emitter_, turn, slot);
  emitter_.Set(turns, turns + 1);
}

void TurnSelector::PlanBehind(const ir::Stmt& first, const Turn& turn) {
  const Storage& own_lines = plan_.tiles[plan_.tiles[first.results[0]].root];
  const auto seen = at_.Of(first.results[0]);
  const auto own =
      std::find_if(seen.begin(), seen.end(),
                   [&](const Occurrence& one) { return one.stmt == &first; });
  for (const auto& stmt : *own->block) {
    if (stmt->kind != StmtKind::kTurnBack || filled_.contains(stmt.get())) {
      continue;
    }
    const Storage& flat = plan_.tiles[stmt->results[0]];
    const Storage& lines =
        plan_.tiles[plan_.tiles[std::get<int>(stmt->operands[0])].root];
    if (flat.home != Home::kQueueOut || SlotsOf(stmt->results[0]) != 1 ||
        lines.home != Home::kBuffer) {
      continue;
    }
    const int from = std::get<int>(stmt->operands[0]);
    const bool same = !turn.wide && turn.slots == 1 &&
                      BytesOf(kernel_.tiles[from].dtype) == 2 &&
                      lines.container == own_lines.container &&
                      SamePlaces(emitter_.LayoutOf(from),
                                 emitter_.LayoutOf(first.results[0]));
    filled_.emplace(stmt.get(),
                    PlanTurn(emitter_, *stmt, 1, same ? &turn : nullptr));
    to_be_filled_.push_back(stmt.get());
  }
}

void TurnSelector::FillBehind() {
  for (const ir::Stmt* const stmt : std::exchange(to_be_filled_, {})) {
    const Turn& turn = filled_.at(stmt);
    const int to = stmt->results[0];
    const int from = plan_.tiles[std::get<int>(stmt->operands[0])].root;
    const std::string slot =
        emitter_.FreshName(kernel_.tiles[to].name + "_place");
    Queue(code::StmtKind::kAlloc, to, slot);
    emitter_.Declare(slot, kernel_.tiles[to].dtype);
    const Local flat = ViewAs(emitter_, {{slot, 0}, {}}, turn.word()).place;
    const Local lines =
        NameOfBuffer(emitter_, plan_.tiles[from].container, turn.word(),
                     kernel_.tiles[from].name + "_place");
    FillTurnLists(emitter_, turn, lines, flat, 0);
    Queue(code::StmtKind::kFree, to, slot);
  }
}

int TurnSelector::SlotsOf(int tile) const {
  const std::string& container = plan_.tiles[plan_.tiles[tile].root].container;
  const auto found = std::find_if(
      plan_.queues.begin(), plan_.queues.end(),
      [&](const code::Queue& queue) { return queue.name == container; });
  return found == plan_.queues.end() ? 1 : static_cast<int>(found->depth);
}

void TurnSelector::Queue(code::StmtKind kind, int tile,
                         const std::string& local) {
  emitter_.Queue(kind, plan_.tiles[tile].container, tile, local);
}

}  // namespace belay::crux::select
