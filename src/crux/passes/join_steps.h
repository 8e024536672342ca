// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_PASSES_JOIN_STEPS_H_
#define BELAY_CRUX_PASSES_JOIN_STEPS_H_

// Accesses that each take every k-th element along the contiguous dimension of
// a tensor, and all of them together: y[0::2] and y[1::2], or y[:, 0] and
// y[:, 1] of pairs. k loads become one, and slices on chip; k stores become one
// of a tile that has their elements in turns. Both in one block, where nothing
// in between could tell the difference.

#include "crux/ir/tile.h"

namespace belay::crux::passes {

void JoinSteps(ir::Kernel& kernel);

}  // namespace belay::crux::passes

#endif  // BELAY_CRUX_PASSES_JOIN_STEPS_H_
