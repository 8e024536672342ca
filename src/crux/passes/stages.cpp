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

// Whether it is a piece that the tiling chooses the size of.
bool IsChosen(const Kernel& kernel, const ir::Int& capacity) {
  return capacity.kind() == ir::IntKind::kName &&
         std::any_of(kernel.parameters.begin(), kernel.parameters.end(),
                     [&](const ir::TileParameter& one) {
                       return one.name == capacity.name();
                     });
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

// The axis of the stored tile that lies along `index`, if it is the only one of
// more than one element, its neighbours are no neighbours in the tensor, and
// the tiling chooses how many there are; -1: there is none.
int AxisWithGaps(const Kernel& kernel, const Stmt& stmt) {
  const std::vector<ir::Dim>& dims =
      kernel.tiles[std::get<int>(stmt.operands[0])].dims;
  int axis = -1;
  for (size_t i = 0; i < dims.size(); ++i) {
    if (dims[i].is_one()) continue;
    if (axis >= 0 || !IsChosen(kernel, dims[i].capacity)) return -1;
    axis = static_cast<int>(i);
  }
  ir::Int stride = 1;
  const std::vector<ir::Index>& indices = stmt.access.indices;
  for (size_t i = indices.size(); i-- > 0;) {
    const ir::Index& index = indices[i];
    if (index.kind == ir::IndexKind::kTile) return -1;
    if (index.kind == ir::IndexKind::kRange && index.axis == axis &&
        stride.Is(1) && index.step.Is(1)) {
      return -1;
    }
    stride = stride * index.dim;
  }
  return axis;
}

// Blocks of their own for the numbers of the stored tile; the store takes
// these.
Block SpreadFor(Kernel& kernel, Stmt& store, int axis) {
  const ir::Tile& tile = kernel.tiles[std::get<int>(store.operands[0])];
  const int id = tile.id;
  // Brcb makes eight blocks at a time.
  const ir::Dim rows = {AlignUp(tile.dims[axis].capacity, 8),
                        tile.dims[axis].size};
  const ir::Dim block = {32 / static_cast<int64_t>(BytesOf(tile.dtype)), 1};
  std::vector<ir::Dim> dims = tile.dims;
  dims.push_back({1, 1});
  const int column =
      kernel.NewTile(tile.name + "_column", tile.dtype, dims, store.line).id;
  dims[axis] = rows;
  dims.back() = block;
  const int blocks =
      kernel.NewTile(tile.name + "_blocks", tile.dtype, dims, store.line).id;
  for (ir::Index& index : store.access.indices) {
    if (index.kind == ir::IndexKind::kRange && index.axis == axis) {
      index.extent = rows;
    }
  }
  ir::Index one;
  one.kind = ir::IndexKind::kRange;
  one.dim = 1;
  one.start = 0;
  one.extent = block;
  one.axis = static_cast<int>(dims.size()) - 1;
  store.access.indices.push_back(one);
  store.operands[0] = blocks;
  return {Reshape(column, id, store.line), Copy(blocks, column, store.line)};
}

// Whether it reads an integer that the tile's dims are made of, as those of
// what was compressed are.
bool ReadsSizeOf(const Stmt& stmt, const ir::Tile& tile) {
  return stmt.kind == StmtKind::kRead &&
         std::any_of(
             tile.dims.begin(), tile.dims.end(),
             [&](const ir::Dim& dim) { return Mentions(dim.size, stmt.name); });
}

// Numbers that a store puts apart from each other are put into blocks of their
// own, which one move takes as rows of one element. They are made as soon as
// the numbers are there: instructions that spread them find them.
void SpreadStores(Kernel& kernel) {
  const Occurrences at(kernel);
  ForEachBlock(kernel.body, [&](Block& block) {
    for (size_t i = 0; i < block.size(); ++i) {
      const std::shared_ptr<Stmt> store = block[i];
      if (!IsStore(*store)) continue;
      const int tile = std::get<int>(store->operands[0]);
      const size_t bytes = BytesOf(kernel.tiles[tile].dtype);
      const int axis = AxisWithGaps(kernel, *store);
      if (axis < 0 || (bytes != 2 && bytes != 4)) continue;
      const auto assigned =
          std::find_if(block.begin(), block.end(), [&](const auto& stmt) {
            return at.Assignments(tile) == 1 && stmt->kind != StmtKind::kLoad &&
                   !stmt->results.empty() && stmt->results[0] == tile;
          });
      const auto here = block.begin() + static_cast<std::ptrdiff_t>(i);
      auto place = assigned == block.end() ? here : assigned + 1;
      for (auto next = place; next < here; ++next) {
        if (ReadsSizeOf(**next, kernel.tiles[tile])) place = next + 1;
      }
      const Block made = SpreadFor(kernel, *store, axis);
      block.insert(place, made.begin(), made.end());
      i += made.size();
    }
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
      const bool stores = IsStore(*one.stmt) && !one.is_position;
      if (!one.assigns && !names && !stores) moved_only = false;
      if (stores && one.block != block) return false;
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
  SpreadStores(kernel);
  SplitStores(kernel);
}

}  // namespace belay::crux::passes
