// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TOOLCHAIN_READ_ANNOTATIONS_H_
#define BELAY_TOOLCHAIN_READ_ANNOTATIONS_H_

// Pass: turns the annotations Clang left in the module into attributes of the
// functions they name, and removes them.

#include <llvm/IR/Module.h>

namespace belay::toolchain {

void ReadAnnotations(llvm::Module& module);

}  // namespace belay::toolchain

#endif  // BELAY_TOOLCHAIN_READ_ANNOTATIONS_H_
