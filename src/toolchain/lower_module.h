// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TOOLCHAIN_LOWER_MODULE_H_
#define BELAY_TOOLCHAIN_LOWER_MODULE_H_

// Belay's passes over a module before it is optimised, in their order.

#include <llvm/IR/Module.h>

#include <map>
#include <string>
#include <vector>

#include "base/diagnostic.h"

namespace belay::toolchain {

// Before optimisation: launches, device code, calls, scalar semantics. Appends
// what kernel code must not do. `is_last`: no other module is linked after it.
void LowerModule(llvm::Module& module, bool is_last,
                 std::vector<Diagnostic>& diagnostics);

// Symbols the module uses but does not define, each with the first place that
// has a line.
std::map<std::string, SourceLocation> FirstUsesOfUndefined(
    const llvm::Module& module);

}  // namespace belay::toolchain

#endif  // BELAY_TOOLCHAIN_LOWER_MODULE_H_
