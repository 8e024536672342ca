// SPDX-License-Identifier: Apache-2.0
#include "crux/passes/windows.h"

#include <algorithm>
#include <map>
#include <optional>

#include "crux/ir/bounds.h"
#include "crux/passes/walk.h"
#include "crux/select/occurrences.h"

namespace belay::crux::passes {
namespace {

using ir::Block;
using ir::Dim;
using ir::Index;
using ir::IndexKind;
using ir::Int;
using ir::Kernel;
using ir::Stmt;
using ir::StmtKind;

// The index whose elements are neighbours in global memory, if it is a range
// along the last axis of the tile.
Index* InnerRange(const Kernel& kernel, Stmt& load) {
  for (size_t i = load.access.indices.size(); i-- > 0;) {
    Index& index = load.access.indices[i];
    const auto rank = kernel.tiles[load.results[0]].dims.size();
    if (index.kind == IndexKind::kRange) {
      return index.axis + 1 == static_cast<int>(rank) ? &index : nullptr;
    }
    if (!index.dim.Is(1)) return nullptr;
  }
  return nullptr;
}

// All elements of a tile but along `axis`, where it is `part`.
std::vector<Index> SliceOf(const std::vector<Dim>& from, int axis, Int start,
                           Int step, const Dim& part) {
  std::vector<Index> slice(from.size());
  for (size_t i = 0; i < from.size(); ++i) {
    slice[i].kind = IndexKind::kRange;
    slice[i].dim = from[i].capacity;
    slice[i].extent = from[i];
    slice[i].axis = static_cast<int>(i);
  }
  slice[axis].start = std::move(start);
  slice[axis].step = std::move(step);
  slice[axis].extent = part;
  return slice;
}

std::shared_ptr<Stmt> Slice(int result, int source, std::vector<Index> slice,
                            int line) {
  auto stmt = std::make_shared<Stmt>();
  stmt->kind = StmtKind::kSlice;
  stmt->results = {result};
  stmt->operands = {source};
  stmt->slice = std::move(slice);
  stmt->line = line;
  return stmt;
}

void CloseGaps(Kernel& kernel) {
  RewriteBlock(
      kernel.body, [&](const std::shared_ptr<Stmt>& stmt) -> Replacement {
        if (stmt->kind != StmtKind::kLoad) return std::nullopt;
        Index* inner = InnerRange(kernel, *stmt);
        if (inner == nullptr || inner->step.Is(1)) return std::nullopt;
        const int id = stmt->results[0];
        const Dim part = inner->extent;
        const Int step = inner->step;
        const bool falls = step.is_constant() && step.value() < 0;
        const Int pace = falls ? Int(-step.value()) : step;
        Dim whole = part;
        if (!pace.Is(1)) {
          whole = {(part.capacity - 1) * pace + 1,
                   Max(0, (part.size - 1) * pace + 1)};
        }
        const Int first = falls ? (part.size - 1) * pace : Int(0);
        std::vector<Dim> dims = kernel.tiles[id].dims;
        dims[inner->axis] = whole;
        const int span = kernel
                             .NewTile(kernel.tiles[id].name + "_span",
                                      kernel.tiles[id].dtype, dims, stmt->line)
                             .id;
        const int axis = inner->axis;
        inner->start = inner->start - first;
        inner->step = 1;
        inner->extent = whole;
        stmt->results[0] = span;
        return Block{stmt,
                     Slice(id, span, SliceOf(dims, axis, first, step, part),
                           stmt->line)};
      });
}

// How far a load's window moves in each turn of the loop, if nothing else about
// it changes.
std::optional<Int> MoveOf(const Kernel& kernel, Stmt& load,
                          const ir::Loop& loop) {
  const Index* inner = InnerRange(kernel, load);
  if (inner == nullptr || Mentions(inner->extent.size, loop.name)) {
    return std::nullopt;
  }
  std::set<std::string> changing = NamesDefinedIn(loop.body);
  for (const Index& index : load.access.indices) {
    if (index.kind == IndexKind::kTile) return std::nullopt;
    if (&index != inner && Mentions(index.start, loop.name)) {
      return std::nullopt;
    }
    std::set<std::string> used;
    CollectNames(index.start, used);
    CollectNames(index.extent.size, used);
    for (const std::string& name : used) {
      if (changing.contains(name)) return std::nullopt;
    }
  }
  const auto move = Slope(inner->start, loop.name);
  if (!move || ir::IsNeverPositive(*move) || !IsHost(kernel, *move)) {
    return std::nullopt;
  }
  return move;
}

class Merger {
 public:
  explicit Merger(Kernel& kernel) : kernel_(kernel) {}

