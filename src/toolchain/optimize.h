// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TOOLCHAIN_OPTIMIZE_H_
#define BELAY_TOOLCHAIN_OPTIMIZE_H_

// Optimises a module as far as exact source lines and a fast compile allow:
// nothing here merges or moves accesses to memory, forms vectors or invents
// calls.

#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>

namespace belay::toolchain {

// Inlines, and turns local variables into values. What is left of memory
// accesses in kernel code is to be guarded then. Level 0 only inlines what
// must be inlined.
void InlineFunctions(llvm::Module& module, llvm::TargetMachine& machine,
                     int level);

// Simplifies expressions, control flow and loops. Level 0 does nothing.
void Simplify(llvm::Module& module, llvm::TargetMachine& machine, int level);

}  // namespace belay::toolchain

#endif  // BELAY_TOOLCHAIN_OPTIMIZE_H_
