// SPDX-License-Identifier: Apache-2.0
#include "crux/passes/row_positions.h"

#include <map>
#include <set>
#include <string>

#include "crux/passes/walk.h"

namespace belay::crux::passes {

using ir::Index;
using ir::IndexKind;
using ir::Stmt;
using ir::StmtKind;

namespace {

template <class Visit>
void ForEachIn(ir::Block& block, const Visit& visit) {
  for (const auto& stmt : block) {
    visit(*stmt);
    if (stmt->loop != nullptr) ForEachIn(stmt->loop->body, visit);
    ForEachIn(stmt->body, visit);
    ForEachIn(stmt->otherwise, visit);
  }
}

}  // namespace

RowPositions::RowPositions(const ir::Kernel& kernel, ir::Block& body)
    : body_(body), before_(body) {
  std::map<std::string, int> tiles;  // that names are read from
  std::set<std::string> names;
  for (const auto& stmt : body) {
    if (stmt->kind != StmtKind::kRead) continue;
    const int tile = std::get<int>(stmt->operands[0]);
    if (!kernel.tiles[tile].dims.empty()) return;
    tiles.emplace(stmt->name, tile);
    names.insert(stmt->name);
  }
  if (names.empty()) return;
  std::erase_if(body,
                [](const auto& stmt) { return stmt->kind == StmtKind::kRead; });
  bool others = false;
  ForEachIn(body, [&](Stmt& stmt) {
    for (Index& index : stmt.access.indices) {
      const auto tile = tiles.find(index.start.name());
      if (index.kind != IndexKind::kPoint || tile == tiles.end() ||
          index.start.kind() != ir::IntKind::kName) {
        continue;
      }
      indices_.emplace_back(&index, index);
      index.kind = IndexKind::kTile;
      index.tile = tile->second;
      index.axis = 0;
      index.start = 0;
    }
    others = others || !NamesUsedBy(kernel, stmt, names).empty();
  });
  if (others) Restore();
}

void RowPositions::Restore() {
  for (const auto& [index, was] : indices_) *index = was;
  indices_.clear();
  body_ = before_;
}

}  // namespace belay::crux::passes
