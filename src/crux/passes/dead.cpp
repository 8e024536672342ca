// SPDX-License-Identifier: Apache-2.0
#include "crux/passes/dead.h"

#include <algorithm>

#include "crux/passes/walk.h"
#include "crux/select/occurrences.h"

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

}  // namespace

void DropDead(ir::Kernel& kernel) {
  for (bool changed = true; changed;) {
    changed = false;
    // A tile that only its own next value needs is dead as well.
    std::set<int> read;
    std::set<std::string> names;
    ForEachStmt(kernel.body, [&](const Stmt& stmt) {
      for (const int tile : select::TilesReadBy(stmt)) {
        const bool own = HasNoEffect(stmt) && stmt.results.size() == 1 &&
                         stmt.results[0] == tile;
        if (!own) read.insert(tile);
      }
      names.merge(NamesUsedBy(kernel, stmt));
    });
    RewriteBlock(kernel.body, [&](const std::shared_ptr<Stmt>& stmt) -> Block {
      const bool unread =
          HasNoEffect(*stmt) &&
          std::none_of(stmt->results.begin(), stmt->results.end(),
                       [&](int tile) { return read.contains(tile); });
      const bool unnamed =
          stmt->kind == StmtKind::kRead && !names.contains(stmt->name);
      if (!unread && !unnamed && !IsEmpty(*stmt)) return {stmt};
      changed = true;
      return {};
    });
  }
}

}  // namespace belay::crux::passes
