// SPDX-License-Identifier: Apache-2.0
#include "crux/passes/lanes.h"

#include <algorithm>
#include <set>
#include <string>

#include "crux/passes/batch.h"
#include "crux/passes/join_loops.h"
#include "crux/passes/one_piece.h"
#include "crux/passes/walk.h"
#include "crux/passes/windows.h"

namespace belay::crux::passes {
namespace {

using ir::Block;
using ir::Dim;
using ir::Index;
using ir::IndexKind;
using ir::Int;
using ir::Kernel;
using ir::Loop;
using ir::Stmt;
using ir::StmtKind;

// What one instruction turns repeats at most 255 times.
constexpr int64_t kMostTurned = 3840;

bool IsOfLanes(const Stmt& stmt) {
  switch (InfoOf(stmt.op).family) {
    case OpFamily::kElementwise:
    case OpFamily::kCompare:
    case OpFamily::kConvert:
    case OpFamily::kMake:
      return stmt.op != Op::kArange && stmt.op != Op::kPhilox;
    default:
      return stmt.op == Op::kBroadcast;
  }
}

bool Folds(Op op) {
  return op == Op::kSum || op == Op::kProd || op == Op::kMax ||
         op == Op::kMin || op == Op::kAny || op == Op::kAll ||
         op == Op::kNorm;  // becomes one of these
}

bool IsAccess(const Stmt& stmt) {
  return stmt.kind == StmtKind::kLoad || stmt.kind == StmtKind::kStore;
}

// How iterations lie in memory: each has a row, or each has a column.
enum class Along : uint8_t { kRows, kColumns };

// One batched loop over cores.
class Lanes {
 public:
  Lanes(Kernel& kernel, Loop& loop, Along along)
      : kernel_(kernel),
        loop_(loop),
        columns_(along == Along::kColumns),
        rows_(loop.step) {}

  // Sets row(): how many elements the rows have, 1 if no access has more.
  bool Legal() {
    bool legal = true;
    ForEachStmt(loop_.body,
                [&](const Stmt& stmt) { legal = legal && IsLegal(stmt); });
    return legal;
  }
  const Int& row() const { return row_; }

  // Whether anything goes along rows: what is only computed element by element
  // can stay where it is. Columns help if they have more than one element.
  bool Helps() const {
    bool helps = false;
    ForEachStmt(loop_.body, [&](const Stmt& stmt) {
      if (columns_) {
        helps = helps || (IsAccess(stmt) && HasSeveralAxes(stmt));
        return;
      }
      if (stmt.kind != StmtKind::kCompute || !GivesRows(stmt)) return;
      helps = helps || !IsOfLanes(stmt);
      helps = helps || ir::AnyTileRead(stmt, [&](int tile) {
                return !SameDims(WideDims(tile), WideDims(stmt.results[0]));
              });
    });
    return helps;
  }

  void Run() {
    for (ir::Tile& tile : kernel_.tiles) {
      if (!Varies(tile.id)) continue;
      turned_.push_back(tile.id);
    }
    for (const int tile : turned_) {
      std::vector<Dim>& dims = kernel_.tiles[tile].dims;
      std::rotate(dims.begin(), dims.begin() + 1, dims.end());
      // What is turned has rows that are not there, too.
      if (!columns_) dims.back() = {rows_, rows_};
    }
    RewriteBlock(loop_.body, [&](const std::shared_ptr<Stmt>& stmt) {
      return Rewritten(stmt);
    });
    for (ir::TileParameter& parameter : kernel_.parameters) {
      if (parameter.name != rows_.name()) continue;
      if (columns_) {
        parameter.role = ir::TileParameter::Role::kCores;
        parameter.most = ir::TileParameter().most;
      } else {
        parameter.unit = kRowsTurned;
        parameter.most = kMostTurned;
      }
    }
  }

 private:
  static bool HasSeveralAxes(const Stmt& stmt) {
    return std::ranges::count_if(stmt.access.indices, [](const Index& one) {
             return one.kind == IndexKind::kRange && !one.extent.is_one();
           }) > 1;
  }

  bool Varies(int tile) const {
    const std::vector<Dim>& dims = kernel_.tiles[tile].dims;
    return !dims.empty() && Same(dims[0].capacity, rows_);
  }

