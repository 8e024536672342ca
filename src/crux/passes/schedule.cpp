// SPDX-License-Identifier: Apache-2.0
#include "crux/passes/schedule.h"

#include <algorithm>

#include "crux/passes/walk.h"
#include "crux/select/occurrences.h"

namespace belay::crux::passes {
namespace {

using ir::Block;
using ir::Kernel;
using ir::Stmt;
using ir::StmtKind;

bool IsStore(const Stmt& stmt) {
  return stmt.kind == StmtKind::kStore || stmt.kind == StmtKind::kAtomicAdd;
}

bool Intersect(const std::set<int>& a, const std::set<int>& b) {
  return std::any_of(a.begin(), a.end(),
                     [&](int one) { return b.contains(one); });
}

// What a statement touches, those inside included.
struct Effects {
  std::set<int> reads;
  std::set<int> writes;
  std::set<int> loads;   // tensors
  std::set<int> stores;  // tensors
  std::set<std::string> uses;
  std::set<std::string> defines;
  bool fixed = false;  // nothing passes it
};

Effects EffectsOf(const Kernel& kernel, const std::shared_ptr<Stmt>& stmt) {
  Effects effects;
  ForEachStmt({stmt}, [&](const Stmt& one) {
    for (const int tile : select::TilesReadBy(one)) effects.reads.insert(tile);
    effects.writes.insert(one.results.begin(), one.results.end());
    if (one.kind == StmtKind::kLoad) effects.loads.insert(one.access.tensor);
    if (IsStore(one)) effects.stores.insert(one.access.tensor);
    effects.uses.merge(NamesUsedBy(kernel, one));
    if (one.kind == StmtKind::kRead) effects.defines.insert(one.name);
    if (one.kind == StmtKind::kSyncAll) effects.fixed = true;
  });
  return effects;
}

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

void Order(const Kernel& kernel, Block& block) {
  std::vector<Effects> effects;
  for (const auto& stmt : block) effects.push_back(EffectsOf(kernel, stmt));
  // Loads up, past everything but loads.
  for (size_t i = 0; i < block.size(); ++i) {
    if (block[i]->kind != StmtKind::kLoad) continue;
    for (size_t j = i; j > 0 && block[j - 1]->kind != StmtKind::kLoad &&
                       MayPass(effects[j], effects[j - 1]);
         --j) {
      std::swap(block[j], block[j - 1]);
      std::swap(effects[j], effects[j - 1]);
    }
  }
  // Stores down.
  for (size_t i = block.size(); i-- > 0;) {
    if (!IsStore(*block[i])) continue;
    for (size_t j = i; j + 1 < block.size() && !IsStore(*block[j + 1]) &&
                       MayPass(effects[j + 1], effects[j]);
         ++j) {
      std::swap(block[j], block[j + 1]);
      std::swap(effects[j], effects[j + 1]);
    }
  }
}

}  // namespace

void Schedule(Kernel& kernel) {
  ForEachBlock(kernel.body, [&](Block& block) { Order(kernel, block); });
}

}  // namespace belay::crux::passes
