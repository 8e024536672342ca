// SPDX-License-Identifier: Apache-2.0
#include "crux/passes/hoist.h"

#include <memory>
#include <vector>

#include "crux/ir/bounds.h"
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
        if (!IsCondition(*stmt->loop)) {
          for (auto& moved : TakeOut(*stmt->loop)) result.push_back(moved);
        }
      } else if (stmt->kind == StmtKind::kIf) {
        Visit(stmt->body);
        Visit(stmt->otherwise);
      }
      result.push_back(stmt);
    }
    block = std::move(result);
  }

 private:
  // Whether it runs once or not at all: directly in front of it work would be
  // done in vain.
  bool IsCondition(const ir::Loop& loop) const {
    return !loop.cores && loop.low.Is(0) &&
           ir::Most(kernel_, loop.high).value_or(2) <= 1;
  }

  // Removes what does not change from the loop's body, and from the bodies of
  // conditions in it.
  Block TakeOut(ir::Loop& loop) {
    Block moved;
    std::set<std::string> changing = NamesDefinedIn(loop.body);
    changing.insert(loop.name);
    changing.insert(loop.extent);
    std::set<int> assigned = TilesAssignedIn(loop.body);
    while (const auto stmt = TakeOne(loop.body, changing, assigned)) {
      for (const int tile : stmt->results) assigned.erase(tile);
      moved.push_back(stmt);
    }
    return moved;
  }

  // The first that does not change; null: none.
  std::shared_ptr<Stmt> TakeOne(Block& block,
                                const std::set<std::string>& changing,
                                const std::set<int>& assigned) {
    for (size_t i = 0; i < block.size(); ++i) {
      const auto stmt = block[i];
      if (stmt->kind == StmtKind::kLoop && IsCondition(*stmt->loop)) {
        if (auto inner = TakeOne(stmt->loop->body, changing, assigned)) {
          return inner;
        }
      }
      if (MayMove(kernel_, *stmt, stored_) &&
          IsSame(*stmt, changing, assigned)) {
        block.erase(block.begin() + static_cast<std::ptrdiff_t>(i));
        return stmt;
      }
    }
    return nullptr;
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