  bool ReadsRows(const Stmt& stmt) const {
    return ir::AnyTileRead(stmt, [&](int tile) { return Varies(tile); });
  }

  bool GivesRows(const Stmt& stmt) const {
    return !stmt.results.empty() && Varies(stmt.results[0]);
  }

  bool IsLegal(const Stmt& stmt) {
    switch (stmt.kind) {
      case StmtKind::kCompute:
        return !GivesRows(stmt) ? !ReadsRows(stmt) : IsLegalCompute(stmt);
      case StmtKind::kReshape:
        return !GivesRows(stmt) ? !ReadsRows(stmt) : OnlyAddsOnes(stmt);
      case StmtKind::kSlice:
        return !GivesRows(stmt) ? !ReadsRows(stmt)
                                : columns_ && TakesNoPositions(stmt.slice);
      case StmtKind::kLoad:
        if (!GivesRows(stmt)) return !ReadsRows(stmt);
        return columns_ ? IsBeside(stmt) : IsDense(stmt, stmt.results[0]);
      case StmtKind::kStore: {
        if (columns_) return IsBeside(stmt);
        const int tile = std::get<int>(stmt.operands[0]);
        return Varies(tile) && IsDense(stmt, tile);
      }
      case StmtKind::kRead:
        return !ReadsRows(stmt);
      case StmtKind::kLoop:
      case StmtKind::kIf:
        return true;
      default:
        return false;
    }
  }

  bool IsLegalCompute(const Stmt& stmt) const {
    const bool along_lanes =
        std::find(stmt.axes.begin(), stmt.axes.end(), 0) != stmt.axes.end();
    if (columns_) {
      if (IsOfLanes(stmt)) return stmt.results.size() == 1;
      // The numbers of the columns.
      if (stmt.op == Op::kArange) {
        return kernel_.tiles[stmt.results[0]].dims.size() == 1;
      }
      const OpFamily family = InfoOf(stmt.op).family;
      return (family == OpFamily::kReduce || family == OpFamily::kScan) &&
             !along_lanes;
    }
    const DType dtype = kernel_.tiles[stmt.results[0]].dtype;
    if (dtype != DType::kBool && BytesOf(dtype) != 2 && BytesOf(dtype) != 4) {
      return false;
    }
    // Rows that are not there are 0: integers do not divide by them.
    const bool divides =
        stmt.op == Op::kFloorDiv || stmt.op == Op::kMod || stmt.op == Op::kPow;
    if (divides && !IsFloating(dtype)) return false;
    if (IsOfLanes(stmt)) return stmt.results.size() == 1;
    return Folds(stmt.op) && !along_lanes;
  }

  bool OnlyAddsOnes(const Stmt& stmt) const {
    const int* source = std::get_if<int>(&stmt.operands[0]);
    if (source == nullptr || !Varies(*source)) return false;
    return SameDims(WideDims(*source), WideDims(stmt.results[0]));
  }

  std::vector<Dim> WideDims(int tile) const {
    std::vector<Dim> dims = kernel_.tiles[tile].dims;
    std::erase_if(dims, [](const Dim& dim) { return dim.is_one(); });
    return dims;
  }

  static bool TakesNoPositions(const std::vector<Index>& indices) {
    return std::ranges::none_of(
        indices, [](const Index& one) { return one.kind == IndexKind::kTile; });
  }

  // Whether an access takes columns that lie side by side.
  bool IsBeside(const Stmt& stmt) const {
    const auto& indices = stmt.access.indices;
    bool found = false;
    for (const Index& index : indices) {
      if (index.kind == IndexKind::kRange && index.axis == 0) {
        if (!index.step.Is(1) || !Same(index.extent.capacity, rows_)) {
          return false;
        }
        found = true;
      } else if (found && !index.dim.Is(1)) {
        return false;
      }
    }
    return found && TakesNoPositions(indices);
  }

