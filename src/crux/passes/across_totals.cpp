// SPDX-License-Identifier: Apache-2.0
// Values across cores that are read when all is added up.

#include <algorithm>

#include "crux/interpret/reduce.h"
#include "crux/ir/refusal.h"
#include "crux/passes/across_builder.h"

namespace belay::crux::passes {
namespace {

bool HoldsUpdate(const ir::Block& block, int across) {
  bool holds = false;
  ForEachStmt(block, [&](const ir::Stmt& stmt) {
    holds = holds ||
            (stmt.kind == ir::StmtKind::kAcrossUpdate && stmt.across == across);
  });
  return holds;
}

class Totals : AcrossBuilder {
 public:
  explicit Totals(Kernel& kernel) : AcrossBuilder(kernel) {}

  void Run(const ir::Across& across) {
    line_ = 0;
    bool parts = false;
    ForEachStmt(kernel_.body, [&](const Stmt& stmt) {
      if (stmt.kind != StmtKind::kAcrossUpdate || stmt.across != across.id) {
        return;
      }
      parts = parts || !stmt.slice.empty();
      if (line_ == 0) line_ = stmt.line;
    });
    const DType dtype = WorkDtype(across);
    const int own = NewTile(across.name, dtype, across.dims);
    const int workspace = NewWorkspace(across.name + "_of_cores", dtype,
                                       Cores() * ElementsOf(across.dims));
    std::vector<Index> mine = {PointAt(Cores(), Int::Name("block_idx"))};
    AddWhole(across.dims, mine);

    const auto [first, last] = UpdatingStatements(across.id);
    const bool updated = first < kernel_.body.size();
    RequireReadsBehind(across, updated ? last : 0);
    if (parts) {
      UpdateParts(across, dtype, workspace);
    } else {
      UpdateWhole(across, dtype, own);
    }
    const int total =
        NewTile(across.name + "_total", across.dtype, across.dims);
    const size_t behind = updated ? last + 1 : 0;
    const size_t meeting = MeetingAt(behind);
    Block combined;
    AddCombined(across, dtype, workspace, total, combined);
    Insert(meeting + 1, std::move(combined));
    if (!parts) {
      Insert(behind, {Move(StmtKind::kStore, workspace, mine, own)});
    }
    Block before;
    before.push_back(Full(own, NeutralOf(across.combine, dtype)));
    if (parts) before.push_back(Move(StmtKind::kStore, workspace, mine, own));
    Insert(updated ? first : 0, std::move(before));
    RewriteBlock(kernel_.body, [&](const StmtPtr& stmt) -> Replacement {
      if (stmt->kind != StmtKind::kAcrossValue || stmt->across != across.id) {
        return std::nullopt;
      }
      return Block{Reshape(stmt->results[0], total, stmt->line)};
    });
  }

 private:
  // The dtype in which values are combined: halves in f32, as sums are.
  static DType WorkDtype(const ir::Across& across) {
    const bool half =
        across.dtype == DType::kHalf || across.dtype == DType::kBfloat16;
    return half && across.combine == Op::kSum ? DType::kFloat : across.dtype;
  }

  // `source` in dtype, converted by a statement if need be.
  ir::Operand Converted(const ir::Operand& source, DType dtype, Block& out) {
    const int* tile = std::get_if<int>(&source);
    if (tile == nullptr || kernel_.tiles[*tile].dtype == dtype) return source;
    const int id = *tile;
    const int result = NewTile(kernel_.tiles[id].name + "_wide", dtype,
                               kernel_.tiles[id].dims);
    out.push_back(Compute(Op::kTo, result, {id}, line_));
    return result;
  }

  // The positions of the kernel's own statements that update the value.
  std::pair<size_t, size_t> UpdatingStatements(int across) const {
    size_t first = kernel_.body.size();
    size_t last = 0;
    for (size_t i = 0; i < kernel_.body.size(); ++i) {
      if (!HoldsUpdate({kernel_.body[i]}, across)) continue;
      first = std::min(first, i);
      last = i;
    }
    return {first, last};
  }

  // Where all cores meet behind nothing but stores from `begin` on: once for
  // all values that are complete there.
  size_t MeetingAt(size_t begin) {
    size_t at = begin;
    while (at < kernel_.body.size() &&
           kernel_.body[at]->kind == StmtKind::kStore) {
      ++at;
    }
    if (at < kernel_.body.size() &&
        kernel_.body[at]->kind == StmtKind::kSyncAll) {
      return at;
    }
    Insert(begin, {Meet()});
    return begin;
  }

