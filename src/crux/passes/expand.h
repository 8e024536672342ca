// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_PASSES_EXPAND_H_
#define BELAY_CRUX_PASSES_EXPAND_H_

// Functions made of several operations become those operations. Their errors
// stay within what docs/crux.md charges for them.

#include "crux/ir/tile.h"

namespace belay::crux::passes {

void Expand(ir::Kernel& kernel);

}  // namespace belay::crux::passes

#endif  // BELAY_CRUX_PASSES_EXPAND_H_
