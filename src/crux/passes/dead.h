// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_PASSES_DEAD_H_
#define BELAY_CRUX_PASSES_DEAD_H_

// Drops statements whose results nobody reads.

#include "crux/ir/tile.h"

namespace belay::crux::passes {

void DropDead(ir::Kernel& kernel);

}  // namespace belay::crux::passes

#endif  // BELAY_CRUX_PASSES_DEAD_H_