  // Whether an access takes whole rows that follow each other.
  bool IsDense(const Stmt& stmt, int tile) {
    const auto bytes = BytesOf(kernel_.tiles[tile].dtype);
    if (stmt.fill || (bytes != 2 && bytes != 4)) return false;
    const auto& indices = stmt.access.indices;
    size_t i = 0;
    while (i < indices.size() && indices[i].kind == IndexKind::kPoint) ++i;
    if (i == indices.size() || indices[i].kind != IndexKind::kRange ||
        indices[i].axis != 0 || !indices[i].step.Is(1) ||
        !Same(indices[i].extent.capacity, rows_)) {
      return false;
    }
    Int length = 1;
    int axis = 0;
    for (++i; i < indices.size(); ++i) {
      const Index& index = indices[i];
      if (index.kind == IndexKind::kPoint && index.dim.Is(1)) continue;
      if (index.kind != IndexKind::kRange || index.axis != ++axis ||
          !index.start.Is(0) || !index.step.Is(1) ||
          !Same(index.extent.size, index.dim) ||
          !Same(index.extent.capacity, index.dim)) {
        return false;
      }
      length = length * index.dim;
    }
    if (length.Is(1)) return true;
    if (!row_.Is(1) && !Same(row_, length)) return false;
    row_ = length;
    return true;
  }

  Block Rewritten(const std::shared_ptr<Stmt>& stmt) {
    made_.clear();
    if (IsAccess(*stmt)) {
      const bool loads = stmt->kind == StmtKind::kLoad;
      if (loads && !IsTurned(stmt->results[0])) return {stmt};
      if (!columns_) return Flattened(stmt);
      if (!loads) Align(stmt->operands[0], stmt->line);
      PutFirstLast(stmt->access.indices);
    } else if (stmt->kind == StmtKind::kSlice && IsTurned(stmt->results[0])) {
      std::rotate(stmt->slice.begin(), stmt->slice.begin() + 1,
                  stmt->slice.end());
      PutFirstLast(stmt->slice);
    }
    if (stmt->kind == StmtKind::kCompute && IsTurned(stmt->results[0])) {
      if (IsOfLanes(*stmt)) {
        for (ir::Operand& operand : stmt->operands) Align(operand, stmt->line);
      } else {
        for (int& axis : stmt->axes) --axis;
      }
    }
    made_.push_back(stmt);
    return std::move(made_);
  }

  bool IsTurned(int tile) const {
    return std::find(turned_.begin(), turned_.end(), tile) != turned_.end();
  }

  // The first axis of what is addressed is its last one now.
  static void PutFirstLast(std::vector<Index>& indices) {
    int last = 0;
    for (const Index& index : indices) {
      if (index.kind == IndexKind::kRange) last = std::max(last, index.axis);
    }
    for (Index& index : indices) {
      if (index.kind != IndexKind::kRange) continue;
      index.axis = index.axis == 0 ? last : index.axis - 1;
    }
  }

  // What is the same for all rows gets an axis of one row.
  void Align(ir::Operand& operand, int line) {
    const int* id = std::get_if<int>(&operand);
    if (id == nullptr || IsTurned(*id)) return;
    const ir::Tile& tile = kernel_.tiles[*id];
    if (tile.dims.empty()) return;
    std::vector<Dim> dims = tile.dims;
    dims.push_back({1, 1});
    const int source = *id;
    const int aligned =
        kernel_.NewTile(tile.name + "_line", tile.dtype, dims, line).id;
    made_.push_back(Reshape(aligned, source, line));
    operand = aligned;
  }

  // The access as one range, and the turn before or behind it.
  Block Flattened(const std::shared_ptr<Stmt>& stmt) {
    const bool loads = stmt->kind == StmtKind::kLoad;
    const int tile =
        loads ? stmt->results[0] : std::get<int>(stmt->operands[0]);
    Index all;
    all.kind = IndexKind::kRange;
    all.dim = 1;
    Int length = 1;
    for (const Index& index : stmt->access.indices) {
      all.dim = all.dim * index.dim;
      all.start = all.start * index.dim + index.start;
      if (index.kind == IndexKind::kRange && index.axis > 0) {
        length = length * index.dim;
      }
    }
    all.extent = {rows_ * length, Int::Name(loop_.extent) * length};
    stmt->access.indices = {all};
    const int flat =
        kernel_
            .NewTile(kernel_.tiles[tile].name + "_flat",
                     kernel_.tiles[tile].dtype, {all.extent}, stmt->line)
            .id;
    auto turn = Reshape(loads ? tile : flat, loads ? flat : tile, stmt->line);
    turn->kind = loads ? StmtKind::kTurn : StmtKind::kTurnBack;
    if (loads) {
      stmt->results = {flat};
      return {stmt, turn};
    }
    stmt->operands = {flat};
    return {turn, stmt};
  }

