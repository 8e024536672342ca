// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_PASSES_UNITS_H_
#define BELAY_CRUX_PASSES_UNITS_H_

// Pieces along the contiguous axis of tiles are cut in whole blocks: of 256
// bytes where a piece is all of a tile and shared out over cores, of 32
// otherwise, but for pieces that are rows of another tile. Pieces of rows that
// are worked on many at a time have at most 2048 elements; long rows that could
// be have 1024 where a call has enough of them. They are chosen before how many
// rows a loop over cores takes. Of a tile that is transposed both sides have at
// most 128. Many rows are an even number.

#include "crux/ir/tile.h"

namespace belay::crux::passes {

void ChooseUnits(ir::Kernel& kernel);

}  // namespace belay::crux::passes

#endif  // BELAY_CRUX_PASSES_UNITS_H_
