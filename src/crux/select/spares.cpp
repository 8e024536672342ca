// SPDX-License-Identifier: Apache-2.0
#include "crux/select/spares.h"

#include <algorithm>
#include <string>

#include "crux/passes/walk.h"
#include "crux/select/work.h"

namespace belay::crux::select {
namespace {

// Whether the buffer holds as many elements as `source`, of 16 bits, or of 32
// where `source` has 16, and none at `when`.
bool IsSpare(const ir::Kernel& kernel, const Lives& lives,
             const StoragePlan& plan, const std::string& buffer, int source,
             int when) {
  const size_t least = BytesOf(kernel.tiles[source].dtype) == 2 ? 4 : 2;
  bool large = false;
  for (size_t id = 0; id < kernel.tiles.size(); ++id) {
    const int tile = static_cast<int>(id);
    if (plan.tiles[id].container != buffer || lives.RootOf(tile) != tile) {
      continue;
    }
    if (lives[id].begin <= when && when <= lives[id].end) return false;
    large = large || (BytesOf(kernel.tiles[id].dtype) >= least &&
                      ir::Same(lives.LayoutOf(tile).elements,
                               lives.LayoutOf(source).elements));
  }
  return large;
}

// Whether the vector unit holds up the loop over `block`, which loads as many
// elements as `tile` has.
bool DoVectorsHoldUp(const ir::Kernel& kernel, const Lives& lives,
                     const ir::Block& block, int tile) {
  return std::any_of(block.begin(), block.end(), [&](const auto& stmt) {
    return stmt->kind == ir::StmtKind::kLoad &&
           ir::Same(lives.LayoutOf(stmt->results[0]).elements,
                    lives.LayoutOf(tile).elements) &&
           IsHeldByVectors(kernel, lives.layouts(), block, stmt->results[0]);
  });
}

// Whether nobody but `tile` ever lies in its queue, of one slot.
bool IsAlone(const StoragePlan& plan, int tile) {
  const std::string& name = plan.tiles[tile].container;
  const auto queue =
      std::find_if(plan.queues.begin(), plan.queues.end(),
                   [&](const code::Queue& one) { return one.name == name; });
  return queue->depth == 1 &&
         std::count_if(
             plan.tiles.begin(), plan.tiles.end(), [&](const Storage& one) {
               return one.home != Home::kAlias && one.container == name;
             }) == 1;
}

// The tile that is turned back from as many rows as `source` has, behind a
// `stmt` of the same block, in a slot that is free by then; -1: none.
int FindBeside(const ir::Kernel& kernel, const Occurrences& at,
               const Lives& lives, const StoragePlan& plan,
               const ir::Stmt& stmt) {
  const int source = std::get<int>(stmt.operands[0]);
  const Life& life = lives[lives.RootOf(source)];
  const Layout& layout = lives.LayoutOf(source);
  if (StatementsBefore(lives.layouts(), *life.block, &stmt, source) <
      kWorkBefore) {
    return -1;
  }
  const ir::Int elements = layout.dims[0].capacity * layout.dims[1].capacity;
  for (size_t id = 0; id < kernel.tiles.size(); ++id) {
    const int tile = static_cast<int>(id);
    if (plan.tiles[id].home != Home::kQueueOut ||
        lives[tile].assigned->kind != ir::StmtKind::kTurnBack ||
        lives[tile].block != life.block ||
        at.First(lives[tile].assigned) < at.First(&stmt) ||
        !ir::Same(lives.LayoutOf(tile).elements, elements) ||
        !IsAlone(plan, tile)) {
      continue;
    }
    return DoVectorsHoldUp(kernel, lives, *life.block, tile) ? tile : -1;
  }
  return -1;
}

}  // namespace

void FindSpares(const ir::Kernel& kernel, const Occurrences& at,
                const Lives& lives, StoragePlan& plan) {
  if (lives.padding().lanes.empty() && lives.padding().rows.empty()) return;
  passes::ForEachStmt(kernel.body, [&](const ir::Stmt& stmt) {
    if (!passes::IsReduction(stmt)) return;
    const int source = std::get<int>(stmt.operands[0]);
    const Layout& layout = lives.LayoutOf(source);
    if (!FoldsSlices(layout, lives.padding()) ||
        stmt.axes != std::vector<int>{0} ||
        !IsFloating(kernel.tiles[source].dtype)) {
      return;
    }
    if (const auto parts = plan.parts.find(&stmt); parts != plan.parts.end()) {
      // Products are added up where they are made.
      if (parts->second.made->op != Op::kExp) return;
      const int tile = FindBeside(kernel, at, lives, plan, stmt);
      if (tile >= 0) plan.beside[&stmt] = tile;
      return;
    }
    for (const code::Buffer& buffer : plan.buffers) {
      if (!IsSpare(kernel, lives, plan, buffer.name, source, at.First(&stmt))) {
        continue;
      }
      plan.spare[&stmt] = buffer.name;
      return;
    }
    const int root = lives.RootOf(source);
    if (lives[root].last == &stmt && at.Assignments(root) == 1 &&
        !lives.IsPart(source)) {
      plan.spare[&stmt] = "";
    }
  });
}

}  // namespace belay::crux::select
