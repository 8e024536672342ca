// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TOOLCHAIN_OPTIMIZE_H_
#define BELAY_TOOLCHAIN_OPTIMIZE_H_

// Optimises a module as far as exact source lines and a fast compile allow.

#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>

namespace belay::toolchain {

// Level 0 only inlines what must be inlined.
void Optimize(llvm::Module& module, llvm::TargetMachine& machine, int level);

}  // namespace belay::toolchain

#endif  // BELAY_TOOLCHAIN_OPTIMIZE_H_
