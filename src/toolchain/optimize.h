// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TOOLCHAIN_OPTIMIZE_H_
#define BELAY_TOOLCHAIN_OPTIMIZE_H_

// Optimises a module as far as exact source lines and a fast compile allow:
// nothing here merges or moves accesses to memory, forms vectors or invents
// calls.

#include <llvm/IR/Module.h>
#include <llvm/IR/PassManager.h>
#include <llvm/Target/TargetMachine.h>

namespace belay::toolchain {

class Optimizer {
 public:
  // Level 0 inlines what must be inlined and does nothing else.
  Optimizer(llvm::Module& module, llvm::TargetMachine& machine, int level);
  ~Optimizer();

  // Inlines, and turns local variables into values. What is left of memory
  // accesses in kernel code is to be guarded then.
  void Inline();

  // Simplifies expressions, control flow and loops.
  void Simplify();

 private:
  struct Analyses;

  llvm::Module& module_;
  int level_;
  std::unique_ptr<Analyses> analyses_;
};

}  // namespace belay::toolchain

#endif  // BELAY_TOOLCHAIN_OPTIMIZE_H_
