// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_SELECT_BURSTS_H_
#define BELAY_CRUX_SELECT_BURSTS_H_

// How a copy between global and on-chip memory is cut into bursts: one for each
// row. Rows that leave no gaps in either memory are one burst: the chip cuts a
// burst into requests of 512 bytes only where it starts at a multiple of 256.

#include <cstdint>
#include <functional>
#include <optional>

#include "crux/select/emitter.h"

namespace belay::crux::select {

// One copy of `rows` runs of `length` elements. Distances between starts of
// runs are in elements.
struct Runs {
  Int rows = 1;
  Int length;
  Int global_distance = 0;
  Int local_distance = 0;
  // Of rows that follow each other in global memory: elements between them on
  // chip. 0: all of them are one burst.
  std::optional<Int> gap = std::nullopt;
  // Of rows cut into pieces, of which a row may have one only. 0: all of these
  // rows are one burst.
  std::optional<Int> apart = std::nullopt;
};

// A host value for Runs::gap of rows that are moved `capacity` at a time. At
// least 1 for an odd number of them: no larger a share of tiles than of rows
// would start at such a multiple, and the others would hold these up.
Int GapToJoin(Emitter& emitter, const Runs& runs, const Int& capacity);

// A host value for Runs::apart of pieces of rows of `whole` elements that follow
// each other in global memory, where no piece has more than `most`.
Int ApartUnlessWhole(Emitter& emitter, const Runs& runs, const Int& whole,
                     const Int& most);

// DataCopyExtParams of the copy, from or to global memory. On chip a run lies
// `before` elements behind a block's begin.
code::Struct CopyParams(const Runs& runs, int64_t bytes, bool loads,
                        const Int& before = 0);

// Calls `copy` with as many runs at a time as an instruction takes. There are
// never more than `capacity`.
void ByMostBlocks(
    Emitter& emitter, const Runs& runs, const Int& capacity,
    const std::function<void(const Runs&, const Int& first)>& copy);

}  // namespace belay::crux::select

#endif  // BELAY_CRUX_SELECT_BURSTS_H_
