// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_PASSES_LANES_H_
#define BELAY_CRUX_PASSES_LANES_H_

// Rows on lanes: where rows are short, their elements lie one behind the other
// and the rows side by side. Many rows come in as one dense piece and are
// turned on chip; reductions of a row become operations between vectors, what
// a row has one of broadcasts for nothing, and results are turned back.
//
// A variant of its own, for calls whose rows have 1 to kShortRow elements.
//
// Columns on lanes: where iterations are neighbours in memory, `x[:, c]`, they
// lie side by side as they come in, and nothing is turned. A variant of its own
// as well: of long columns one may fit on chip where eight do not.

#include <optional>
#include <vector>

#include "crux/ir/tile.h"

namespace belay::crux::passes {

// Of longer rows a tile holds too few.
inline constexpr int64_t kShortRow = 64;
// Rows come in multiples of so many: what turning takes.
inline constexpr int64_t kRowsTurned = 256;

// Fewer in a turn of the loops around them are left as they are.
inline constexpr int64_t kEnoughRows = 64;

// Rows that could lie on lanes.
struct ShortRows {
  ir::Int length;
  // How many there are in each turn of the loops around theirs, of loops that
  // stand in others.
  std::vector<ir::Int> counts;
};

// Nothing: there are none. `kernel` is as lowered.
std::optional<ShortRows> RowsForLanes(const ir::Kernel& kernel);

// Whether there are columns to lie on lanes. `kernel` is as lowered.
bool HasColumnsForLanes(const ir::Kernel& kernel);

// After batching, of kernels with rows_on_lanes or columns_on_lanes.
void PutOnLanes(ir::Kernel& kernel);

}  // namespace belay::crux::passes

#endif  // BELAY_CRUX_PASSES_LANES_H_
