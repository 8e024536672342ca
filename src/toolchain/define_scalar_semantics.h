// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TOOLCHAIN_DEFINE_SCALAR_SEMANTICS_H_
#define BELAY_TOOLCHAIN_DEFINE_SCALAR_SEMANTICS_H_

// Pass: gives kernel code a result where C++ leaves one undefined, so that the
// optimiser cannot invent one and the host's processor cannot trap.

#include <llvm/IR/Module.h>

namespace belay::toolchain {

// Integer division by zero calls belay_divide_by_zero, then x / 0 is 0 and
// x % 0 is x: the chip goes on as well, with a result no document names, and
// this choice of ours keeps x == x / y * y + x % y. The least integer divided
// by -1 wraps; conversions from floating point saturate, NaN gives 0; shift
// amounts are taken modulo the width; a place control must not reach calls
// belay_unreachable. Must run before optimisation.
void DefineScalarSemantics(llvm::Module& module);

}  // namespace belay::toolchain

#endif  // BELAY_TOOLCHAIN_DEFINE_SCALAR_SEMANTICS_H_
