// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_PASSES_PAST_L2_H_
#define BELAY_CRUX_PASSES_PAST_L2_H_

// Which inputs pass the L2 cache by: those whose elements one load reads once
// each, but for a fourth at most, in runs of a cache line or more, or of whole
// sectors, when all tensors together are larger than the cache. What the kernel
// stores then stays in it for longer. And those that are read in several sweeps
// beside tensors that are read in the same ones and updated in the end, but for
// as much as fits beside these: pieces of them pass by, others are found there
// again.

#include "crux/ir/code.h"
#include "crux/ir/tile.h"

namespace belay::crux::passes {

// Sets code::Global::past_l2, or adds another GlobalTensor for what passes by;
// conditions are new host values and fields.
void PassL2By(ir::Kernel& tiles, code::Kernel& code);

}  // namespace belay::crux::passes

#endif  // BELAY_CRUX_PASSES_PAST_L2_H_
