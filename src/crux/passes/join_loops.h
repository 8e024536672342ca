// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_PASSES_JOIN_LOOPS_H_
#define BELAY_CRUX_PASSES_JOIN_LOOPS_H_

// A loop over cores that holds nothing but another one becomes one loop over
// all turns of both, where tensors are only ever indexed by the two together:
// `x[r, g, :]` of [M, G, K] is row r * G + g of [M * G, K]. So rows of several
// turns of the outer loop may run at a time.

#include "crux/ir/tile.h"

namespace belay::crux::passes {

void JoinLoops(ir::Kernel& kernel);

}  // namespace belay::crux::passes

#endif  // BELAY_CRUX_PASSES_JOIN_LOOPS_H_
