// SPDX-License-Identifier: Apache-2.0
#include "crux/select/lives.h"

#include <algorithm>

#include "crux/ir/walk.h"
#include "crux/select/views.h"

namespace belay::crux::select {

using ir::StmtKind;

Lives::Lives(const ir::Kernel& kernel, const Occurrences& at)
    : kernel_(kernel), at_(at), layouts_(kernel) {
  FindRoots();
  FindLives();
}

ir::Int Lives::BytesOf(int id) const {
  const auto size =
      static_cast<int64_t>(belay::BytesOf(kernel_.tiles[id].dtype));
  return AlignUp(LayoutOf(id).elements * size, kPeriodOfBanks);
}

bool Lives::IsPiece(int id) const {
  const ir::Int& elements = LayoutOf(id).elements;
  return std::any_of(kernel_.parameters.begin(), kernel_.parameters.end(),
                     [&](const ir::TileParameter& one) {
                       return one.role == ir::TileParameter::Role::kPiece &&
                              Mentions(elements, one.name);
                     });
}

const ir::Stmt* Lives::FirstReader(int root) const {
  const Life& life = lives_[root];
  for (const auto& stmt : *life.block) {
    if (stmt.get() == life.assigned) continue;
    if (at_.First(stmt.get()) < at_.First(life.assigned)) continue;
    if (IsReadBy(*stmt, root)) return stmt.get();
  }
  return life.last;
}

bool Lives::IsReadBy(const ir::Stmt& stmt, int root) const {
  if (ir::AnyTileRead(stmt, [&](int tile) { return RootOf(tile) == root; })) {
    return true;
  }
  const auto any = [&](const ir::Block& block) {
    return std::any_of(block.begin(), block.end(), [&](const auto& inner) {
      return IsReadBy(*inner, root);
    });
  };
  if (stmt.kind == ir::StmtKind::kLoop) return any(stmt.loop->body);
  return any(stmt.body) || any(stmt.otherwise);
}

bool Lives::AreApart(int root, int other) const {
  const ir::Block* block = lives_[root].block;
  const ir::Block* beside = lives_[other].block;
  const ir::Block* common = at_.Common(block, beside);
  if (common == block || common == beside) return false;
  if (IsPiece(root) && IsPiece(other)) return true;
  const auto is_over_cores = [&](int tile) {
    const ir::Stmt* held =
        at_.Within(common, lives_[tile].first, lives_[tile].block);
    return held->kind == StmtKind::kLoop && held->loop->cores;
  };
  return is_over_cores(root) && is_over_cores(other);
}

// A reshape that moves nothing makes its result another name, as does a slice
// of whole rows.
void Lives::FindRoots() {
  for (size_t id = 0; id < kernel_.tiles.size(); ++id) {
    const int tile = static_cast<int>(id);
    roots_.push_back(tile);
    begins_.push_back(true);
    if (at_.Assignments(tile) != 1) continue;
    const auto seen = at_.Of(tile);
    const auto assigned =
        std::find_if(seen.begin(), seen.end(),
                     [](const Occurrence& one) { return one.assigns; });
    const ir::Stmt& stmt = *assigned->stmt;
    if (stmt.kind == StmtKind::kSlice && MayBeView(kernel_, at_, stmt)) {
      roots_[id] = std::get<int>(stmt.operands[0]);
      begins_[id] = FirstOfRows(kernel_, stmt)->Is(0);
      continue;
    }
    if (stmt.kind != StmtKind::kReshape) continue;
    const int* source = std::get_if<int>(&stmt.operands[0]);
    if (source == nullptr || at_.Assignments(*source) != 1) continue;
    if (kernel_.tiles[*source].dtype != kernel_.tiles[tile].dtype) continue;
    if (!SamePlaces(LayoutOf(*source), LayoutOf(tile))) continue;
    roots_[id] = *source;
  }
  for (size_t id = 0; id < kernel_.tiles.size(); ++id) {
    int root = roots_[id];
    while (roots_[root] != root) {
      begins_[id] = begins_[id] && begins_[root];
      root = roots_[root];
    }
    roots_[id] = root;
  }
  firsts_.assign(roots_.size(), -1);
  nexts_.assign(roots_.size(), -1);
  for (size_t id = roots_.size(); id-- > 0;) {
    nexts_[id] = firsts_[roots_[id]];
    firsts_[roots_[id]] = static_cast<int>(id);
  }
}

void Lives::FindLives() {
  lives_.resize(kernel_.tiles.size());
  for (size_t id = 0; id < kernel_.tiles.size(); ++id) {
    Life& life = lives_[RootOf(static_cast<int>(id))];
    for (const Occurrence& one : at_.Of(static_cast<int>(id))) {
      life.block =
          life.block == nullptr ? one.block : at_.Common(life.block, one.block);
    }
  }
  for (size_t id = 0; id < kernel_.tiles.size(); ++id) {
    const int root = RootOf(static_cast<int>(id));
    Life& life = lives_[root];
    for (const Occurrence& one : at_.Of(static_cast<int>(id))) {
      const ir::Stmt* held = at_.Within(life.block, one.stmt, one.block);
      if (at_.First(held) < life.begin) {
        life.begin = at_.First(held);
        life.first = held;
      }
      if (at_.Last(held) > life.end) {
        life.end = at_.Last(held);
        life.last = held;
      }
      if (one.assigns && static_cast<int>(id) == root &&
          (life.assigned == nullptr || one.number < at_.First(life.assigned))) {
        life.assigned = one.stmt;
      }
    }
  }
}

void Lives::Extend(int root, const ir::Stmt* stmt) {
  Life& life = lives_[root];
  if (at_.Last(stmt) <= life.end) return;
  life.end = at_.Last(stmt);
  life.last = stmt;
}

std::vector<Occurrence> Lives::ReadsOf(int root) const {
  std::vector<Occurrence> reads;
  for (int id = firsts_[root]; id >= 0; id = nexts_[id]) {
    for (const Occurrence& one : at_.Of(id)) {
      const bool renames = (one.stmt->kind == StmtKind::kReshape ||
                            one.stmt->kind == StmtKind::kSlice) &&
                           IsAlias(one.stmt->results[0]);
      if (!one.assigns && !renames) reads.push_back(one);
    }
  }
  return reads;
}

}  // namespace belay::crux::select
