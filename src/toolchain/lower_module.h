// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TOOLCHAIN_LOWER_MODULE_H_
#define BELAY_TOOLCHAIN_LOWER_MODULE_H_

// The order of Belay's passes over a module.

#include <llvm/IR/Module.h>

#include <map>
#include <string>
#include <vector>

#include "base/diagnostic.h"

namespace belay::toolchain {

// Before optimisation: launches, device code, calls, scalar semantics. Appends
// what kernel code must not do.
void LowerModule(llvm::Module& module, std::vector<Diagnostic>& diagnostics);

// After optimisation: counters and guards.
void InstrumentModule(llvm::Module& module);

// Symbols the module uses but does not define, each with the first place that
// has a line.
std::map<std::string, SourceLocation> FirstUsesOfUndefined(
    const llvm::Module& module);

}  // namespace belay::toolchain

#endif  // BELAY_TOOLCHAIN_LOWER_MODULE_H_
