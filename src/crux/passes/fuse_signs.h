// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_PASSES_FUSE_SIGNS_H_
#define BELAY_CRUX_PASSES_FUSE_SIGNS_H_

// -abs(x) of floating-point numbers is one statement: the sign bit is set.

#include "crux/ir/tile.h"

namespace belay::crux::passes {

void FuseSigns(ir::Kernel& kernel);

}  // namespace belay::crux::passes

#endif  // BELAY_CRUX_PASSES_FUSE_SIGNS_H_
