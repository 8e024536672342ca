// SPDX-License-Identifier: Apache-2.0
#include "crux/passes/accesses.h"

#include <algorithm>
#include <set>

#include "crux/ir/bounds.h"
#include "crux/ir/walk.h"

namespace belay::crux::passes {
namespace {

using ir::Index;
using ir::IndexKind;
using ir::Int;
using ir::Loop;
using ir::StmtKind;

class Finder {
 public:
  explicit Finder(const ir::Kernel& kernel) : found_(kernel.tensors.size()) {
    Visit(kernel.body);
  }

  std::vector<std::vector<AccessAt>> Take() { return std::move(found_); }

 private:
  void Visit(const ir::Block& block) {
    for (size_t i = 0; i < block.size(); ++i) {
      const ir::Stmt& stmt = *block[i];
      switch (stmt.kind) {
        case StmtKind::kLoad:
        case StmtKind::kStore:
        case StmtKind::kAtomicAdd:
          found_[static_cast<size_t>(stmt.access.tensor)].push_back(
              {&stmt, &block, i, loops_, part_});
          break;
        case StmtKind::kLoop:
          loops_.push_back(stmt.loop.get());
          Visit(stmt.loop->body);
          loops_.pop_back();
          break;
        case StmtKind::kIf:
          Visit(stmt.body);
          Visit(stmt.otherwise);
          break;
        case StmtKind::kSyncAll:
          if (loops_.empty()) ++part_;
          break;
        default:
          break;
      }
    }
  }

  std::vector<std::vector<AccessAt>> found_;
  std::vector<const Loop*> loops_;
  size_t part_ = 0;
};

// Of the positions that turns of `loop` touch, a part of this size at most is
// touched by two of them.
constexpr int64_t kFew = 4;

// Not 0 where the turns of `loop` touch few positions twice; 1: it moves
// `index` on by as much as the index takes.
Int StepsOver(const Index& index, const Loop& loop) {
  const auto slope = ir::Slope(index.start, loop.name);
  if (!slope || slope->Is(0)) return 0;
  if (index.kind == IndexKind::kPoint) return 1;
  if (index.kind != IndexKind::kRange) return 0;
  const Int step = *slope * loop.step;
  const Int taken = index.extent.capacity * index.step;
  if (ir::Same(step, taken)) return 1;
  return Int::Of(ir::IntKind::kLessEqual, (taken - step) * kFew, step);
}

bool SameElements(const ir::Access& a, const ir::Access& b) {
  return ir::Same(a.element, b.element) &&
         std::equal(a.indices.begin(), a.indices.end(), b.indices.begin(),
                    b.indices.end(), [](const Index& x, const Index& y) {
                      return x.kind == y.kind && x.kind != IndexKind::kTile &&
                             ir::Same(x.dim, y.dim) &&
                             ir::Same(x.start, y.start) &&
                             ir::Same(x.step, y.step) &&
                             ir::Same(x.extent.size, y.extent.size);
                    });
}

// Whether the vector unit has used what was loaded before it makes what is
// stored: the load is then over.
bool IsUsedBetween(const AccessAt& load, const AccessAt& store) {
  if (load.block != store.block || load.position >= store.position) {
    return false;
  }
  std::set<int> names = {load.stmt->results[0]};
  for (size_t i = load.position + 1; i < store.position; ++i) {
    const ir::Stmt& stmt = *(*load.block)[i];
    if (!ir::AnyTileRead(stmt,
                         [&](int tile) { return names.contains(tile); })) {
      continue;
    }
    if (stmt.kind == StmtKind::kCompute || stmt.kind == StmtKind::kTurn) {
      return true;
    }
    if (stmt.kind == StmtKind::kReshape) names.insert(stmt.results[0]);
  }
  return false;
}

}  // namespace

std::vector<std::vector<AccessAt>> AccessesOf(const ir::Kernel& kernel) {
  return Finder(kernel).Take();
}

bool TouchesOnce(const AccessAt& at) { return TouchesFewTwice(at).Is(1); }

Int TouchesFewTwice(const AccessAt& at) {
  if (at.loops.empty()) return 0;
  Int few = 1;
  std::set<const Index*> followed;
  for (const Loop* loop : at.loops) {
    const Index* follower = nullptr;
    for (const Index& index : at.stmt->access.indices) {
      if (index.kind == IndexKind::kTile || !index.step.Is(1)) return 0;
      if (!Mentions(index.start, loop->name)) continue;
      if (follower != nullptr) return 0;
      few = Int::Of(ir::IntKind::kAnd, few, StepsOver(index, *loop));
      follower = &index;
    }
    // One dimension for each loop: sums of loop variables may meet.
    if (follower == nullptr || !followed.insert(follower).second) return 0;
  }
  return few;
}

bool IsUpdatedInPlace(const std::vector<AccessAt>& accesses) {
  for (const AccessAt& store : accesses) {
    if (store.loads()) continue;
    if (store.stmt->kind != StmtKind::kStore || !TouchesOnce(store)) {
      return false;
    }
    for (const AccessAt& other : accesses) {
      if (&other == &store || other.part != store.part) continue;
      if (!other.loads() || other.loops != store.loops ||
          !SameElements(other.stmt->access, store.stmt->access) ||
          !IsUsedBetween(other, store)) {
        return false;
      }
    }
  }
  return true;
}

}  // namespace belay::crux::passes
