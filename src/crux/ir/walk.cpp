// SPDX-License-Identifier: Apache-2.0
#include "crux/ir/walk.h"

#include <algorithm>

namespace belay::crux::ir {
namespace {

using IntVisit = std::function<void(const Int&)>;

void VisitDim(const Dim& dim, const IntVisit& visit) {
  visit(dim.capacity);
  visit(dim.size);
}

void VisitIndices(const std::vector<Index>& indices, const IntVisit& visit) {
  for (const Index& index : indices) {
    visit(index.dim);
    visit(index.start);
    visit(index.step);
    if (index.kind == IndexKind::kRange) VisitDim(index.extent, visit);
  }
}

bool IsAccess(const Stmt& stmt) {
  return stmt.kind == StmtKind::kLoad || stmt.kind == StmtKind::kStore ||
         stmt.kind == StmtKind::kAtomicAdd;
}

// What the kernel uses besides its statements' own results.
struct Uses {
  std::set<int> tiles;
  NameSet names;
  NameSet reals;
};

void CollectReal(const Number& number, Uses& uses) {
  if (number.kind == Number::Kind::kHostReal) uses.reals.insert(number.name);
}

Uses UsesOf(const Kernel& kernel) {
  Uses uses;
  const auto integer = [&](const Int& value) {
    CollectNames(value, uses.names);
  };
  ForEachStmt(kernel.body, [&](const Stmt& stmt) {
    ForEachTileRead(stmt, [&](int tile) { uses.tiles.insert(tile); });
    ForEachInt(kernel, stmt, integer);
    for (const Operand& operand : stmt.operands) {
      if (const auto* number = std::get_if<Number>(&operand)) {
        CollectReal(*number, uses);
      }
    }
    if (stmt.fill) CollectReal(*stmt.fill, uses);
  });
  for (const Across& across : kernel.across) {
    for (const Dim& dim : across.dims) VisitDim(dim, integer);
  }
  for (const Tensor& tensor : kernel.tensors) integer(tensor.elements);
  for (const TileParameter& parameter : kernel.parameters) {
    integer(parameter.extent);
    integer(parameter.outer);
  }
  return uses;
}

bool IsUseless(const Stmt& stmt, const Uses& uses) {
  switch (stmt.kind) {
    case StmtKind::kCompute:
    case StmtKind::kSlice:
    case StmtKind::kReshape:
    case StmtKind::kTurn:
    case StmtKind::kTurnBack:
    case StmtKind::kLoad:
    case StmtKind::kAcrossValue:
    case StmtKind::kAcrossPrefix:
      return std::none_of(stmt.results.begin(), stmt.results.end(),
                          [&](int tile) { return uses.tiles.contains(tile); });
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

void ForEachStmt(const Block& block,
                 const std::function<void(const Stmt&)>& visit) {
  for (const auto& stmt : block) {
    visit(*stmt);
    if (stmt->loop) ForEachStmt(stmt->loop->body, visit);
    ForEachStmt(stmt->body, visit);
    ForEachStmt(stmt->otherwise, visit);
  }
}

void ForEachInt(const Kernel& kernel, const Stmt& stmt, const IntVisit& visit) {
  for (const int result : stmt.results) {
    for (const Dim& dim : kernel.tiles.at(static_cast<size_t>(result)).dims) {
      VisitDim(dim, visit);
    }
  }
  for (const Operand& operand : stmt.operands) {
    const auto* number = std::get_if<Number>(&operand);
    if (number != nullptr && number->kind == Number::Kind::kInt) {
      visit(number->integer);
    }
  }
  if (stmt.fill && stmt.fill->kind == Number::Kind::kInt) {
    visit(stmt.fill->integer);
  }
  if (IsAccess(stmt)) {
    visit(stmt.access.element);
    VisitIndices(stmt.access.indices, visit);
  }
  VisitIndices(stmt.slice, visit);
  if (stmt.kind == StmtKind::kIf) visit(stmt.condition);
  if (stmt.loop) {
    visit(stmt.loop->low);
    visit(stmt.loop->high);
    visit(stmt.loop->step);
  }
}

void ForEachTileRead(const Stmt& stmt, const std::function<void(int)>& visit) {
  for (const Operand& operand : stmt.operands) {
    if (const int* tile = std::get_if<int>(&operand)) visit(*tile);
  }
  for (const auto* indices : {&stmt.access.indices, &stmt.slice}) {
    for (const Index& index : *indices) {
      if (index.kind == IndexKind::kTile) visit(index.tile);
    }
  }
}

void RemoveUnused(Kernel& kernel) {
  Uses uses = UsesOf(kernel);
  while (RemoveFrom(kernel.body, uses)) uses = UsesOf(kernel);
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
