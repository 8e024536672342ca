// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TOOLCHAIN_GUARD_SCALAR_MEMORY_H_
#define BELAY_TOOLCHAIN_GUARD_SCALAR_MEMORY_H_

// Pass: kernel code reads and writes memory through belay_read and
// belay_write, but for what provably lies in the function's own frame or in a
// constant of the module.

#include <llvm/IR/Module.h>

namespace belay::toolchain {

// Where only the index into a local array or a constant table is unknown, the
// runtime is asked when it is out of bounds. Must run after inlining.
void GuardScalarMemory(llvm::Module& module);

}  // namespace belay::toolchain

#endif  // BELAY_TOOLCHAIN_GUARD_SCALAR_MEMORY_H_
