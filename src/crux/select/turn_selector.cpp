// SPDX-License-Identifier: Apache-2.0
#include "crux/select/turn_selector.h"

#include <algorithm>
#include <utility>

#include "crux/select/vector.h"

namespace belay::crux::select {

using ir::StmtKind;

void TurnSelector::Prepare(int loaded, const Local& flat) {
  const auto& seen = at_.Of(loaded);
  const auto own = std::find_if(
      seen.begin(), seen.end(),
      [](const Occurrence& one) { return one.stmt->kind == StmtKind::kTurn; });
  if (own == seen.end()) return;
  const ir::Stmt& stmt = *own->stmt;
  if (plan_.tiles[plan_.tiles[stmt.results[0]].root].home != Home::kBuffer) {
    return;
  }
  const Turn& turn =
      filled_.emplace(&stmt, PlanTurn(emitter_, stmt, SlotsOf(loaded)))
          .first->second;
  PlanBehind(*own, turn);
  const Int loads = emitter_.Counter("loads");
  const Int slot = SlotOf(turn, loads);
  const Local free = Free(turn, stmt);
  emitter_.If(Less(loads, turn.slots), [&] {
    // It makes no function of its own.
    emitter_.SetStage(code::Stage::kCompute);
    FillTurnLists(emitter_,
                  {{turn, LinesOf(stmt.results[0]),
                    emitter_.Cast(flat, DType::kInt32, "flat"), slot}},
                  free);
    emitter_.SetStage(code::Stage::kCopyIn);
  });
  emitter_.Set(loads, loads + 1);
}

void TurnSelector::Before(const ir::Stmt& stmt) {
  const auto found = filled_.find(&stmt);
  if (found == filled_.end() || stmt.kind != StmtKind::kTurn) return;
  if (found->second.slots == 1 && behind_.empty()) return;
  const Int turns = emitter_.Counter("turns");
  turns_.emplace(&stmt, turns);
  if (behind_.empty()) return;
  const Local free = Free(found->second, stmt);
  emitter_.If(Less(turns, 1),
              [&] { FillTurnLists(emitter_, TakeBehind(), free); });
}

void TurnSelector::Select(const ir::Stmt& stmt) {
  const bool back = stmt.kind == StmtKind::kTurnBack;
  const int to = stmt.results[0];
  const int from = std::get<int>(stmt.operands[0]);
  if (!filled_.contains(&stmt)) {
    const Turn turn =
        PlanTurn(emitter_, stmt, std::max(SlotsOf(to), SlotsOf(from)));
    const Int turns = emitter_.Counter("turns");
    filled_.emplace(&stmt, turn);
    turns_.emplace(&stmt, turns);
    const Int slot = SlotOf(turn, turns);
    const auto place = [&](int tile) {
      return emitter_.Cast(emitter_.At(tile), DType::kInt32, "place");
    };
    const Local free =
        emitter_.Scratch(DType::kInt32, RoomToFill(turn), "entry");
    emitter_.If(Less(turns, turn.slots), [&] {
      const Local lines = place(back ? from : to);
      const Local flat = place(back ? to : from);
      FillTurnLists(emitter_, {{turn, lines, flat, slot}}, free);
    });
  }
  const Turn& turn = filled_.at(&stmt);
  const auto turns = turns_.find(&stmt);
  const bool counts = turns != turns_.end();
  if (!back) {
    const Local flat =
        ViewAs(emitter_, LaneOf(emitter_, from), turn.word()).place;
    FillUpRows(emitter_, turn, flat, kernel_.tiles[from].dims[0].size);
  }
  EmitTurn(emitter_, turn, SlotOf(turn, counts ? turns->second : Int(0)));
  if (counts) emitter_.Set(turns->second, turns->second + 1);
}

void TurnSelector::PlanBehind(const Occurrence& first, const Turn& turn) {
  const int own = first.stmt->results[0];
  const Storage& own_lines = plan_.tiles[plan_.tiles[own].root];
  for (const auto& stmt : *first.block) {
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
    const bool same =
        !turn.wide && turn.slots == 1 &&
        BytesOf(kernel_.tiles[from].dtype) == 2 &&
        lines.container == own_lines.container &&
        SamePlaces(emitter_.LayoutOf(from), emitter_.LayoutOf(own));
    filled_.emplace(stmt.get(),
                    PlanTurn(emitter_, *stmt, 1, same ? &turn : nullptr));
    behind_.push_back(stmt.get());
  }
}

std::vector<TurnPlaces> TurnSelector::TakeBehind() {
  std::vector<TurnPlaces> turns;
  for (const ir::Stmt* const stmt : std::exchange(behind_, {})) {
    const int to = stmt->results[0];
    const std::string slot =
        emitter_.FreshName(kernel_.tiles[to].name + "_slot");
    // Its address is asked for; addresses are integers.
    constexpr DType kInt = DType::kInt32;
    emitter_.Queue(code::StmtKind::kAlloc, plan_.tiles[to].container, kInt,
                   slot);
    emitter_.Declare(slot, kInt);
    turns.push_back({filled_.at(stmt),
                     LinesOf(std::get<int>(stmt->operands[0])),
                     {slot, 0}});
    emitter_.Queue(code::StmtKind::kFree, plan_.tiles[to].container, kInt,
                   slot);
  }
  return turns;
}

Local TurnSelector::LinesOf(int tile) {
  const Storage& root = plan_.tiles[plan_.tiles[tile].root];
  std::string_view name = root.container;
  constexpr std::string_view kBuffer = "_buffer";
  if (name.ends_with(kBuffer)) name.remove_suffix(kBuffer.size());
  const Local all = emitter_.AllOf(root.container, DType::kInt32, name);
  return {all.name, root.shift / static_cast<int64_t>(sizeof(int32_t))};
}

Local TurnSelector::Free(const Turn& turn, const ir::Stmt& stmt) {
  Int room = RoomToFill(turn);
  bool small = true;
  for (const ir::Stmt* const back : behind_) {
    const Turn& other = filled_.at(back);
    room = Max(room, RoomToFill(other));
    small = small && (other.columns.Is(1) || Same(other.columns, turn.columns));
  }
  // Columns of 272 rows and more hold what their own lists take.
  const int lines = plan_.tiles[stmt.results[0]].root;
  const std::string& buffer = plan_.tiles[lines].container;
  if (small && IsFreeBehind(std::get<int>(stmt.operands[0]), buffer)) {
    return emitter_.AllOf(buffer, DType::kInt32, "entry");
  }
  return emitter_.Scratch(DType::kInt32, room, "entry");
}

bool TurnSelector::IsFreeBehind(int loaded, const std::string& buffer) const {
  const int load = at_.First(at_.Of(loaded).front().stmt);
  return std::all_of(
      kernel_.tiles.begin(), kernel_.tiles.end(), [&](const ir::Tile& tile) {
        const auto& seen = at_.Of(tile.id);
        return plan_.tiles[plan_.tiles[tile.id].root].container != buffer ||
               std::all_of(seen.begin(), seen.end(), [&](const auto& one) {
                 return load < at_.First(one.stmt);
               });
      });
}

Int TurnSelector::SlotOf(const Turn& turn, const Int& count) {
  return turn.slots == 1 ? Int(0) : Mod(count, turn.slots);
}

int TurnSelector::SlotsOf(int tile) const {
  const std::string& container = plan_.tiles[plan_.tiles[tile].root].container;
  const auto found = std::find_if(
      plan_.queues.begin(), plan_.queues.end(),
      [&](const code::Queue& queue) { return queue.name == container; });
  return found == plan_.queues.end() ? 1 : static_cast<int>(found->depth);
}

}  // namespace belay::crux::select
