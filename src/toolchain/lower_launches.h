// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TOOLCHAIN_LOWER_LAUNCHES_H_
#define BELAY_TOOLCHAIN_LOWER_LAUNCHES_H_

// Pass: a call of a kernel becomes belay_launch(record, arguments, bytes), with
// the arguments packed on the caller's stack. Every kernel gets its entry,
// `<mangled name>.belay_entry(arguments)`, and its record, launched or not, so
// that it can be found by name.

#include <llvm/IR/Module.h>

#include <string>

namespace belay::toolchain {

// In a module for vector cores. `source` tells the modules of a program apart.
// `has_cube_module`: kernels that run on cube cores find their other entry in
// the module that MakeCubeEntries made of the same source. Returns whether
// there are such kernels. Needs ReadTaskTypes before.
bool LowerLaunches(llvm::Module& module, const std::string& source,
                   bool has_cube_module);

// In a module for cube cores: gives the kernels their entry and makes them the
// module's own. Launches stay: host code is to be dropped.
void MakeCubeEntries(llvm::Module& module, const std::string& source);

}  // namespace belay::toolchain

#endif  // BELAY_TOOLCHAIN_LOWER_LAUNCHES_H_
