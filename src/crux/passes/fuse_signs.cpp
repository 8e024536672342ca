// SPDX-License-Identifier: Apache-2.0
#include "crux/passes/fuse_signs.h"

#include "crux/passes/walk.h"
#include "crux/select/occurrences.h"

namespace belay::crux::passes {
namespace {

using ir::Stmt;

bool Is(const Stmt& stmt, Op op) {
  return stmt.kind == ir::StmtKind::kCompute && stmt.op == op;
}

// The absolute value that `negate` alone reads, made in its block of a tile
// that stays as it is; null: it is of something else.
const Stmt* SizeFor(const ir::Kernel& kernel, const select::Occurrences& at,
                    const ir::Block& block, const Stmt& negate) {
  const int* size = std::get_if<int>(&negate.operands[0]);
  if (size == nullptr || !IsFloating(kernel.tiles[*size].dtype)) return nullptr;
  const auto seen = at.Of(*size);
  if (seen.size() != 2 || !seen[0].assigns || seen[0].block != &block) {
    return nullptr;
  }
  const Stmt& made = *seen[0].stmt;
  if (!Is(made, Op::kAbs)) return nullptr;
  const int* source = std::get_if<int>(&made.operands[0]);
  return source != nullptr && at.Assignments(*source) == 1 ? &made : nullptr;
}

}  // namespace

void FuseSigns(ir::Kernel& kernel) {
  bool any = false;
  ForEachStmt(kernel.body,
              [&](const Stmt& stmt) { any = any || Is(stmt, Op::kNegate); });
  if (!any) return;
  const select::Occurrences at(kernel);
  ForEachBlock(kernel.body, [&](ir::Block& block) {
    std::set<const Stmt*> sizes;
    for (const auto& stmt : block) {
      if (!Is(*stmt, Op::kNegate)) continue;
      const Stmt* size = SizeFor(kernel, at, block, *stmt);
      if (size == nullptr) continue;
      stmt->of_size = true;
      stmt->operands = size->operands;
      sizes.insert(size);
    }
    std::erase_if(block,
                  [&](const auto& stmt) { return sizes.contains(stmt.get()); });
  });
}

}  // namespace belay::crux::passes
