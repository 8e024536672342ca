// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_PASSES_JOIN_TURNS_H_
#define BELAY_CRUX_PASSES_JOIN_TURNS_H_

// Columns put side by side and read in rows, concat((a[:, None], b[:, None]),
// axis=1) as one axis, or one column that is broadcast so: the elements of
// tiles in turns, which is one statement.

#include "crux/ir/tile.h"

namespace belay::crux::passes {

void JoinTurns(ir::Kernel& kernel);

}  // namespace belay::crux::passes

#endif  // BELAY_CRUX_PASSES_JOIN_TURNS_H_
