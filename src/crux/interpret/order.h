// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_INTERPRET_ORDER_H_
#define BELAY_CRUX_INTERPRET_ORDER_H_

// Sorting and choosing elements.
//
// NaN is larger than every number; equal elements keep the order of their
// positions. A sorted value moves by at most the largest bound of its line; a
// position is unbounded when the line carries any error.

#include <utility>

#include "crux/interpret/value.h"

namespace belay::crux::interpret {

using TilePair = std::pair<TilePtr, TilePtr>;

TilePtr Sort(const Context& context, const Tile& x, int axis, bool descending);
// Positions as i32.
TilePtr Argsort(const Context& context, const Tile& x, int axis,
                bool descending);

// Values and positions (i32) of the k best, best first. A line shorter than k
// is a Fault (BLY-X193).
TilePair Topk(const Context& context, const Tile& x, int64_t k, int axis,
              bool largest);

// The best of both, as many as `values` holds along the axis; of equal values
// the one with the lower position.
TilePair MergeTopk(const Context& context, const Tile& values,
                   const Tile& positions, const Tile& more,
                   const Tile& more_positions, int axis, bool largest);

// x[indices] along the axis, as np.take. An index outside is a Fault
// (BLY-X191).
TilePtr Take(const Context& context, const Tile& x, const Tile& indices,
             int axis);

// The elements where the mask is true, and how many (i32).
TilePair Compress(const Context& context, const Tile& x, const Tile& mask);

// Even and odd elements along the last axis.
TilePair Deinterleave(const Context& context, const Tile& x);

}  // namespace belay::crux::interpret

#endif  // BELAY_CRUX_INTERPRET_ORDER_H_
