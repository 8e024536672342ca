// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_PASSES_FUSE_MULTIPLY_ADD_H_
#define BELAY_CRUX_PASSES_FUSE_MULTIPLY_ADD_H_

// A product in f32 that is only added to something becomes one statement with
// the sum where one instruction can do both: in place of a factor that nobody
// else reads, with a tile or a number added; or, with a number as factor, in
// place of the tile it is added to. The product is rounded as before: no bit
// changes.

#include "crux/ir/tile.h"

namespace belay::crux::passes {

void FuseMultiplyAdd(ir::Kernel& kernel);

}  // namespace belay::crux::passes

#endif  // BELAY_CRUX_PASSES_FUSE_MULTIPLY_ADD_H_
