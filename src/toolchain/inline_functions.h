// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TOOLCHAIN_INLINE_FUNCTIONS_H_
#define BELAY_TOOLCHAIN_INLINE_FUNCTIONS_H_

// Pass: inlines bottom-up by a rule that costs nothing to evaluate, where LLVM
// would estimate the cost of each call.

#include <llvm/IR/Module.h>
#include <llvm/IR/PassManager.h>

namespace belay::toolchain {

// What to inline.
enum class Inlining {
  kRequired,  // what is marked always_inline
  kUseful,    // also small functions, and those called from one place
};

// Runs `simplify` on each function once calls in it are inlined, so that its
// callers get the simplified body. Functions nobody calls any more are erased.
void InlineFunctions(llvm::Module& module,
                     llvm::FunctionAnalysisManager& analyses,
                     llvm::FunctionPassManager& simplify, Inlining inlining);

}  // namespace belay::toolchain

#endif  // BELAY_TOOLCHAIN_INLINE_FUNCTIONS_H_
