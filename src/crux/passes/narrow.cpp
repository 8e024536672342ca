// SPDX-License-Identifier: Apache-2.0
#include "crux/passes/narrow.h"

#include <map>
#include <vector>

#include "crux/passes/walk.h"

namespace belay::crux::passes {
namespace {

using ir::Block;
using ir::Kernel;
using ir::Stmt;
using ir::StmtKind;

class Narrower {
 public:
  explicit Narrower(Kernel& kernel)
      : kernel_(kernel), assignments_(AssignmentsOf(kernel)) {}

  void Run() {
    ForEachBlock(kernel_.body, [&](Block& block) { OfBlock(block); });
  }

 private:
  // What is found in f16 stands before the conversion that it went by: the
  // memory of the result is free until then.
  void OfBlock(Block& block) {
    widened_.clear();
    Block result;
    for (const auto& stmt : block) {
      Note(*stmt);
      Block narrow;
      if (!Narrow(stmt, narrow)) {
        result.push_back(stmt);
        continue;
      }
      const int wide = std::get<int>(stmt->operands[0]);
      const auto conversion =
          std::find_if(result.begin(), result.end(),
                       [&](const auto& one) { return Gives(*one, wide); });
      result.insert(conversion, narrow.begin(), narrow.end());
    }
    block = std::move(result);
  }

  static bool Gives(const Stmt& stmt, int tile) {
    return stmt.kind == StmtKind::kCompute && stmt.results[0] == tile;
  }

  void Note(const Stmt& stmt) {
    if (stmt.kind != StmtKind::kCompute || stmt.op != Op::kTo) return;
    const int* from = std::get_if<int>(&stmt.operands[0]);
    if (from == nullptr || assignments_[*from] != 1 ||
        assignments_[stmt.results[0]] != 1 ||
        kernel_.tiles[*from].dtype != DType::kHalf ||
        kernel_.tiles[stmt.results[0]].dtype != DType::kFloat) {
      return;
    }
    widened_[stmt.results[0]] = *from;
  }

  bool Narrow(const std::shared_ptr<Stmt>& stmt, Block& result) {
    if (stmt->kind != StmtKind::kCompute ||
        (stmt->op != Op::kMax && stmt->op != Op::kMin)) {
      return false;
    }
    const auto from = widened_.find(std::get<int>(stmt->operands[0]));
    if (from == widened_.end()) return false;
    const ir::Tile& wide = kernel_.tiles[stmt->results[0]];
    const int wanted = wide.id;
    const int narrow =
        kernel_
            .NewTile(wide.name + "_narrow", DType::kHalf, wide.dims, stmt->line)
            .id;
    auto reduce = std::make_shared<Stmt>(*stmt);
    reduce->operands = {from->second};
    reduce->results = {narrow};
    auto widen = Compute(Op::kTo, wanted, {narrow}, stmt->line);
    widen->round = abi::Round::kRint;
    result.push_back(std::move(reduce));
    result.push_back(std::move(widen));
    return true;
  }

  Kernel& kernel_;
  std::vector<int> assignments_;  // of tiles
  std::map<int, int> widened_;    // of this block: to what it is converted from
};

}  // namespace

void NarrowReductions(Kernel& kernel) { Narrower(kernel).Run(); }

}  // namespace belay::crux::passes
