// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TOOLCHAIN_SEPARATE_DEVICE_CODE_H_
#define BELAY_TOOLCHAIN_SEPARATE_DEVICE_CODE_H_

// Pass: finds everything kernels reach and gives it to them alone. A function
// that host code uses too is copied, so that later passes may change the
// device's copy without touching the host's.

#include <llvm/IR/Module.h>

namespace belay::toolchain {

// Device functions are the kernels, the __aicore__ functions other files may
// call, and all they call or refer to. Copies of functions other files can see
// are named with `suffix` (kDeviceSuffix, kCubeDeviceSuffix); calls of
// __aicore__ functions defined elsewhere go to that name. Needs LowerLaunches
// before. Returns whether there is any device function.
bool SeparateDeviceCode(llvm::Module& module, const char* suffix);

}  // namespace belay::toolchain

#endif  // BELAY_TOOLCHAIN_SEPARATE_DEVICE_CODE_H_
