// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_PASSES_NAME_SIZES_H_
#define BELAY_CRUX_PASSES_NAME_SIZES_H_

// What the device would work out from the tiling data alone becomes a field of
// it: padded rows, numbers of items. Roundings that change nothing are dropped.

#include "crux/ir/code.h"
#include "crux/ir/tile.h"

namespace belay::crux::passes {

// `code` is made of `tiles`, which gets the new host values.
void NameSizes(ir::Kernel& tiles, code::Kernel& code);

}  // namespace belay::crux::passes

#endif  // BELAY_CRUX_PASSES_NAME_SIZES_H_
