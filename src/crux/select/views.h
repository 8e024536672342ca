// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_SELECT_VIEWS_H_
#define BELAY_CRUX_SELECT_VIEWS_H_

// Slices that need no move: rows of a tile that follow each other.

#include <optional>

#include "crux/ir/tile.h"
#include "crux/select/occurrences.h"

namespace belay::crux::select {

// The element of the source that a slice begins with when it takes whole rows
// that follow each other: they lie there as in a tile of their own, and begin
// with a block of 32 bytes. Nothing where it does not.
std::optional<ir::Int> FirstOfRows(const ir::Kernel& kernel,
                                   const ir::Stmt& slice);

// Whether the slice's result may be the source's memory from there on: neither
// changes, and it is only read by instructions that take as many elements as it
// has. Others read up to a whole repeat.
bool MayBeView(const ir::Kernel& kernel, const Occurrences& at,
               const ir::Stmt& slice);

}  // namespace belay::crux::select

#endif  // BELAY_CRUX_SELECT_VIEWS_H_
