// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_PASSES_ONE_PIECE_H_
#define BELAY_CRUX_PASSES_ONE_PIECE_H_

// Loops over pieces of an extent that is known to fit in one: the body takes
// the place of the loop, and the piece is all of it.

#include <vector>

#include "crux/ir/tile.h"

namespace belay::crux::passes {

// A copy whose statements are its own.
ir::Kernel CopyOf(const ir::Kernel& kernel);

// The extents of the loops in order over pieces that can be taken as one: from
// 0 to what their tile parameter cuts up. Each once.
std::vector<ir::Int> ExtentsOfPieces(const ir::Kernel& kernel);

// Those of `extent` become their bodies. Right only for calls in which it is at
// least 1.
void TakeAsOnePiece(ir::Kernel& kernel, const ir::Int& extent);

}  // namespace belay::crux::passes

#endif  // BELAY_CRUX_PASSES_ONE_PIECE_H_