  void RequireReadsBehind(const ir::Across& across, size_t last) const {
    for (size_t i = 0; i <= last && i < kernel_.body.size(); ++i) {
      ForEachStmt({kernel_.body[i]}, [&](const Stmt& stmt) {
        const bool reads = stmt.kind == StmtKind::kAcrossValue ||
                           stmt.kind == StmtKind::kAcrossPrefix;
        if (reads && stmt.across == across.id) {
          ir::Refuse(belay::code::kX301, stmt.line,
                     "`" + across.name + "` is read before it is complete",
                     "read it behind the last loop that changes it");
        }
      });
    }
  }

  void UpdateWhole(const ir::Across& across, DType dtype, int own) {
    RewriteBlock(kernel_.body, [&](const StmtPtr& stmt) -> Replacement {
      if (stmt->kind != StmtKind::kAcrossUpdate || stmt->across != across.id) {
        return std::nullopt;
      }
      line_ = stmt->line;
      Block made;
      const ir::Operand value = Converted(stmt->operands[0], dtype, made);
      made.push_back(Compute(interpret::ReductionStep(across.combine), own,
                             {own, value}, stmt->line));
      return made;
    });
  }

  // Parts live in workspace: read, combined, written back.
  void UpdateParts(const ir::Across& across, DType dtype, int workspace) {
    RewriteBlock(kernel_.body, [&](const StmtPtr& stmt) -> Replacement {
      if (stmt->kind != StmtKind::kAcrossUpdate || stmt->across != across.id) {
        return std::nullopt;
      }
      line_ = stmt->line;
      Block made;
      const ir::Operand value = Converted(stmt->operands[0], dtype, made);
      std::vector<Index> where = {PointAt(Cores(), Int::Name("block_idx"))};
      if (stmt->slice.empty()) {
        AddWhole(across.dims, where);
      } else {
        where.insert(where.end(), stmt->slice.begin(), stmt->slice.end());
      }
      const std::vector<Dim> dims = DimsOf(kernel_, where);
      const int before = NewTile(across.name + "_before", dtype, dims);
      const int after = NewTile(across.name + "_after", dtype, dims);
      made.push_back(Move(StmtKind::kLoad, workspace, where, before));
      made.push_back(Compute(interpret::ReductionStep(across.combine), after,
                             {before, value}, stmt->line));
      made.push_back(Move(StmtKind::kStore, workspace, where, after));
      return made;
    });
  }

  // total = what the cores have, combined in their order.
  void AddCombined(const ir::Across& across, DType dtype, int workspace,
                   int total, Block& out) {
    if (across.dims.empty()) {
      return AddReduced(across, dtype, workspace, total, out);
    }
    const std::string core = kernel_.FreshName("core");
    std::vector<Index> theirs = {PointAt(Cores(), Int::Name(core))};
    AddWhole(across.dims, theirs);
    const int sum = NewTile(across.name + "_sum", dtype, across.dims);
    const int one = NewTile(across.name + "_core", dtype, across.dims);
    out.push_back(Full(sum, NeutralOf(across.combine, dtype)));
    Block body;
    body.push_back(Move(StmtKind::kLoad, workspace, theirs, one));
    body.push_back(Compute(interpret::ReductionStep(across.combine), sum,
                           {sum, one}, line_));
    out.push_back(Turns(core, Int::Name("block_num"), std::move(body)));
    AddTotal(across, dtype, total, sum, out);
  }

  // The same of one number for each core: all at once.
  void AddReduced(const ir::Across& across, DType dtype, int workspace,
                  int total, Block& out) {
    const Dim cores{Cores(), Int::Name("block_num")};
    std::vector<Index> theirs;
    AddWhole({cores}, theirs);
    const int all = NewTile(across.name + "_all", dtype, {cores});
    const int sum = NewTile(across.name + "_sum", dtype, {});
    out.push_back(Move(StmtKind::kLoad, workspace, theirs, all));
    const StmtPtr reduce = Compute(across.combine, sum, {all}, line_);
    reduce->axes = {0};
    out.push_back(reduce);
    AddTotal(across, dtype, total, sum, out);
  }

  void AddTotal(const ir::Across& across, DType dtype, int total, int sum,
                Block& out) {
    if (dtype == across.dtype) {
      out.push_back(Copy(total, sum, line_));
    } else {
      out.push_back(Compute(Op::kTo, total, {sum}, line_));
    }
  }
};

}  // namespace

void LowerTotal(ir::Kernel& kernel, const ir::Across& across) {
  Totals(kernel).Run(across);
}

}  // namespace belay::crux::passes
