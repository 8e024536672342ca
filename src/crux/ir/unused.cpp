// SPDX-License-Identifier: Apache-2.0
#include "crux/ir/unused.h"

#include <algorithm>

#include "crux/ir/walk.h"

namespace belay::crux::ir {
namespace {

// What the kernel uses besides its statements' own results.
struct Uses {
  std::vector<bool> tiles;  // by their ids
  NameSet names;
  NameSet reals;
};

void CollectReal(const Number& number, Uses& uses) {
  if (number.kind == Number::Kind::kHostReal) uses.reals.insert(number.name);
}

bool OnlyGivesTiles(const Stmt& stmt) {
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

Uses UsesOf(const Kernel& kernel) {
  Uses uses;
  uses.tiles.resize(kernel.tiles.size());
  const auto integer = [&](const Int& value) {
    CollectNames(value, uses.names);
  };
  ForEachStmt(kernel.body, [&](const Stmt& stmt) {
    // A tile that only its own next value needs is not used.
    const int own = OnlyGivesTiles(stmt) && stmt.results.size() == 1
                        ? stmt.results[0]
                        : -1;
    ForEachTileRead(stmt, [&](int tile) {
      if (tile != own) uses.tiles[tile] = true;
    });
    ForEachInt(kernel, stmt, integer);
    for (const Operand& operand : stmt.operands) {
      if (const auto* number = std::get_if<Number>(&operand)) {
        CollectReal(*number, uses);
      }
    }
    if (stmt.fill) CollectReal(*stmt.fill, uses);
  });
  for (const Across& across : kernel.across) {
    for (const Dim& dim : across.dims) ForEachInt(dim, integer);
  }
  for (const Tensor& tensor : kernel.tensors) {
    integer(tensor.elements);
    for (const Int& dim : tensor.dims) integer(dim);
  }
  for (const TileParameter& parameter : kernel.parameters) {
    integer(parameter.extent);
    integer(parameter.outer);
    integer(parameter.most);
  }
  return uses;
}

bool IsUseless(const Stmt& stmt, const Uses& uses) {
  if (OnlyGivesTiles(stmt)) {
    return std::none_of(stmt.results.begin(), stmt.results.end(),
                        [&](int tile) { return uses.tiles[tile]; });
  }
  switch (stmt.kind) {
    case StmtKind::kRead:
      return !uses.names.contains(stmt.name);
    case StmtKind::kLoop:
      return stmt.loop->body.empty();
    case StmtKind::kIf:
      return stmt.body.empty() && stmt.otherwise.empty();
    default:
      return false;
  }
}

bool RemoveFrom(Block& block, const Uses& uses) {
  bool removed = false;
  for (const auto& stmt : block) {
    if (stmt->loop) removed |= RemoveFrom(stmt->loop->body, uses);
    removed |= RemoveFrom(stmt->body, uses);
    removed |= RemoveFrom(stmt->otherwise, uses);
  }
  const size_t before = block.size();
  std::erase_if(block,
                [&](const auto& stmt) { return IsUseless(*stmt, uses); });
  return removed || block.size() != before;
}

void RemoveUnusedHost(Kernel& kernel, Uses uses) {
  // Formulas use values before them.
  NameSet used = uses.names;
  used.insert(uses.reals.begin(), uses.reals.end());
  std::vector<HostValue> kept;
  for (size_t i = kernel.host.size(); i-- > 0;) {
    HostValue& value = kernel.host[i];
    if (!used.contains(value.name)) continue;
    CollectNames(value.formula, used);
    kept.push_back(std::move(value));
  }
  std::reverse(kept.begin(), kept.end());
  kernel.host = std::move(kept);
}

}  // namespace

void RemoveUnusedStatements(Kernel& kernel) {
  while (RemoveFrom(kernel.body, UsesOf(kernel))) {
  }
}

void RemoveUnused(Kernel& kernel) {
  RemoveUnusedStatements(kernel);
  // A parameter nobody's loop has any more.
  NameSet names;
  ForEachStmt(kernel.body, [&](const Stmt& stmt) {
    ForEachInt(kernel, stmt,
               [&](const Int& value) { CollectNames(value, names); });
  });
  std::erase_if(kernel.parameters, [&](const TileParameter& parameter) {
    return !names.contains(parameter.name);
  });
  RemoveUnusedHost(kernel, UsesOf(kernel));
}

}  // namespace belay::crux::ir
