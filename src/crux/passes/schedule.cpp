// SPDX-License-Identifier: Apache-2.0
#include "crux/passes/schedule.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "crux/passes/walk.h"

namespace belay::crux::passes {
namespace {

using ir::Block;
using ir::Kernel;
using ir::Stmt;
using ir::StmtKind;

bool IsStore(const Stmt& stmt) {
  return stmt.kind == StmtKind::kStore || stmt.kind == StmtKind::kAtomicAdd;
}

// Numbers in order, each once.
class Numbers {
 public:
  void Add(int number) { numbers_.push_back(number); }
  void Sort() {
    std::sort(numbers_.begin(), numbers_.end());
    numbers_.erase(std::unique(numbers_.begin(), numbers_.end()),
                   numbers_.end());
  }
  friend bool Intersect(const Numbers& a, const Numbers& b) {
    auto left = a.numbers_.begin();
    auto right = b.numbers_.begin();
    while (left != a.numbers_.end() && right != b.numbers_.end()) {
      if (*left == *right) return true;
      ++(*left < *right ? left : right);
    }
    return false;
  }

 private:
  std::vector<int> numbers_;
};

// What a statement touches, those inside included.
struct Effects {
  Numbers reads;
  Numbers writes;
  Numbers loads;                  // tensors
  Numbers stores;                 // tensors
  std::set<std::string> uses;     // of integers that are read
  std::set<std::string> defines;  // by kRead
  bool fixed = false;             // nothing passes it
};

// Whether `later` may come before `earlier`.
bool MayPass(const Effects& later, const Effects& earlier) {
  if (later.fixed || earlier.fixed) return false;
  if (Intersect(later.reads, earlier.writes) ||
      Intersect(later.writes, earlier.reads) ||
      Intersect(later.writes, earlier.writes) ||
      Intersect(later.loads, earlier.stores) ||
      Intersect(later.stores, earlier.loads) ||
      Intersect(later.stores, earlier.stores)) {
    return false;
  }
  return std::none_of(
      earlier.defines.begin(), earlier.defines.end(),
      [&](const std::string& name) { return later.uses.contains(name); });
}

// Puts the statements of blocks in order.
class Scheduler {
 public:
  explicit Scheduler(const Kernel& kernel) : kernel_(kernel) {
    ForEachStmt(kernel.body, [&](const Stmt& stmt) {
      if (stmt.kind == StmtKind::kRead) numbers_.insert(stmt.name);
    });
  }

  void Order(Block& block) const {
    std::vector<std::optional<Effects>> effects(block.size());
    const auto may_pass = [&](size_t later, size_t earlier) {
      for (const size_t one : {later, earlier}) {
        if (!effects[one]) effects[one] = EffectsOf(block[one]);
      }
      return MayPass(*effects[later], *effects[earlier]);
    };
    // Loads up, past everything but loads.
    for (size_t i = 0; i < block.size(); ++i) {
      if (block[i]->kind != StmtKind::kLoad) continue;
      for (size_t j = i;
           j > 0 && block[j - 1]->kind != StmtKind::kLoad && may_pass(j, j - 1);
           --j) {
        std::swap(block[j], block[j - 1]);
        std::swap(effects[j], effects[j - 1]);
      }
    }
    // Stores down.
    for (size_t i = block.size(); i-- > 0;) {
      if (!IsStore(*block[i])) continue;
      for (size_t j = i; j + 1 < block.size() && !IsStore(*block[j + 1]) &&
                         may_pass(j + 1, j);
           ++j) {
        std::swap(block[j], block[j + 1]);
        std::swap(effects[j], effects[j + 1]);
      }
    }
  }

 private:
  Effects EffectsOf(const std::shared_ptr<Stmt>& stmt) const {
    Effects effects;
    ForEachStmt({stmt}, [&](const Stmt& one) {
      ForEachTileRead(one, [&](int tile) { effects.reads.Add(tile); });
      for (const int tile : one.results) effects.writes.Add(tile);
      if (one.kind == StmtKind::kLoad) effects.loads.Add(one.access.tensor);
      if (IsStore(one)) effects.stores.Add(one.access.tensor);
      effects.uses.merge(NamesUsedBy(kernel_, one, numbers_));
      if (one.kind == StmtKind::kRead) effects.defines.insert(one.name);
      if (one.kind == StmtKind::kSyncAll) effects.fixed = true;
    });
    for (Numbers* numbers :
         {&effects.reads, &effects.writes, &effects.loads, &effects.stores}) {
      numbers->Sort();
    }
    return effects;
  }

  const Kernel& kernel_;
  std::set<std::string> numbers_;  // integers that are read
};

}  // namespace

void Schedule(Kernel& kernel) {
  const Scheduler scheduler(kernel);
  ForEachBlock(kernel.body, [&](Block& block) { scheduler.Order(block); });
}

}  // namespace belay::crux::passes
