// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TOOLCHAIN_COUNT_SCALAR_WORK_H_
#define BELAY_TOOLCHAIN_COUNT_SCALAR_WORK_H_

// Pass: kernel code takes the cost of each basic block off belay_budget and
// calls belay_tick at function entries and loop headers once it is negative.

#include <llvm/IR/Module.h>

#include "toolchain/library_calls.h"

namespace belay::toolchain {

// Cost counts instructions the NPU's scalar unit would execute: not what
// Belay's own calls need (their arguments, the records they fill, the checks
// that lead to them), not what costs nothing in machine code. Must run last.
void CountScalarWork(llvm::Module& module, const LibraryCalls& library);

}  // namespace belay::toolchain

#endif  // BELAY_TOOLCHAIN_COUNT_SCALAR_WORK_H_
