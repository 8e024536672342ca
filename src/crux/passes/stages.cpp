// SPDX-License-Identifier: Apache-2.0
#include "crux/passes/stages.h"

#include <algorithm>

#include "crux/passes/walk.h"
#include "crux/select/layout.h"
#include "crux/select/occurrences.h"

namespace belay::crux::passes {
namespace {

using ir::Block;
using ir::Kernel;
using ir::Stmt;
using ir::StmtKind;
using select::Occurrence;
using select::Occurrences;

bool IsStore(const Stmt& stmt) {
  return stmt.kind == StmtKind::kStore || stmt.kind == StmtKind::kAtomicAdd;
}

// A tile and those that are only other names of it.
std::vector<int> NamesOf(const Kernel& kernel, const Occurrences& at,
                         int tile) {
  std::vector<int> names = {tile};
  for (size_t i = 0; i < names.size(); ++i) {
    if (at.Assignments(names[i]) != 1) continue;
    for (const Occurrence& one : at.Of(names[i])) {
      if (one.assigns || one.stmt->kind != StmtKind::kReshape) continue;
      const int result = one.stmt->results[0];
      const bool same = select::SamePlaces(kernel.tiles[names[i]].dims,
                                           kernel.tiles[result].dims);
      if (same && at.Assignments(result) == 1) names.push_back(result);
    }
  }
  return names;
}

// The innermost block that holds every use of the tile under any name.
const Block* HomeOf(const Kernel& kernel, const Occurrences& at, int tile) {
  const Block* home = nullptr;
  for (const int name : NamesOf(kernel, at, tile)) {
    for (const Occurrence& one : at.Of(name)) {
      home = home == nullptr ? one.block : at.Common(home, one.block);
    }
  }
  return home;
}

// What the tile is another name of; itself otherwise.
int RootOf(const Kernel& kernel, const Occurrences& at, int tile) {
  for (;;) {
    if (at.Assignments(tile) != 1) return tile;
    const auto seen = at.Of(tile);
    const auto assigned =
        std::find_if(seen.begin(), seen.end(),
                     [](const Occurrence& one) { return one.assigns; });
    if (assigned->stmt->kind != StmtKind::kReshape) return tile;
    const int source = std::get<int>(assigned->stmt->operands[0]);
    const std::vector<int> names = NamesOf(kernel, at, source);
    if (std::find(names.begin(), names.end(), tile) == names.end()) return tile;
    tile = source;
  }
}

void SplitLoads(Kernel& kernel) {
  const Occurrences at(kernel);
  std::set<const Stmt*> split;
  ForEachBlock(kernel.body, [&](Block& block) {
    for (const auto& stmt : block) {
      if (stmt->kind != StmtKind::kLoad) continue;
      const int tile = stmt->results[0];
      if (at.Assignments(tile) != 1 || HomeOf(kernel, at, tile) != &block) {
        split.insert(stmt.get());
      }
    }
  });
  RewriteBlock(
      kernel.body, [&](const std::shared_ptr<Stmt>& stmt) -> Replacement {
        if (!split.contains(stmt.get())) return std::nullopt;
        const ir::Tile& tile = kernel.tiles[stmt->results[0]];
        const int id = tile.id;
        const int loaded =
            kernel.NewTile(tile.name + "_in", tile.dtype, tile.dims, stmt->line)
                .id;
        stmt->results[0] = loaded;
        return Block{stmt, Copy(id, loaded, stmt->line)};
      });
}

// The store takes a tile of exactly its dims.
void ShapeStores(Kernel& kernel) {
  RewriteBlock(
      kernel.body, [&](const std::shared_ptr<Stmt>& stmt) -> Replacement {
        if (!IsStore(*stmt)) return std::nullopt;
        const std::vector<ir::Dim> dims = DimsOf(kernel, stmt->access.indices);
        const int* tile = std::get_if<int>(&stmt->operands[0]);
        if (tile != nullptr && SameDims(kernel.tiles[*tile].dims, dims)) {
          return std::nullopt;
        }
        const ir::Tensor& tensor = kernel.tensors[stmt->access.tensor];
        const DType dtype = tile != nullptr ? kernel.tiles[*tile].dtype
                            : tensor.dtype == DType::kBool ? DType::kUint8
                                                           : tensor.dtype;
        const int whole =
            kernel.NewTile(tensor.name + "_out", dtype, dims, stmt->line).id;
        auto make = tile != nullptr ? Copy(whole, *tile, stmt->line)
                                    : Compute(Op::kFull, whole,
                                              {stmt->operands[0]}, stmt->line);
        stmt->operands[0] = whole;
        return Block{make, stmt};
      });
}

bool IsReady(const Kernel& kernel, const Occurrences& at, int stored,
             const Block* block) {
  const int root = RootOf(kernel, at, stored);
  if (at.Assignments(root) != 1) return false;
  bool moved_only = true;
  bool here = false;
  bool loaded = false;
  for (const int name : NamesOf(kernel, at, root)) {
    for (const Occurrence& one : at.Of(name)) {
      if (one.assigns && name == root) {
        here = one.block == block;
        loaded = one.stmt->kind == StmtKind::kLoad;
        // A fill is written by the vector unit, not only moved.
        moved_only = moved_only && !one.stmt->fill;
      }
      const bool names = one.stmt->kind == StmtKind::kReshape;
      if (!one.assigns && !names && !IsStore(*one.stmt)) moved_only = false;
      if (IsStore(*one.stmt) && one.block != block) return false;
    }
  }
  return here && (!loaded || moved_only);
}

void SplitStores(Kernel& kernel) {
  const Occurrences at(kernel);
  std::set<const Stmt*> split;
  ForEachBlock(kernel.body, [&](Block& block) {
    for (const auto& stmt : block) {
      if (!IsStore(*stmt)) continue;
      if (!IsReady(kernel, at, std::get<int>(stmt->operands[0]), &block)) {
        split.insert(stmt.get());
      }
    }
  });
  RewriteBlock(
      kernel.body, [&](const std::shared_ptr<Stmt>& stmt) -> Replacement {
        if (!split.contains(stmt.get())) return std::nullopt;
        const ir::Tile& tile = kernel.tiles[std::get<int>(stmt->operands[0])];
        const int id = tile.id;
        const int stored =
            kernel
                .NewTile(tile.name + "_out", tile.dtype, tile.dims, stmt->line)
                .id;
        stmt->operands[0] = stored;
        return Block{Copy(stored, id, stmt->line), stmt};
      });
}

}  // namespace

void DeriveStages(Kernel& kernel) {
  SplitLoads(kernel);
  ShapeStores(kernel);
  SplitStores(kernel);
}

}  // namespace belay::crux::passes
