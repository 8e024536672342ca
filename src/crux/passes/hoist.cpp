// SPDX-License-Identifier: Apache-2.0
#include "crux/passes/hoist.h"

#include <vector>

#include "crux/passes/walk.h"

namespace belay::crux::passes {
namespace {

using ir::Block;
using ir::Kernel;
using ir::Stmt;
using ir::StmtKind;

bool MayMove(const Kernel& kernel, const Stmt& stmt,
             const std::set<int>& stored) {
  switch (stmt.kind) {
    case StmtKind::kCompute:
    case StmtKind::kSlice:
    case StmtKind::kReshape:
      return true;
    case StmtKind::kLoad:
      return kernel.tensors[stmt.access.tensor].role == ir::TensorRole::kIn ||
             !stored.contains(stmt.access.tensor);
    default:
      return false;
  }
}

class Hoister {
 public:
  explicit Hoister(Kernel& kernel)
      : kernel_(kernel),
        stored_(TensorsStoredIn(kernel.body)),
        assignments_(AssignmentsOf(kernel)) {}

  void Visit(Block& block) {
    Block result;
    for (const auto& stmt : block) {
      if (stmt->kind == StmtKind::kLoop) {
        Visit(stmt->loop->body);
        for (auto& moved : TakeOut(*stmt->loop)) result.push_back(moved);
      } else if (stmt->kind == StmtKind::kIf) {
        Visit(stmt->body);
        Visit(stmt->otherwise);
      }
      result.push_back(stmt);
    }
    block = std::move(result);
  }

 private:
  // Removes what does not change from the loop's body.
  Block TakeOut(ir::Loop& loop) {
    Block moved;
    std::set<std::string> changing = NamesDefinedIn(loop.body);
    changing.insert(loop.name);
    changing.insert(loop.extent);
    std::set<int> assigned = TilesAssignedIn(loop.body);
    for (bool again = true; again;) {
      again = false;
      for (size_t i = 0; i < loop.body.size(); ++i) {
        const auto stmt = loop.body[i];
        if (!MayMove(kernel_, *stmt, stored_) ||
            !IsSame(*stmt, changing, assigned)) {
          continue;
        }
        moved.push_back(stmt);
        for (const int tile : stmt->results) assigned.erase(tile);
        loop.body.erase(loop.body.begin() + static_cast<std::ptrdiff_t>(i));
        again = true;
        break;
      }
    }
    return moved;
  }

  bool IsSame(const Stmt& stmt, const std::set<std::string>& changing,
              const std::set<int>& assigned) {
    for (const int tile : stmt.results) {
      if (assignments_[tile] != 1) return false;
    }
    if (ir::AnyTileRead(stmt,
                        [&](int tile) { return assigned.contains(tile); })) {
      return false;
    }
    return NamesUsedBy(kernel_, stmt, changing).empty();
  }

  Kernel& kernel_;
  std::set<int> stored_;
  std::vector<int> assignments_;  // of tiles
};

}  // namespace

void Hoist(Kernel& kernel) { Hoister(kernel).Visit(kernel.body); }

}  // namespace belay::crux::passes
