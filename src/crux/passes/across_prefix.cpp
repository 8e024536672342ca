// SPDX-License-Identifier: Apache-2.0
// Running sums across cores, in two sweeps: what each iteration adds and each
// core in all; then, the cores' sums known, what came before each iteration.

#include <map>
#include <optional>

#include "base/error.h"
#include "crux/ir/refusal.h"
#include "crux/passes/across_builder.h"

namespace belay::crux::passes {
namespace {

class Prefixes : AcrossBuilder {
 public:
  explicit Prefixes(Kernel& kernel) : AcrossBuilder(kernel) {}

  void Run(const ir::Across& across) {
    std::vector<ir::Loop*> loops;
    const bool updated = FindNest(kernel_.body, across.id, loops);
    if (!updated || loops.empty()) {
      ir::Refuse(belay::code::kX301, 0,
                 "`" + across.name + "` is never added to in a loop over cores",
                 "add to it in a loop over cores");
    }
    ShareTiles(across, loops);
    Int items = 1;
    for (const ir::Loop* loop : loops) items = items * TurnsOf(*loop);
    const Int size = ElementsOf(across.dims);
    const int added =
        NewWorkspace(across.name + "_added", across.dtype, items * size);
    const int before =
        NewWorkspace(across.name + "_before", across.dtype, items * size);
    const int totals =
        NewWorkspace(across.name + "_of_cores", across.dtype, Cores() * size);
    const auto at = [&](int, const Int& dim, const Int& position) {
      std::vector<Index> indices = {PointAt(dim, position)};
      AddWhole(across.dims, indices);
      return indices;
    };
    // First sweep: what each iteration adds, and each core in all.
    const int own = NewTile(across.name, across.dtype, across.dims);
    const int turn = NewTile(across.name + "_turn", across.dtype, across.dims);
    std::vector<Int> here;
    for (const ir::Loop* loop : loops) here.push_back(Int::Name(loop->name));
    const Int item = ItemOf(loops, here);
    RewriteBlock(kernel_.body, [&](const StmtPtr& stmt) -> Replacement {
      if (stmt->kind != StmtKind::kAcrossUpdate || stmt->across != across.id) {
        return std::nullopt;
      }
      line_ = stmt->line;
      return Block{
          Compute(Op::kAdd, turn, {turn, stmt->operands[0]}, stmt->line)};
    });
    Block& body = loops.back()->body;
    body.insert(body.begin(), Full(turn, NeutralOf(Op::kSum, across.dtype)));
    body.push_back(Compute(Op::kAdd, own, {own, turn}, line_));
    body.push_back(Move(StmtKind::kStore, added, at(0, items, item), turn));

    // Second sweep: what was added before each iteration.
    Block after;
    after.push_back(Move(StmtKind::kStore, totals,
                         at(0, Cores(), Int::Name("block_idx")), own));
    after.push_back(Meet());
    const int sum = NewTile(across.name + "_sum", across.dtype, across.dims);
    const int one = NewTile(across.name + "_core", across.dtype, across.dims);
    after.push_back(Full(sum, NeutralOf(Op::kSum, across.dtype)));
    const std::string core = kernel_.FreshName("core");
    after.push_back(Turns(
        core, Int::Name("block_idx"),
        {Move(StmtKind::kLoad, totals, at(0, Cores(), Int::Name(core)), one),
         Compute(Op::kAdd, sum, {sum, one}, line_)}));
    const std::string each = kernel_.FreshName("iteration");
    const int value =
        NewTile(across.name + "_value", across.dtype, across.dims);
    Block sweep = {
        Move(StmtKind::kLoad, added, at(0, items, Int::Name(each)), value),
        Move(StmtKind::kStore, before, at(0, items, Int::Name(each)), sum),
        Compute(Op::kAdd, sum, {sum, value}, line_)};
    StmtPtr again = Turns(each, items, std::move(sweep));
    again->loop->cores = true;
    after.push_back(std::move(again));
    after.push_back(Meet());
    const auto [first, last] = UpdatingLoop(loops.front());
    Insert(last + 1, std::move(after));
    Insert(first, {Full(own, NeutralOf(Op::kSum, across.dtype))});

    RewriteBlock(kernel_.body, [&](const StmtPtr& stmt) -> Replacement {
      if (stmt->across != across.id) return std::nullopt;
      if (stmt->kind == StmtKind::kAcrossValue) {
        ir::Refuse(belay::code::kX301, stmt->line,
                   "the total of a running sum across cores is not compiled",
                   "add an across_cores(sum, …) for the total");
      }
      if (stmt->kind != StmtKind::kAcrossPrefix) return std::nullopt;
      std::vector<Int> positions;
      for (const Index& index : stmt->slice) positions.push_back(index.start);
      line_ = stmt->line;
      return Block{Move(StmtKind::kLoad, before,
                        at(0, items, ItemOf(loops, positions)),
                        stmt->results[0])};
    });
  }

