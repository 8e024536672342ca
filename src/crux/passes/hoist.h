// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_PASSES_HOIST_H_
#define BELAY_CRUX_PASSES_HOIST_H_

// Moves loads and computations that are the same in every turn of a loop in
// front of it, out of loops over cores as well.

#include "crux/ir/tile.h"

namespace belay::crux::passes {

void Hoist(ir::Kernel& kernel);

}  // namespace belay::crux::passes

#endif  // BELAY_CRUX_PASSES_HOIST_H_
