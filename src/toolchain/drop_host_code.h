// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TOOLCHAIN_DROP_HOST_CODE_H_
#define BELAY_TOOLCHAIN_DROP_HOST_CODE_H_

// Pass: leaves a module for cube cores what its kernels need. Host code and its
// variables are in the module for vector cores, which is linked with it.

#include <llvm/IR/Module.h>

namespace belay::toolchain {

// Variables that can change become references to the other module's, unless
// they are the source's own: cores of the two types do not share those. Needs
// SeparateDeviceCode before.
void DropHostCode(llvm::Module& module);

// Erases what nothing in the module refers to and no other module sees.
void RemoveUnused(llvm::Module& module);

}  // namespace belay::toolchain

#endif  // BELAY_TOOLCHAIN_DROP_HOST_CODE_H_
