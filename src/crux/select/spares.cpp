// SPDX-License-Identifier: Apache-2.0
#include "crux/select/spares.h"

#include <string>

#include "crux/passes/walk.h"

namespace belay::crux::select {
namespace {

// Whether the buffer holds as many elements as `source`, and none at `when`.
bool IsSpare(const ir::Kernel& kernel, const Lives& lives,
             const StoragePlan& plan, const std::string& buffer, int source,
             int when) {
  bool large = false;
  for (size_t id = 0; id < kernel.tiles.size(); ++id) {
    const int tile = static_cast<int>(id);
    if (plan.tiles[id].container != buffer || lives.RootOf(tile) != tile) {
      continue;
    }
    if (lives[id].begin <= when && when <= lives[id].end) return false;
    large = large || (BytesOf(kernel.tiles[id].dtype) > 1 &&
                      ir::Same(lives.LayoutOf(tile).elements,
                               lives.LayoutOf(source).elements));
  }
  return large;
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
