// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_PASSES_MEETINGS_H_
#define BELAY_CRUX_PASSES_MEETINGS_H_

// Meetings of all cores that an earlier one makes needless: nothing that was
// touched since then is touched behind them, one of the two by a store.

#include "crux/ir/tile.h"

namespace belay::crux::passes {

// Looks at the kernel's own statements and their branches; meetings inside of
// loops stay.
void DropMeetings(ir::Kernel& kernel);

}  // namespace belay::crux::passes

#endif  // BELAY_CRUX_PASSES_MEETINGS_H_
