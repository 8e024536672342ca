// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TOOLCHAIN_LOWER_LAUNCHES_H_
#define BELAY_TOOLCHAIN_LOWER_LAUNCHES_H_

// Pass: a call of a kernel becomes belay_launch(name, kind, entry, arguments,
// bytes), with the arguments packed on the caller's stack. Every kernel gets
// its entry, `<mangled name>.belay_entry(arguments)`, launched or not, so that
// it can be found by name.

#include <llvm/IR/Module.h>

#include <vector>

#include "toolchain/export_kernels.h"

namespace belay::toolchain {

// The kernels the module defines. Needs ReadAnnotations before.
std::vector<ExportedKernel> LowerLaunches(llvm::Module& module);

}  // namespace belay::toolchain

#endif  // BELAY_TOOLCHAIN_LOWER_LAUNCHES_H_
