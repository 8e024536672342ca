// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TOOLCHAIN_CONFINE_KERNELS_H_
#define BELAY_TOOLCHAIN_CONFINE_KERNELS_H_

// Passes over modules of CompileOptions::untrusted: what is left of them can
// call itself and the runtime, and touch memory as GuardScalarMemory lets it.

#include <llvm/IR/Module.h>

#include <vector>

#include "base/diagnostic.h"

namespace belay::toolchain {

// Before everything else: assembly of the file, indirect functions and symbols
// with a section of their own are errors (C108); aliases become what they stand
// for; static initialisers go.
void RefuseEscapes(llvm::Module& module, std::vector<Diagnostic>& diagnostics);

// After SeparateDeviceCode: functions that are no kernel code, and no entry of
// a kernel, lose their bodies.
void KeepKernelsOnly(llvm::Module& module);

// After inlining: a call through a pointer goes to a function of the module
// whose address is taken and whose type fits, or ends the block.
void CheckIndirectCalls(llvm::Module& module);

// At the end: every call goes to the module, to the runtime, or to an
// intrinsic that is known to touch no memory but through arguments that are
// guarded; no other jump leaves a function. Errors (C108) otherwise.
void RequireConfined(llvm::Module& module,
                     std::vector<Diagnostic>& diagnostics);

// After that: variables whose address is taken lie on a stack of their own
// (LLVM's SafeStack), where no pointer leads to return addresses; every frame
// touches each of its variables first, so that none skips the guard below the
// stack. The module says so by a symbol (runtime/fiber.h).
void SeparateVariables(llvm::Module& module);

}  // namespace belay::toolchain

#endif  // BELAY_TOOLCHAIN_CONFINE_KERNELS_H_
