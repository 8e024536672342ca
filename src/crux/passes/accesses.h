// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_PASSES_ACCESSES_H_
#define BELAY_CRUX_PASSES_ACCESSES_H_

// Loads and stores of a tensor with the loops around them: whether iterations
// touch elements of their own.

#include <cstddef>
#include <vector>

#include "crux/ir/tile.h"

namespace belay::crux::passes {

struct AccessAt {
  const ir::Stmt* stmt = nullptr;  // kLoad, kStore or kAtomicAdd
  const ir::Block* block = nullptr;
  size_t position = 0;                 // in block
  std::vector<const ir::Loop*> loops;  // outermost first
  size_t part = 0;  // of the kernel: a kSyncAll of its body ends one

  bool loads() const { return stmt->kind == ir::StmtKind::kLoad; }
};

// By tensor; in the order of the statements.
std::vector<std::vector<AccessAt>> AccessesOf(const ir::Kernel& kernel);

// Whether no element is touched by two turns of the loops. False where it is
// not plain to see.
bool TouchesOnce(const AccessAt& at);

// Not 0 where few elements are touched by two turns of the loops, a fourth at
// most in every dimension; 1: none. 0 where it is not plain to see.
ir::Int TouchesFewTwice(const AccessAt& at);

// Whether nothing waits for this tensor: every turn stores the elements that it
// has loaded and used, and nobody touches them in another turn.
bool IsUpdatedInPlace(const std::vector<AccessAt>& accesses);

}  // namespace belay::crux::passes

#endif  // BELAY_CRUX_PASSES_ACCESSES_H_
