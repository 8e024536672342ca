// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TOOLCHAIN_PLACE_UB_VARIABLES_H_
#define BELAY_TOOLCHAIN_PLACE_UB_VARIABLES_H_

// Pass: local variables declared `__ubuf__ T x[N]` lie in the Unified Buffer,
// not on the stack.

#include <llvm/IR/Module.h>

namespace belay::toolchain {

// Each such variable of kernel code gets a place of its own, from the start of
// the Unified Buffer upwards in blocks of 32 bytes, in the order of functions
// and declarations. Variables that are pointers stay where they are: there the
// word speaks of what they point to. A variable that does not fit traps when it
// is used. Must run before optimisation.
void PlaceUbVariables(llvm::Module& module);

}  // namespace belay::toolchain

#endif  // BELAY_TOOLCHAIN_PLACE_UB_VARIABLES_H_