  void Visit(Block& block) {
    Block result;
    for (const auto& stmt : block) {
      if (stmt->kind == StmtKind::kIf) {
        Visit(stmt->body);
        Visit(stmt->otherwise);
      } else if (stmt->kind == StmtKind::kLoop) {
        Visit(stmt->loop->body);
        for (auto& load : TakeOut(*stmt->loop)) result.push_back(load);
      }
      result.push_back(stmt);
    }
    block = std::move(result);
  }

 private:
  Block TakeOut(ir::Loop& loop) {
    Block moved;
    if (loop.cores || !loop.extent.empty() || loop.reverse ||
        !loop.step.Is(1) || !IsHost(kernel_, loop.low) ||
        !IsHost(kernel_, loop.high)) {
      return moved;
    }
    const std::set<int> stored = TensorsStoredIn(kernel_.body);
    for (auto& stmt : loop.body) {
      if (stmt->kind != StmtKind::kLoad ||
          stored.contains(stmt->access.tensor)) {
        continue;
      }
      if (const auto move = MoveOf(kernel_, *stmt, loop)) {
        auto load = std::make_shared<Stmt>(*stmt);
        stmt = Widen(*stmt, *load, loop, *move);
        moved.push_back(std::move(load));
      }
    }
    return moved;
  }

  // `load` loads what all turns need; gives the slice that a turn takes of it.
  std::shared_ptr<Stmt> Widen(const Stmt& turn, Stmt& load,
                              const ir::Loop& loop, const Int& move) {
    Index& inner = *InnerRange(kernel_, load);
    const Dim part = inner.extent;
    const Int more = move * Max(0, loop.high - loop.low - 1);
    inner.extent = {part.capacity + more, part.size + more};
    // Without turns nothing is there to be loaded, nor to fill it with.
    if (!load.fill) {
      inner.extent.size =
          Int::Select(Less(loop.low, loop.high), inner.extent.size, 0);
    }
    inner.start = Substitute(inner.start, [&](const std::string& name) {
      return name == loop.name ? std::optional(loop.low) : std::nullopt;
    });
    const ir::Tile& tile = kernel_.tiles[turn.results[0]];
    std::vector<Dim> dims = tile.dims;
    dims[inner.axis] = inner.extent;
    const int id = tile.id;
    const int window =
        kernel_.NewTile(tile.name + "_window", tile.dtype, dims, turn.line).id;
    load.results[0] = window;
    return Slice(id, window,
                 SliceOf(dims, inner.axis,
                         (Int::Name(loop.name) - loop.low) * move, 1, part),
                 turn.line);
  }

  Kernel& kernel_;
};

// A slice of a slice is one slice.
void JoinSlices(Kernel& kernel) {
  std::map<int, std::shared_ptr<Stmt>> made;
  const std::vector<int> assignments = AssignmentsOf(kernel);
  ForEachBlock(kernel.body, [&](Block& block) {
    for (const auto& stmt : block) {
      if (stmt->kind != StmtKind::kSlice ||
          assignments[stmt->results[0]] != 1) {
        continue;
      }
      made[stmt->results[0]] = stmt;
      const auto found = made.find(std::get<int>(stmt->operands[0]));
      if (found == made.end()) continue;
      const Stmt& outer = *found->second;
      const auto plain = [](const std::vector<Index>& slice) {
        for (size_t i = 0; i < slice.size(); ++i) {
          if (slice[i].kind != IndexKind::kRange ||
              slice[i].axis != static_cast<int>(i)) {
            return false;
          }
        }
        return true;
      };
      if (!plain(outer.slice) || !plain(stmt->slice) ||
          outer.slice.size() != stmt->slice.size() ||
          assignments[std::get<int>(outer.operands[0])] != 1) {
        continue;
      }
      for (size_t i = 0; i < stmt->slice.size(); ++i) {
        Index& index = stmt->slice[i];
        index.start = outer.slice[i].start + index.start * outer.slice[i].step;
        index.step = index.step * outer.slice[i].step;
        index.dim = outer.slice[i].dim;
      }
      stmt->operands = outer.operands;
    }
  });
}

}  // namespace

void MergeWindows(Kernel& kernel) {
  CloseGaps(kernel);
  Merger(kernel).Visit(kernel.body);
  JoinSlices(kernel);
}

}  // namespace belay::crux::passes
