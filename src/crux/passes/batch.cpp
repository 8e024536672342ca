// SPDX-License-Identifier: Apache-2.0
#include "crux/passes/batch.h"

#include <algorithm>
#include <map>
#include <set>

#include "crux/ir/bounds.h"
#include "crux/passes/row_positions.h"
#include "crux/passes/walk.h"

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

bool IsElementwise(const Stmt& stmt) {
  if (stmt.kind != StmtKind::kCompute) return false;
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

// Whether a number that it takes may as well be a tile.
bool TakesColumns(const Stmt& stmt) {
  if (stmt.kind != StmtKind::kCompute) return false;
  switch (stmt.op) {
    case Op::kAdd:
    case Op::kSub:
    case Op::kMul:
    case Op::kDiv:
    case Op::kMaximum:
    case Op::kMinimum:
    case Op::kWhere:
    case Op::kFull:
      return true;
    default:
      return InfoOf(stmt.op).family == OpFamily::kCompare;
  }
}

// Whether an instruction gathers elements of this dtype.
bool IsGathered(DType dtype) {
  return dtype != DType::kBool && (BytesOf(dtype) == 2 || BytesOf(dtype) == 4);
}

// Which tiles differ between the iterations of a loop, and whether its body can
// run for several of them at once.
class Survey {
 public:
  Survey(const Kernel& kernel, const Loop& loop)
      : kernel_(kernel), name_(loop.name) {
    ForEachStmt(kernel.body, [&](const Stmt& stmt) {
      if (stmt.kind == StmtKind::kCompute && stmt.op == Op::kClamp) {
        clamps_[stmt.results[0]] = &stmt;
      }
    });
    if (!clamps_.empty()) {
      const std::vector<int> assigned = AssignmentsOf(kernel);
      std::erase_if(clamps_,
                    [&](const auto& one) { return assigned[one.first] > 1; });
    }
    size_t before = 0;
    do {
      before = varying_.size();
      Spread(loop.body);
    } while (varying_.size() != before);
    legal_ = IsLegal(loop.body);
  }

  bool legal() const { return legal_; }
  const std::set<int>& varying() const { return varying_; }
  bool Varies(int tile) const { return varying_.contains(tile); }
  bool Varies(const ir::Operand& operand) const {
    const int* tile = std::get_if<int>(&operand);
    return tile != nullptr && Varies(*tile);
  }
  bool OperandVaries(const Stmt& stmt) const {
    return ir::AnyTileRead(stmt, [&](int tile) { return Varies(tile); });
  }
  // A number that follows the iteration.
  bool NumberVaries(const ir::Operand& operand) const {
    const auto* number = std::get_if<ir::Number>(&operand);
    return number != nullptr && number->kind == ir::Number::Kind::kInt &&
           Mentions(number->integer, name_);
  }
  // Of a number among the operands of a statement that TakesColumns.
  DType DtypeOfNumber(const Stmt& stmt, size_t i) const {
    const bool compares =
        InfoOf(stmt.op).family == OpFamily::kCompare && stmt.op != Op::kWhere;
    const int* other =
        compares ? std::get_if<int>(&stmt.operands[1 - i]) : nullptr;
    return kernel_.tiles[other == nullptr ? stmt.results[0] : *other].dtype;
  }
  // Whether the program says that positions are none but the axis's: by
  // clamp(i, 0, size - 1).
  bool IsWithin(const Stmt& take) const {
    const ir::Tile& source = kernel_.tiles[std::get<int>(take.operands[0])];
    const auto clamp = clamps_.find(std::get<int>(take.operands[1]));
    if (clamp == clamps_.end()) return false;
    const auto is = [&](size_t i, const Int& bound) {
      const auto* number = std::get_if<ir::Number>(&clamp->second->operands[i]);
      return number != nullptr && number->kind == ir::Number::Kind::kInt &&
             Same(number->integer, bound);
    };
    const Dim& axis = source.dims[static_cast<size_t>(take.axes[0])];
    return is(1, 0) && is(2, axis.size - 1);
  }
  bool AccessVaries(const Stmt& stmt) const {
    const auto& indices = stmt.access.indices;
    return std::any_of(indices.begin(), indices.end(), [&](const Index& one) {
      return Mentions(one.start, name_) ||
             (one.kind == IndexKind::kTile && Varies(one.tile));
    });
  }

 private:
  void Spread(const Block& block) {
    ForEachStmt(block, [&](const Stmt& stmt) {
      const bool by_number = std::any_of(
          stmt.operands.begin(), stmt.operands.end(),
          [&](const ir::Operand& operand) { return NumberVaries(operand); });
      if (OperandVaries(stmt) || by_number ||
          (stmt.kind == StmtKind::kLoad && AccessVaries(stmt))) {
        varying_.insert(stmt.results.begin(), stmt.results.end());
      }
    });
  }

  bool IsLegal(const Block& block) const {
    bool legal = true;
    ForEachStmt(block,
                [&](const Stmt& stmt) { legal = legal && IsLegal(stmt); });
    return legal;
  }

  // Whether every number that follows the iteration can be a tile of numbers,
  // counted in i32. What f32 meets is not counted unless it fits there: rows
  // do.
  bool NumbersAreEven(const Stmt& stmt) const {
    for (size_t i = 0; i < stmt.operands.size(); ++i) {
      if (!NumberVaries(stmt.operands[i])) continue;
      const Int& number = std::get<ir::Number>(stmt.operands[i]).integer;
      if (!TakesColumns(stmt) || !Slope(number, name_)) return false;
      const DType dtype = DtypeOfNumber(stmt, i);
      if (dtype == DType::kInt32) continue;
      const bool is_row = Same(number, Int::Name(name_));
      if (dtype != DType::kFloat || !is_row) return false;
    }
    return true;
  }

  bool SizesStay(const Stmt& stmt) const {
    for (const int tile : stmt.results) {
      for (const Dim& dim : kernel_.tiles[tile].dims) {
        if (Mentions(dim.size, name_)) return false;
      }
    }
    return true;
  }

  // One dimension may follow the iteration, as a point or by a tile.
  bool AccessIsEven(const Stmt& stmt) const {
    if (Mentions(stmt.access.element, name_)) return false;
    int following = 0;
    for (const Index& index : stmt.access.indices) {
      if (Mentions(index.dim, name_) || Mentions(index.step, name_) ||
          Mentions(index.extent.size, name_)) {
        return false;
      }
      if (index.kind == IndexKind::kTile && Varies(index.tile)) {
        if (index.axis != 0 || Mentions(index.start, name_)) return false;
        ++following;
      } else if (Mentions(index.start, name_)) {
        if (index.kind != IndexKind::kPoint) return false;
        if (!Slope(index.start, name_)) return false;
        ++following;
      }
    }
    return following <= 1;
  }

  bool SliceIsEven(const Stmt& stmt) const {
    return std::none_of(
        stmt.slice.begin(), stmt.slice.end(), [&](const Index& index) {
          return Mentions(index.start, name_) ||
                 Mentions(index.extent.size, name_) ||
                 (index.kind == IndexKind::kTile && Varies(index.tile));
        });
  }

  bool IsLegal(const Stmt& stmt) const {
    if (!NumbersAreEven(stmt) || !SizesStay(stmt)) return false;
    switch (stmt.kind) {
      case StmtKind::kCompute:
        return IsLegalCompute(stmt);
      case StmtKind::kSlice:
        return SliceIsEven(stmt);
      case StmtKind::kReshape:
        return true;
      case StmtKind::kLoad:
        return AccessIsEven(stmt);
      case StmtKind::kStore:
      case StmtKind::kAtomicAdd:
        return AccessIsEven(stmt) && AccessVaries(stmt);
      case StmtKind::kRead:
        return !OperandVaries(stmt);
      case StmtKind::kLoop:
        return !Mentions(stmt.loop->low, name_) &&
               !Mentions(stmt.loop->high, name_) &&
               !Mentions(stmt.loop->step, name_);
      case StmtKind::kIf:
        return !Mentions(stmt.condition, name_);
      case StmtKind::kAcrossUpdate:
        return kernel_.across[stmt.across].combine != Op::kCumsum &&
               SliceIsEven(stmt);
      case StmtKind::kAcrossValue:
        return true;
      case StmtKind::kTurn:
      case StmtKind::kTurnBack:
      case StmtKind::kAcrossPrefix:
      case StmtKind::kSyncAll:
        return false;
    }
    return false;
  }

  bool IsLegalCompute(const Stmt& stmt) const {
    if (!OperandVaries(stmt)) return true;
    switch (stmt.op) {
      case Op::kCompress:
      case Op::kMatmul:
      case Op::kPhilox:
        return false;
      case Op::kTake:
        // Rows of one table by other positions each, each row's own by the
        // same positions, or one of its own.
        if (!Varies(stmt.operands[1])) return true;
        if (Varies(stmt.operands[0])) return TakesOfRow(stmt);
        return stmt.axes[0] == 0;
      default:
        return true;
    }
  }

  // One element of a row that an instruction gathers.
  bool TakesOfRow(const Stmt& stmt) const {
    const ir::Tile& row = kernel_.tiles[std::get<int>(stmt.operands[0])];
    const ir::Tile& at = kernel_.tiles[std::get<int>(stmt.operands[1])];
    return row.dims.size() == 1 && !row.dims[0].is_one() &&
           IsGathered(row.dtype) && at.dims.empty() &&
           at.dtype == DType::kInt32;
  }

  const Kernel& kernel_;
  const std::string name_;
  std::map<int, const Stmt*> clamps_;
  std::set<int> varying_;
  bool legal_ = false;
};

class Batcher {
 public:
  Batcher(Kernel& kernel, Loop& loop, const Survey& survey, const Int& outer)
      : kernel_(kernel), loop_(loop), survey_(survey) {
    rows_.capacity = Int::Name(kernel.FreshName(loop.name + "_rows"));
    rows_.size = Int::Name(kernel.FreshName(loop.name + "_count"));
    ir::HostValue value;
    value.name = rows_.capacity.name();
    value.source = ir::HostSource::kChosen;
    kernel.host.push_back(value);
    ir::TileParameter parameter;
    parameter.name = value.name;
    parameter.role = ir::TileParameter::Role::kRows;
    parameter.extent = loop.high - loop.low;
    parameter.outer = outer;
    parameter.most = kMostRows;
    kernel.parameters.push_back(parameter);
  }

  void Run() {
    for (const int tile : survey_.varying()) {
      auto& dims = kernel_.tiles[tile].dims;
      dims.insert(dims.begin(), rows_);
    }
    RewriteBlock(loop_.body,
                 [&](const std::shared_ptr<Stmt>& stmt) -> Replacement {
                   before_.clear();
                   after_.clear();
                   Rewrite(*stmt);
                   if (before_.empty() && after_.empty()) return std::nullopt;
                   Block made = std::move(before_);
                   made.push_back(stmt);
                   made.insert(made.end(), after_.begin(), after_.end());
                   return made;
                 });
    loop_.step = rows_.capacity;
    loop_.extent = rows_.size.name();
  }

 private:
  bool ResultVaries(const Stmt& stmt) const {
    return !stmt.results.empty() && survey_.Varies(stmt.results[0]);
  }

  void Rewrite(Stmt& stmt) {
    switch (stmt.kind) {
      case StmtKind::kLoad:
        if (!survey_.AccessVaries(stmt)) return Spread(stmt);
        return FollowAccess(stmt);
      case StmtKind::kStore:
      case StmtKind::kAtomicAdd: {
        FollowAccess(stmt);
        const size_t rank = DimsOf(kernel_, stmt.access.indices).size();
        return Align(stmt, 0, rank);
      }
      case StmtKind::kCompute:
      case StmtKind::kSlice:
      case StmtKind::kReshape:
        if (!ResultVaries(stmt)) return;
        if (IsElementwise(stmt)) return RewriteElementwise(stmt);
        if (!survey_.OperandVaries(stmt)) return Spread(stmt);
        return RewriteWhole(stmt);
      case StmtKind::kAcrossUpdate:
        return ReduceFirst(stmt);
      default:
        return;
    }
  }

  void FollowAccess(Stmt& stmt) const {
    for (Index& index : stmt.access.indices) {
      if (index.kind == IndexKind::kTile && survey_.Varies(index.tile)) {
        continue;  // its tile has the new axis itself
      }
      if (!Mentions(index.start, loop_.name)) {
        ++index.axis;
        continue;
      }
      index.step = *Slope(index.start, loop_.name);
      index.kind = IndexKind::kRange;
      index.extent = rows_;
      index.axis = 0;
    }
  }

  // What is the same for all rows, for every row.
  void Spread(Stmt& stmt) {
    for (int& result : stmt.results) {
      if (!survey_.Varies(result)) continue;
      const ir::Tile& tile = kernel_.tiles[result];
      const std::vector<Dim> dims(tile.dims.begin() + 1, tile.dims.end());
      const int whole = result;
      result =
          kernel_.NewTile(tile.name + "_same", tile.dtype, dims, stmt.line).id;
      after_.push_back(Copy(whole, result, stmt.line));
    }
  }

  // An operand with rows gets axes of one element until it has `rank`.
  void Align(Stmt& stmt, size_t which, size_t rank) {
    if (survey_.Varies(stmt.operands[which])) AddAxes(stmt, which, rank);
  }

  void AddAxes(Stmt& stmt, size_t which, size_t rank) {
    const ir::Tile& source = kernel_.tiles[std::get<int>(stmt.operands[which])];
    if (source.dims.size() >= rank) return;
    std::vector<Dim> dims = source.dims;
    dims.insert(dims.begin() + 1, rank - dims.size(), Dim{1, 1});
    const int id = source.id;
    const int aligned =
        kernel_.NewTile(source.name + "_column", source.dtype, dims, stmt.line)
            .id;
    before_.push_back(Reshape(aligned, id, stmt.line));
    stmt.operands[which] = aligned;
  }

  void RewriteElementwise(Stmt& stmt) {
    const size_t rank = kernel_.tiles[stmt.results[0]].dims.size();
    for (size_t i = 0; i < stmt.operands.size(); ++i) {
      Align(stmt, i, rank);
      if (!survey_.NumberVaries(stmt.operands[i])) continue;
      stmt.operands[i] = NumbersOfRows(stmt, i);
      AddAxes(stmt, i, rank);
    }
  }

  // What a number is in each row.
  int NumbersOfRows(const Stmt& stmt, size_t which) {
    const Int& first = std::get<ir::Number>(stmt.operands[which]).integer;
    const Int slope = *Slope(first, loop_.name);
    const auto make = [&](Op op, DType dtype, std::vector<ir::Operand> of) {
      const int made =
          kernel_.NewTile(loop_.name + "_number", dtype, {rows_}, stmt.line).id;
      before_.push_back(Compute(op, made, std::move(of), stmt.line));
      return made;
    };
    int numbers = -1;
    if (slope.Is(1)) {
      numbers = make(Op::kArange, DType::kInt32, {IntNumber(first)});
    } else {
      numbers = make(Op::kArange, DType::kInt32, {IntNumber(0)});
      numbers = make(Op::kMul, DType::kInt32, {numbers, IntNumber(slope)});
      numbers = make(Op::kAdd, DType::kInt32, {numbers, IntNumber(first)});
    }
    const DType dtype = survey_.DtypeOfNumber(stmt, which);
    if (dtype == DType::kInt32) return numbers;
    numbers = make(Op::kTo, dtype, {numbers});
    before_.back()->round = abi::Round::kRint;
    return numbers;
  }

  // All operands get rows.
  void WidenOperands(Stmt& stmt) {
    for (ir::Operand& operand : stmt.operands) {
      const int* tile = std::get_if<int>(&operand);
      if (tile == nullptr || survey_.Varies(*tile)) continue;
      const ir::Tile& source = kernel_.tiles[*tile];
      std::vector<Dim> dims = source.dims;
      dims.insert(dims.begin(), rows_);
      const int id = source.id;
      const int wide =
          kernel_.NewTile(source.name + "_rows", source.dtype, dims, stmt.line)
              .id;
      before_.push_back(Copy(wide, id, stmt.line));
      operand = wide;
    }
  }

  void RewriteWhole(Stmt& stmt) {
    if (stmt.kind == StmtKind::kReshape) return;
    if (stmt.kind == StmtKind::kSlice) {
      for (Index& index : stmt.slice) ++index.axis;
      Index rows;
      rows.kind = IndexKind::kRange;
      rows.dim = rows_.capacity;
      rows.extent = rows_;
      stmt.slice.insert(stmt.slice.begin(), rows);
      return;
    }
    if (stmt.op == Op::kTranspose) {
      for (int& axis : stmt.axes) ++axis;
      stmt.axes.insert(stmt.axes.begin(), 0);
      return;
    }
    if (stmt.op == Op::kTake) {
      if (survey_.Varies(stmt.operands[0])) ++stmt.axes[0];
      stmt.within = survey_.IsWithin(stmt);
      stmt.by_rows =
          survey_.Varies(stmt.operands[0]) && survey_.Varies(stmt.operands[1]);
      return;
    }
    if (stmt.op == Op::kConcat || stmt.op == Op::kMergeTopk) {
      WidenOperands(stmt);
    }
    if (stmt.op == Op::kMergeTopk) {
      // Positions broadcast to their values.
      for (const size_t values : {0, 2}) {
        const int tile = std::get<int>(stmt.operands[values]);
        AddAxes(stmt, values + 1, kernel_.tiles[tile].dims.size());
      }
    }
    for (int& axis : stmt.axes) ++axis;
  }

  // Rows are combined before they meet the other cores'.
  void ReduceFirst(Stmt& stmt) {
    WidenOperands(stmt);
    const ir::Tile& value = kernel_.tiles[std::get<int>(stmt.operands[0])];
    const std::vector<Dim> dims(value.dims.begin() + 1, value.dims.end());
    const int id = value.id;
    const int combined =
        kernel_.NewTile(value.name + "_all", value.dtype, dims, stmt.line).id;
    auto reduce =
        Compute(kernel_.across[stmt.across].combine, combined, {id}, stmt.line);
    reduce->axes = {0};
    before_.push_back(std::move(reduce));
    stmt.operands[0] = combined;
  }

  Kernel& kernel_;
  Loop& loop_;
  const Survey& survey_;
  Dim rows_;
  Block before_;
  Block after_;
};

// Loops over cores inside.
std::vector<const Loop*> CoresIn(const Block& block) {
  std::vector<const Loop*> loops;
  ForEachStmt(block, [&](const Stmt& stmt) {
    if (stmt.kind == StmtKind::kLoop && stmt.loop->cores) {
      loops.push_back(stmt.loop.get());
    }
  });
  return loops;
}

// Whether the rows of a loop around the innermost one are worth to run several
// at a time: they are cut into pieces, each is worked on once, and tiles are
// pieces of one row.
bool HasRowsInPieces(const Kernel& kernel, const Survey& survey,
                     const std::vector<const Loop*>& inside) {
  const auto is_of_one_row = [&](int tile) {
    const auto& dims = kernel.tiles[tile].dims;
    return std::count_if(dims.begin(), dims.end(),
                         [](const Dim& dim) { return !dim.is_one(); }) <= 1;
  };
  return inside.size() == 1 && !inside[0]->extent.empty() &&
         std::none_of(
             inside[0]->body.begin(), inside[0]->body.end(),
             [](const auto& stmt) { return stmt->kind == StmtKind::kLoop; }) &&
         std::all_of(survey.varying().begin(), survey.varying().end(),
                     is_of_one_row);
}

void Visit(Kernel& kernel, Block& block, const Int& outer) {
  for (const auto& stmt : block) {
    if (stmt->kind == StmtKind::kIf) {
      Visit(kernel, stmt->body, outer);
      Visit(kernel, stmt->otherwise, outer);
      continue;
    }
    if (stmt->kind != StmtKind::kLoop) continue;
    Loop& loop = *stmt->loop;
    if (!loop.cores) {
      Visit(kernel, loop.body, outer);
      continue;
    }
    const std::vector<const Loop*> inside = CoresIn(loop.body);
    const bool plain = loop.extent.empty() && loop.step.Is(1) &&
                       IsHost(kernel, loop.high - loop.low);
    const Survey survey(kernel, loop);
    if (plain && survey.legal() &&
        (inside.empty() || HasRowsInPieces(kernel, survey, inside))) {
      Batcher(kernel, loop, survey, outer).Run();
    } else if (plain && inside.empty()) {
      RowPositions positions(kernel, loop.body);
      if (!positions.changed()) continue;
      const Survey by_positions(kernel, loop);
      if (by_positions.legal()) {
        Batcher(kernel, loop, by_positions, outer).Run();
      } else {
        positions.Restore();
      }
    } else if (!inside.empty()) {
      const Int turns = Max(0, CeilDiv(loop.high - loop.low, loop.step));
      Visit(kernel, loop.body, IsHost(kernel, turns) ? outer * turns : outer);
    }
  }
}

}  // namespace

void BatchRows(Kernel& kernel) { Visit(kernel, kernel.body, 1); }

}  // namespace belay::crux::passes
