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

// Which part of a program a module is.
struct ModuleRole {
  std::string source;    // tells the modules of a program apart
  bool is_last = false;  // no other one with host code is linked after it
  // A module for cube cores of the same source can be made and linked.
  bool may_have_cube_module = false;
  bool untrusted = false;  // CompileOptions::untrusted
};

struct LoweredModule {
  bool has_device_code = false;
  bool wants_cube_module = false;  // kernels of it run on cube cores
};

// Before optimisation: launches, device code, calls, scalar semantics. Appends
// what kernel code must not do.
LoweredModule LowerModule(llvm::Module& module, const ModuleRole& role,
                          std::vector<Diagnostic>& diagnostics);

// The same for the second module of a source: its kernel code for cube cores,
// and nothing else.
void LowerCubeModule(llvm::Module& module, const ModuleRole& role,
                     std::vector<Diagnostic>& diagnostics);

// Symbols the module uses but does not define, each with the first place that
// has a line.
std::map<std::string, SourceLocation> FirstUsesOfUndefined(
    const llvm::Module& module);

}  // namespace belay::toolchain

#endif  // BELAY_TOOLCHAIN_LOWER_MODULE_H_
