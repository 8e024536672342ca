// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_IR_UNUSED_H_
#define BELAY_CRUX_IR_UNUSED_H_

// Removes what nothing uses.

#include "crux/ir/tile.h"

namespace belay::crux::ir {

// What only computes tiles and integers that nothing uses, empty loops and
// conditions.
void RemoveUnusedStatements(Kernel& kernel);

// These, tile parameters without a loop, and host values that nothing uses.
void RemoveUnused(Kernel& kernel);

}  // namespace belay::crux::ir

#endif  // BELAY_CRUX_IR_UNUSED_H_
