// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_PASSES_NARROW_H_
#define BELAY_CRUX_PASSES_NARROW_H_

// The largest and smallest of f16 numbers that were converted to f32 are found
// in f16: the conversion keeps the order and every number, and instructions
// take twice as many of them.

#include "crux/ir/tile.h"

namespace belay::crux::passes {

void NarrowReductions(ir::Kernel& kernel);

}  // namespace belay::crux::passes

#endif  // BELAY_CRUX_PASSES_NARROW_H_