  Kernel& kernel_;
  Loop& loop_;
  const bool columns_;
  Int rows_;
  Int row_ = 1;
  std::vector<int> turned_;
  Block made_;
};

bool IsBatched(const Kernel& kernel, const Stmt& stmt) {
  if (stmt.kind != StmtKind::kLoop || !stmt.loop->cores ||
      stmt.loop->step.kind() != ir::IntKind::kName) {
    return false;
  }
  return std::any_of(kernel.parameters.begin(), kernel.parameters.end(),
                     [&](const ir::TileParameter& one) {
                       return one.role == ir::TileParameter::Role::kRows &&
                              one.name == stmt.loop->step.name();
                     });
}

// Turns the loops that can be; how long their rows are.
std::optional<ShortRows> TurnLoops(Kernel& kernel) {
  Int row = 1;
  std::vector<Int> counts;
  const std::vector<Int> extents = ExtentsOfPieces(kernel);
  if (extents.size() > 1) return std::nullopt;
  for (const Int& extent : extents) {
    row = extent;
    TakeAsOnePiece(kernel, extent);
  }
  bool any = false;
  bool agree = true;
  ForEachStmt(kernel.body, [&](const Stmt& stmt) {
    if (!IsBatched(kernel, stmt)) return;
    Lanes lanes(kernel, *stmt.loop, Along::kRows);
    if (!lanes.Legal() || lanes.row().Is(1) || !lanes.Helps()) return;
    agree = agree && (row.Is(1) || Same(row, lanes.row()));
    row = lanes.row();
    any = true;
    for (const ir::TileParameter& one : kernel.parameters) {
      if (one.outer.Is(1) || !Mentions(stmt.loop->step, one.name)) continue;
      counts.push_back(one.extent);
    }
    lanes.Run();
  });
  if (!any || !agree) return std::nullopt;
  return ShortRows{row, counts};
}

// Puts the columns of the loops that have some on lanes; whether one does.
bool PutColumnsOnLanes(Kernel& kernel) {
  bool any = false;
  ForEachStmt(kernel.body, [&](const Stmt& stmt) {
    if (!IsBatched(kernel, stmt)) return;
    Lanes lanes(kernel, *stmt.loop, Along::kColumns);
    if (!lanes.Legal() || !lanes.Helps()) return;
    any = true;
    lanes.Run();
  });
  return any;
}

// Whether a loop over cores, one element at a time, moves along the last
// dimension of what is accessed: else there is nothing to try.
bool MovesAlongLast(const Kernel& kernel) {
  std::set<std::string> loops;
  bool moves = false;
  ForEachStmt(kernel.body, [&](const Stmt& stmt) {
    if (stmt.kind == StmtKind::kLoop && stmt.loop->cores &&
        stmt.loop->extent.empty()) {
      loops.insert(stmt.loop->name);
    }
    if (!IsAccess(stmt)) return;
    const auto& indices = stmt.access.indices;
    const auto last =
        std::find_if(indices.rbegin(), indices.rend(),
                     [](const Index& one) { return !one.dim.Is(1); });
    moves =
        moves || (last != indices.rend() && last->kind == IndexKind::kPoint &&
                  std::ranges::any_of(loops, [&](const std::string& name) {
                    return Mentions(last->start, name);
                  }));
  });
  return moves;
}

// As the passes before batching leave it, and batched.
Kernel Batched(const Kernel& kernel) {
  Kernel trial = CopyOf(kernel);
  JoinLoops(trial);
  MergeWindows(trial);
  BatchRows(trial);
  return trial;
}

}  // namespace

std::optional<ShortRows> RowsForLanes(const Kernel& kernel) {
  if (!kernel.across.empty()) return std::nullopt;
  Kernel trial = Batched(kernel);
  return TurnLoops(trial);
}

bool HasColumnsForLanes(const Kernel& kernel) {
  if (!MovesAlongLast(kernel)) return false;
  Kernel trial = Batched(kernel);
  return PutColumnsOnLanes(trial);
}

void PutOnLanes(Kernel& kernel) {
  if (kernel.rows_on_lanes) TurnLoops(kernel);
  if (kernel.columns_on_lanes) PutColumnsOnLanes(kernel);
}

}  // namespace belay::crux::passes