 private:
  // The loops over cores around the innermost block that updates the value,
  // outermost first, and that block.
  static bool FindNest(const Block& block, int across,
                       std::vector<ir::Loop*>& loops) {
    for (const StmtPtr& stmt : block) {
      if (stmt->kind == StmtKind::kAcrossUpdate && stmt->across == across) {
        return true;
      }
      if (stmt->kind == StmtKind::kIf &&
          (FindNest(stmt->body, across, loops) ||
           FindNest(stmt->otherwise, across, loops))) {
        return true;
      }
      if (stmt->kind != StmtKind::kLoop) continue;
      if (stmt->loop->cores) loops.push_back(stmt->loop.get());
      if (FindNest(stmt->loop->body, across, loops)) return true;
      if (stmt->loop->cores) loops.pop_back();
    }
    return false;
  }

  static Int TurnsOf(const ir::Loop& loop) {
    return Max(0, CeilDiv(loop.high - loop.low, loop.step));
  }

  // Which iteration of the nest this is, counted from 0.
  static Int ItemOf(const std::vector<ir::Loop*>& loops,
                    const std::vector<Int>& positions) {
    Int item = 0;
    for (size_t i = 0; i < loops.size(); ++i) {
      item = item * TurnsOf(*loops[i]) +
             FloorDiv(positions[i] - loops[i]->low, loops[i]->step);
    }
    return item;
  }

  std::pair<size_t, size_t> UpdatingLoop(const ir::Loop* loop) const {
    for (size_t i = 0; i < kernel_.body.size(); ++i) {
      bool holds = false;
      ForEachStmt({kernel_.body[i]}, [&](const Stmt& stmt) {
        holds = holds || stmt.loop.get() == loop;
      });
      if (holds) return {i, i};
    }
    throw InternalError("[crux] a loop outside the kernel");
  }

  // Loops that read a prefix cut their space into the pieces of the loops that
  // made it.
  void ShareTiles(const ir::Across& across,
                  const std::vector<ir::Loop*>& loops) {
    std::map<std::string, std::string> rename;
    std::map<std::string, const ir::Loop*> by_name;
    ForEachStmt(kernel_.body, [&](const Stmt& stmt) {
      if (stmt.kind == StmtKind::kLoop) {
        by_name[stmt.loop->name] = stmt.loop.get();
      }
    });
    ForEachStmt(kernel_.body, [&](const Stmt& stmt) {
      if (stmt.kind != StmtKind::kAcrossPrefix || stmt.across != across.id) {
        return;
      }
      for (size_t i = 0; i < stmt.slice.size() && i < loops.size(); ++i) {
        const auto found = by_name.find(stmt.slice[i].start.name());
        if (found == by_name.end()) continue;
        const Int& theirs = found->second->step;
        const Int& ours = loops[i]->step;
        if (theirs.kind() == ir::IntKind::kName &&
            ours.kind() == ir::IntKind::kName && theirs.name() != ours.name()) {
          rename[theirs.name()] = ours.name();
        }
      }
    });
    if (!rename.empty()) Rename(kernel_, rename);
  }

  static void Rename(Kernel& kernel,
                     const std::map<std::string, std::string>& rename) {
    const auto of = [&](Int& expr) {
      expr = Substitute(expr, [&](const std::string& name) {
        const auto found = rename.find(name);
        return found == rename.end() ? std::nullopt
                                     : std::optional(Int::Name(found->second));
      });
    };
    const auto dim = [&](Dim& one) {
      of(one.capacity);
      of(one.size);
    };
    const auto indices = [&](std::vector<Index>& these) {
      for (Index& index : these) {
        of(index.dim);
        of(index.start);
        of(index.step);
        dim(index.extent);
      }
    };
    for (ir::Tile& tile : kernel.tiles) {
      for (Dim& one : tile.dims) dim(one);
    }
    ForEachBlock(kernel.body, [&](Block& block) {
      for (const StmtPtr& stmt : block) {
        indices(stmt->access.indices);
        indices(stmt->slice);
        of(stmt->condition);
        for (ir::Operand& operand : stmt->operands) {
          if (auto* number = std::get_if<ir::Number>(&operand)) {
            of(number->integer);
          }
        }
        if (stmt->kind != StmtKind::kLoop) continue;
        of(stmt->loop->low);
        of(stmt->loop->high);
        of(stmt->loop->step);
      }
    });
    for (ir::TileParameter& kept : kernel.parameters) {
      for (const ir::TileParameter& gone : kernel.parameters) {
        const auto found = rename.find(gone.name);
        if (found == rename.end() || found->second != kept.name) continue;
        kept.loops.insert(kept.loops.end(), gone.loops.begin(),
                          gone.loops.end());
      }
    }
    std::erase_if(kernel.parameters, [&](const ir::TileParameter& one) {
      return rename.contains(one.name);
    });
    std::erase_if(kernel.host, [&](const ir::HostValue& one) {
      return rename.contains(one.name);
    });
  }
};

}  // namespace

void LowerPrefix(ir::Kernel& kernel, const ir::Across& across) {
  Prefixes(kernel).Run(across);
}

}  // namespace belay::crux::passes
