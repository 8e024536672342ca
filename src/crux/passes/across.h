// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_PASSES_ACROSS_H_
#define BELAY_CRUX_PASSES_ACROSS_H_

// Values across cores: each core combines its own on chip (or, where parts of a
// value are updated, in workspace of its own), all meet, and every core
// combines the cores' results in their order. Prefixes are worked out in two
// sweeps. Also finds how much of outputs with open sizes was stored.

#include "crux/ir/tile.h"

namespace belay::crux::passes {

void LowerAcross(ir::Kernel& kernel);

}  // namespace belay::crux::passes

#endif  // BELAY_CRUX_PASSES_ACROSS_H_
