// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_PASSES_FUSE_CONDITIONS_H_
#define BELAY_CRUX_PASSES_FUSE_CONDITIONS_H_

// where(a < b, x, y) compares and chooses in one statement: the bits of the
// comparison serve as they are, without 0 and 1 between.

#include "crux/ir/tile.h"

namespace belay::crux::passes {

void FuseConditions(ir::Kernel& kernel);

}  // namespace belay::crux::passes

#endif  // BELAY_CRUX_PASSES_FUSE_CONDITIONS_H_
