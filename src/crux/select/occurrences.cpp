// SPDX-License-Identifier: Apache-2.0
#include "crux/select/occurrences.h"

#include <algorithm>

#include "crux/ir/walk.h"

namespace belay::crux::select {

std::vector<int> TilesReadBy(const ir::Stmt& stmt) {
  std::vector<int> tiles;
  ir::ForEachTileRead(stmt, [&](int tile) { tiles.push_back(tile); });
  return tiles;
}

Occurrences::Occurrences(const ir::Kernel& kernel) : of_(kernel.tiles.size()) {
  Visit(kernel.body, {});
}

void Occurrences::Visit(const ir::Block& block, const BlockPlace& place) {
  blocks_[&block] = place;
  for (const auto& stmt : block) {
    const int first = next_++;
    ir::ForEachTileRead(*stmt, [&](int tile) {
      of_[tile].push_back({stmt.get(), &block, false});
    });
    for (const int tile : stmt->results) {
      of_[tile].push_back({stmt.get(), &block, true});
    }
    BlockPlace inner{&block, stmt.get(), place.depth + 1, place.in_loop};
    if (stmt->kind == ir::StmtKind::kLoop) {
      inner.in_loop = true;
      Visit(stmt->loop->body, inner);
    } else if (stmt->kind == ir::StmtKind::kIf) {
      Visit(stmt->body, inner);
      Visit(stmt->otherwise, inner);
    }
    spans_[stmt.get()] = {first, next_ - 1};
  }
}

int Occurrences::Assignments(int tile) const {
  return static_cast<int>(
      std::count_if(of_[tile].begin(), of_[tile].end(),
                    [](const Occurrence& at) { return at.assigns; }));
}

const ir::Block* Occurrences::Common(const ir::Block* a,
                                     const ir::Block* b) const {
  while (a != b) {
    const BlockPlace& left = PlaceOf(a);
    const BlockPlace& right = PlaceOf(b);
    if (left.depth >= right.depth) {
      a = left.parent;
    } else {
      b = right.parent;
    }
  }
  return a;
}

const ir::Stmt* Occurrences::Within(const ir::Block* block,
                                    const ir::Stmt* stmt,
                                    const ir::Block* inner) const {
  while (inner != block) {
    stmt = PlaceOf(inner).stmt;
    inner = PlaceOf(inner).parent;
  }
  return stmt;
}

}  // namespace belay::crux::select
