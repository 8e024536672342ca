// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TOOLCHAIN_LOWER_DEVICE_CALLS_H_
#define BELAY_TOOLCHAIN_LOWER_DEVICE_CALLS_H_

// Pass: the few library functions kernels may call become calls of Belay's
// runtime; every other call that leaves the module is an error, because the
// NPU has no such function.

#include <llvm/IR/Module.h>

#include <vector>

#include "base/diagnostic.h"

namespace belay::toolchain {

// Appends one diagnostic per forbidden call (C102) or piece of inline assembly
// (C104). Needs SeparateDeviceCode before, and must run before optimisation.
void LowerDeviceCalls(llvm::Module& module,
                      std::vector<Diagnostic>& diagnostics);

}  // namespace belay::toolchain

#endif  // BELAY_TOOLCHAIN_LOWER_DEVICE_CALLS_H_
