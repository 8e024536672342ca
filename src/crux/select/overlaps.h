// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_SELECT_OVERLAPS_H_
#define BELAY_CRUX_SELECT_OVERLAPS_H_

// Loads of pieces with some neighbours: the last rows of a piece are the first
// ones of the next, and stay on chip from turn to turn.

#include <optional>

#include "crux/ir/tile.h"
#include "crux/select/layout.h"

namespace belay::crux::select {

struct Overlap {
  ir::Int rows;   // that two turns have in common; may be 0
  ir::Int next;   // the first one that the next turn has, too
  ir::Int pitch;  // elements from row to row
};

// Of a load in the loop's body, if the loop waits for its loads; nothing: there
// are none, or they are not worth it.
std::optional<Overlap> OverlapOf(const ir::Kernel& kernel,
                                 const Layouts& layouts, const ir::Loop& loop,
                                 const ir::Stmt& load);

}  // namespace belay::crux::select

#endif  // BELAY_CRUX_SELECT_OVERLAPS_H_
