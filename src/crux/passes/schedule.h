// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_PASSES_SCHEDULE_H_
#define BELAY_CRUX_PASSES_SCHEDULE_H_

// Orders each block so that it copies in, computes and copies out: loads move
// to its front and stores to its end, as far as what they depend on allows.

#include "crux/ir/tile.h"

namespace belay::crux::passes {

void Schedule(ir::Kernel& kernel);

}  // namespace belay::crux::passes

#endif  // BELAY_CRUX_PASSES_SCHEDULE_H_
