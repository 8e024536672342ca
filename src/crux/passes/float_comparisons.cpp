// SPDX-License-Identifier: Apache-2.0
#include "crux/passes/float_comparisons.h"

#include <algorithm>
#include <map>

#include "crux/passes/ranges.h"
#include "crux/passes/walk.h"

namespace belay::crux::passes {
namespace {

using ir::Block;
using ir::Kernel;
using ir::Stmt;
using ir::StmtKind;

// Less than what f32 holds all integers up to.
constexpr double kSmall = (1 << 24) - 1;

bool IsOrder(const Stmt& stmt) {
  if (stmt.kind != StmtKind::kCompute) return false;
  return stmt.op == Op::kLess || stmt.op == Op::kLessEqual ||
         stmt.op == Op::kGreater || stmt.op == Op::kGreaterEqual;
}

class Comparisons {
 public:
  explicit Comparisons(Kernel& kernel) : kernel_(kernel), ranges_(kernel) {
    ForEachStmt(kernel.body, [&](const Stmt& stmt) {
      for (const int tile : stmt.results) ++assigned_[tile];
    });
  }

  void Run() {
    RewriteBlock(kernel_.body, [&](const std::shared_ptr<Stmt>& stmt) {
      TakeFloats(*stmt);
      return std::nullopt;
    });
    if (floats_.empty()) return;
    RewriteBlock(kernel_.body, [&](const std::shared_ptr<Stmt>& stmt) {
      return WithFloats(stmt);
    });
  }

 private:
  void TakeFloats(Stmt& stmt) {
    if (!IsOrder(stmt) || !IsExact(stmt)) return;
    for (ir::Operand& operand : stmt.operands) {
      if (const int* tile = std::get_if<int>(&operand)) {
        operand = AsFloat(*tile);
      }
    }
  }

  bool IsExact(const Stmt& stmt) {
    const auto is_small = [&](const ir::Operand& operand) {
      return ranges_.Of(operand).Within(-kSmall, kSmall);
    };
    const auto is_word = [&](const ir::Operand& operand) {
      const int* tile = std::get_if<int>(&operand);
      return tile == nullptr || (assigned_[*tile] == 1 &&
                                 kernel_.tiles[*tile].dtype == DType::kInt32);
    };
    return std::all_of(stmt.operands.begin(), stmt.operands.end(), is_word) &&
           std::any_of(stmt.operands.begin(), stmt.operands.end(), is_small);
  }

  int AsFloat(int tile) {
    const auto found = floats_.find(tile);
    if (found != floats_.end()) return found->second;
    const ir::Tile& words = kernel_.tiles[tile];
    const int made = kernel_
                         .NewTile(words.name + "_float", DType::kFloat,
                                  words.dims, words.line)
                         .id;
    floats_[tile] = made;
    return made;
  }

  // A statement and what its results are in f32, for all that ask.
  Replacement WithFloats(const std::shared_ptr<Stmt>& stmt) {
    Block made = {stmt};
    for (const int tile : stmt->results) {
      const auto found = floats_.find(tile);
      if (found == floats_.end()) continue;
      made.push_back(Compute(Op::kTo, found->second, {tile}, stmt->line));
      made.back()->round = abi::Round::kRint;
    }
    if (made.size() == 1) return std::nullopt;
    return made;
  }

  Kernel& kernel_;
  Ranges ranges_;
  std::map<int, int> assigned_;
  std::map<int, int> floats_;  // of tiles of i32
};

}  // namespace

void CompareAsFloats(Kernel& kernel) { Comparisons(kernel).Run(); }

}  // namespace belay::crux::passes
