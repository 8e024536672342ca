// SPDX-License-Identifier: Apache-2.0
#include "crux/select/loads_ahead.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string>

#include "crux/passes/walk.h"
#include "crux/select/work.h"

namespace belay::crux::select {
namespace {

using ir::Stmt;
using ir::StmtKind;

// Whether elements of a tile say where it loads from.
bool LoadsByPositions(const Stmt& load) {
  return std::any_of(load.access.indices.begin(), load.access.indices.end(),
                     [](const ir::Index& one) { return one.tile >= 0; });
}

// Whether the load may run while an earlier turn does.
bool MayGoAhead(const ir::Kernel& kernel, const StoragePlan& plan,
                const Stmt& load, const std::set<std::string>& own) {
  const Storage& storage = plan.tiles[load.results[0]];
  const ir::Tensor& tensor = kernel.tensors[load.access.tensor];
  return storage.home == Home::kQueueIn && !tensor.list &&
         tensor.role == ir::TensorRole::kIn &&
         passes::NamesUsedBy(kernel, load, own).empty();
}

int SlotsOf(const StoragePlan& plan, const std::string& container) {
  return std::find_if(
             plan.queues.begin(), plan.queues.end(),
             [&](const code::Queue& one) { return one.name == container; })
      ->depth;
}

// Whether the load takes a move for each of several rows of rows, and the
// scalar unit long to issue them. One move is in time behind a long turn as
// well.
bool TakesSeveralMoves(const ir::Kernel& kernel, const Stmt& load) {
  const std::vector<ir::Dim>& dims = kernel.tiles[load.results[0]].dims;
  return std::count_if(dims.begin(), dims.end(),
                       [](const ir::Dim& dim) { return !dim.is_one(); }) > 2;
}

// The statement of `body` behind which the loaded tile's slot is free; none if
// it is part of another.
const Stmt* FreedBy(const StoragePlan& plan, const ir::Block& body, int tile) {
  for (const auto& stmt : body) {
    const auto found = plan.close_after.find(stmt.get());
    if (found == plan.close_after.end()) continue;
    const std::vector<int>& closed = found->second;
    if (std::find(closed.begin(), closed.end(), tile) != closed.end()) {
      return stmt.get();
    }
  }
  return nullptr;
}

// How many tiles are loaded through each queue in a turn.
std::map<std::string, int> LoadsByQueue(const StoragePlan& plan,
                                        const ir::Block& body) {
  std::map<std::string, int> counts;
  passes::ForEachStmt(body, [&](const Stmt& stmt) {
    if (stmt.kind != StmtKind::kLoad) return;
    ++counts[plan.tiles[stmt.results[0]].container];
  });
  return counts;
}

// Beside reloads the next turn is loaded in this one whatever the host chooses:
// not into the only slot of a queue.
void StayInTurn(const StoragePlan& plan, LoadsAhead& loads) {
  const auto stays = [&](const Stmt* load) {
    return SlotsOf(plan, plan.tiles[load->results[0]].container) == 1;
  };
  std::copy_if(loads.next.begin(), loads.next.end(),
               std::back_inserter(loads.others), stays);
  std::erase_if(loads.next, stays);
}

}  // namespace

LoadsAhead FindLoadsAhead(const ir::Kernel& kernel, const Layouts& layouts,
                          const StoragePlan& plan, const ir::Block& body) {
  const bool waits =
      std::any_of(body.begin(), body.end(), [](const auto& stmt) {
        return stmt->kind == StmtKind::kRead ||
               (stmt->kind == StmtKind::kLoad && stmt->fill);
      });
  if (!waits && !IsLongTurn(layouts, body)) return {};
  const std::set<std::string> own = passes::NamesDefinedIn(body);
  const std::map<std::string, int> in_turn = LoadsByQueue(plan, body);
  LoadsAhead loads;
  for (const auto& stmt : body) {
    if (stmt->kind != StmtKind::kLoad) break;
    // What has flags around it stays where it is, and behind the positions that
    // it is loaded by.
    if (plan.tiles[stmt->results[0]].direct || LoadsByPositions(*stmt)) {
      continue;
    }
    const std::string& queue = plan.tiles[stmt->results[0]].container;
    // Another tile of the turn, in a loop of it perhaps, needs the slot that
    // the next turn's would hold.
    const bool shared = in_turn.at(queue) > 1;
    if (shared || !MayGoAhead(kernel, plan, *stmt, own)) {
      loads.others.push_back(stmt.get());
    } else if (SlotsOf(plan, queue) > 1) {
      loads.next.push_back(stmt.get());
    } else if (const Stmt* freed = FreedBy(plan, body, stmt->results[0]);
               freed != nullptr &&
               (stmt->fill || TakesSeveralMoves(kernel, *stmt))) {
      loads.reloads.emplace_back(stmt.get(), freed);
    } else if (plan.slots_by_host.contains(queue)) {
      loads.next.push_back(stmt.get());
    } else {
      loads.others.push_back(stmt.get());
    }
  }
  if (!loads.reloads.empty()) StayInTurn(plan, loads);
  return loads.any() ? loads : LoadsAhead();
}

}  // namespace belay::crux::select
