// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_PASSES_WINDOWS_H_
#define BELAY_CRUX_PASSES_WINDOWS_H_

// Loads with gaps become loads of all between, and a slice on chip; windows
// that move along in a loop are loaded once, in front of it.

#include "crux/ir/tile.h"

namespace belay::crux::passes {

void MergeWindows(ir::Kernel& kernel);

}  // namespace belay::crux::passes

#endif  // BELAY_CRUX_PASSES_WINDOWS_H_
