// SPDX-License-Identifier: Apache-2.0
#include "crux/passes/dead.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "crux/passes/walk.h"

namespace belay::crux::passes {
namespace {

using ir::Block;
using ir::Stmt;
using ir::StmtKind;

bool HasNoEffect(const Stmt& stmt) {
  switch (stmt.kind) {
    case StmtKind::kCompute:
    case StmtKind::kSlice:
    case StmtKind::kReshape:
    case StmtKind::kTurn:
    case StmtKind::kTurnBack:
    case StmtKind::kLoad:
    case StmtKind::kAcrossValue:
    case StmtKind::kAcrossPrefix:
      return true;
    default:
      return false;
  }
}

bool IsEmpty(const Stmt& stmt) {
  return (stmt.kind == StmtKind::kLoop && stmt.loop->body.empty()) ||
         (stmt.kind == StmtKind::kIf && stmt.body.empty() &&
          stmt.otherwise.empty());
}

// What the kernel reads.
struct Reads {
  std::vector<bool> tiles;
  std::set<std::string> names;  // of kRead

  bool IsDead(const Stmt& stmt) const {
    const bool unread = HasNoEffect(stmt) &&
                        std::none_of(stmt.results.begin(), stmt.results.end(),
                                     [&](int tile) { return tiles[tile]; });
    const bool unnamed =
        stmt.kind == StmtKind::kRead && !names.contains(stmt.name);
    return unread || unnamed || IsEmpty(stmt);
  }
};

Reads ReadsIn(const ir::Kernel& kernel) {
  Reads reads;
  reads.tiles.resize(kernel.tiles.size());
  std::set<std::string> numbers;
  // A tile that only its own next value needs is dead as well.
  ForEachStmt(kernel.body, [&](const Stmt& stmt) {
    ForEachTileRead(stmt, [&](int tile) {
      const bool own = HasNoEffect(stmt) && stmt.results.size() == 1 &&
                       stmt.results[0] == tile;
      if (!own) reads.tiles[tile] = true;
    });
    if (stmt.kind == StmtKind::kRead) numbers.insert(stmt.name);
  });
  if (numbers.empty()) return reads;
  ForEachStmt(kernel.body, [&](const Stmt& stmt) {
    reads.names.merge(NamesUsedBy(kernel, stmt, numbers));
  });
  return reads;
}

// Whether there was anything. Statements inside go first.
bool DropFrom(Block& block, const Reads& reads) {
  bool dropped = false;
  for (const auto& stmt : block) {
    if (stmt->kind == StmtKind::kLoop) {
      dropped |= DropFrom(stmt->loop->body, reads);
    } else if (stmt->kind == StmtKind::kIf) {
      dropped |= DropFrom(stmt->body, reads);
      dropped |= DropFrom(stmt->otherwise, reads);
    }
  }
  return std::erase_if(block,
                       [&](const auto& stmt) { return reads.IsDead(*stmt); }) >
             0 ||
         dropped;
}

}  // namespace

void DropDead(ir::Kernel& kernel) {
  while (DropFrom(kernel.body, ReadsIn(kernel))) {
  }
}

}  // namespace belay::crux::passes
