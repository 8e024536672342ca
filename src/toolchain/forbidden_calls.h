// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TOOLCHAIN_FORBIDDEN_CALLS_H_
#define BELAY_TOOLCHAIN_FORBIDDEN_CALLS_H_

// Which functions do not exist on the NPU, and what to use instead.

#include <llvm/IR/Function.h>
#include <llvm/IR/InstrTypes.h>

#include <string>
#include <vector>

#include "base/diagnostic.h"

namespace belay::toolchain {

// For a function or intrinsic without a body in the module.
bool IsForbidden(const llvm::Function& callee);

// C102 at the place of the call; when that is inside a header of the C or C++
// library, at the calls in the user's files that lead there.
std::vector<Diagnostic> ForbiddenCall(const llvm::CallBase& call,
                                      const llvm::Function& callee);

// What to do instead of calling the function of the C library of this name.
std::string WayAround(llvm::StringRef name);

}  // namespace belay::toolchain

#endif  // BELAY_TOOLCHAIN_FORBIDDEN_CALLS_H_
