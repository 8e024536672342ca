// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_PASSES_STAGES_H_
#define BELAY_CRUX_PASSES_STAGES_H_

// Makes loads and stores what queues can carry: a loaded tile is assigned once
// and used in its own block only; a stored tile has the dims of its access and
// is computed once, in the block of its stores, or loaded and stored only. Puts
// copies where a program asks for more. Numbers that a store puts apart from
// each other lie in blocks of their own: [n, 1<=8].

#include "crux/ir/tile.h"

namespace belay::crux::passes {

void DeriveStages(ir::Kernel& kernel);

}  // namespace belay::crux::passes

#endif  // BELAY_CRUX_PASSES_STAGES_H_
