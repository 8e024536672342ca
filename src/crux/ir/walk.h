// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_IR_WALK_H_
#define BELAY_CRUX_IR_WALK_H_

// Visits of the parts of a kernel.

#include <variant>

#include "crux/ir/tile.h"

namespace belay::crux::ir {

// Calls visit(stmt) for every statement, a loop or `if` before what is inside
// it.
template <typename Visit>
void ForEachStmt(const Block& block, const Visit& visit) {
  for (const auto& stmt : block) {
    const Stmt& one = *stmt;
    visit(one);
    if (one.loop) ForEachStmt(one.loop->body, visit);
    ForEachStmt(one.body, visit);
    ForEachStmt(one.otherwise, visit);
  }
}

template <typename Visit>
void ForEachInt(const Dim& dim, const Visit& visit) {
  visit(dim.capacity);
  visit(dim.size);
}

template <typename Visit>
void ForEachInt(const std::vector<Index>& indices, const Visit& visit) {
  for (const Index& index : indices) {
    visit(index.dim);
    visit(index.start);
    visit(index.step);
    if (index.kind == IndexKind::kRange) ForEachInt(index.extent, visit);
  }
}

// Calls visit(integer) for the integers of one statement and of the tiles it
// gives; not of statements inside it.
template <typename Visit>
void ForEachInt(const Kernel& kernel, const Stmt& stmt, const Visit& visit) {
  for (const int result : stmt.results) {
    for (const Dim& dim : kernel.tiles[static_cast<size_t>(result)].dims) {
      ForEachInt(dim, visit);
    }
  }
  const auto number = [&](const Number& one) {
    if (one.kind == Number::Kind::kInt) visit(one.integer);
  };
  for (const Operand& operand : stmt.operands) {
    if (const auto* one = std::get_if<Number>(&operand)) number(*one);
  }
  if (stmt.fill) number(*stmt.fill);
  if (stmt.kind == StmtKind::kLoad || stmt.kind == StmtKind::kStore ||
      stmt.kind == StmtKind::kAtomicAdd) {
    visit(stmt.access.element);
    ForEachInt(stmt.access.indices, visit);
  }
  ForEachInt(stmt.slice, visit);
  if (stmt.kind == StmtKind::kIf) visit(stmt.condition);
  if (stmt.loop) {
    visit(stmt.loop->low);
    visit(stmt.loop->high);
    visit(stmt.loop->step);
  }
}

// Calls visit(tile) for the tiles that say where a statement takes or puts
// elements.
template <typename Visit>
void ForEachTileOfPositions(const Stmt& stmt, const Visit& visit) {
  for (const auto* indices : {&stmt.access.indices, &stmt.slice}) {
    for (const Index& index : *indices) {
      if (index.kind == IndexKind::kTile) visit(index.tile);
    }
  }
}

// Calls visit(tile) for the tiles one statement reads, positions included.
template <typename Visit>
void ForEachTileRead(const Stmt& stmt, const Visit& visit) {
  for (const Operand& operand : stmt.operands) {
    if (const int* tile = std::get_if<int>(&operand)) visit(*tile);
  }
  ForEachTileOfPositions(stmt, visit);
}

// Whether holds(tile) for one of them.
template <typename Holds>
bool AnyTileRead(const Stmt& stmt, const Holds& holds) {
  bool any = false;
  ForEachTileRead(stmt, [&](int tile) { any = any || holds(tile); });
  return any;
}

}  // namespace belay::crux::ir

#endif  // BELAY_CRUX_IR_WALK_H_
