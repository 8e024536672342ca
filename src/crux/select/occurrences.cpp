// SPDX-License-Identifier: Apache-2.0
#include "crux/select/occurrences.h"

#include <algorithm>
#include <functional>

#include "base/error.h"
#include "crux/ir/walk.h"

namespace belay::crux::select {

Occurrences::Occurrences(const ir::Kernel& kernel) {
  std::vector<OfTile> seen;
  seen.reserve(4 * kernel.tiles.size());
  spans_.reserve(2 * kernel.tiles.size());
  Visit(kernel.body, {}, seen);
  SortByTile(seen, kernel.tiles.size());
  std::sort(spans_.begin(), spans_.end(), [](const Span& a, const Span& b) {
    return std::less<>()(a.stmt, b.stmt);
  });
}

void Occurrences::SortByTile(const std::vector<OfTile>& seen, size_t tiles) {
  begins_.assign(tiles + 1, 0);
  for (const auto& [tile, one] : seen) ++begins_[tile + 1];
  for (size_t i = 0; i < tiles; ++i) begins_[i + 1] += begins_[i];
  occurrences_.resize(seen.size());
  std::vector<size_t> next = begins_;
  for (const auto& [tile, one] : seen) occurrences_[next[tile]++] = one;
}

const Occurrences::Span& Occurrences::SpanOf(const ir::Stmt* stmt) const {
  const auto found =
      std::lower_bound(spans_.begin(), spans_.end(), stmt,
                       [](const Span& one, const ir::Stmt* wanted) {
                         return std::less<>()(one.stmt, wanted);
                       });
  if (found == spans_.end() || found->stmt != stmt) {
    throw InternalError("[crux] a statement that is not of the kernel");
  }
  return *found;
}

void Occurrences::Visit(const ir::Block& block, const BlockPlace& place,
                        std::vector<OfTile>& seen) {
  blocks_[&block] = place;
  for (const auto& stmt : block) {
    const int first = next_++;
    for (const ir::Operand& operand : stmt->operands) {
      if (const int* tile = std::get_if<int>(&operand)) {
        seen.push_back({*tile, {stmt.get(), &block, first}});
      }
    }
    ir::ForEachTileOfPositions(*stmt, [&](int tile) {
      seen.push_back({tile, {stmt.get(), &block, first, false, true}});
    });
    for (const int tile : stmt->results) {
      seen.push_back({tile, {stmt.get(), &block, first, true}});
    }
    BlockPlace inner{&block, stmt.get(), place.depth + 1, place.in_loop};
    if (stmt->kind == ir::StmtKind::kLoop) {
      inner.in_loop = true;
      Visit(stmt->loop->body, inner, seen);
    } else if (stmt->kind == ir::StmtKind::kIf) {
      Visit(stmt->body, inner, seen);
      Visit(stmt->otherwise, inner, seen);
    }
    spans_.push_back({stmt.get(), first, next_ - 1});
  }
}

int Occurrences::Assignments(int tile) const {
  const std::span<const Occurrence> seen = Of(tile);
  return static_cast<int>(
      std::count_if(seen.begin(), seen.end(),
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

bool IsOnlyStored(const Occurrences& at, int tile) {
  const auto seen = at.Of(tile);
  return seen.size() == 2 && seen[1].stmt->kind == ir::StmtKind::kStore &&
         std::get<int>(seen[1].stmt->operands[0]) == tile &&
         seen[0].block == seen[1].block;
}

}  // namespace belay::crux::select
