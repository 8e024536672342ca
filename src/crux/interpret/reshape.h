// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_INTERPRET_RESHAPE_H_
#define BELAY_CRUX_INTERPRET_RESHAPE_H_

// Operations that move elements and compute nothing.

#include <vector>

#include "crux/interpret/tensor.h"
#include "crux/interpret/value.h"

namespace belay::crux::interpret {

// A shape whose one -1, if any, is worked out for `elements`. Throws Fault
// (BLY-X193) when it cannot hold exactly that many.
Shape CompletedShape(const Shape& asked, int64_t elements);

TilePtr Reshape(const Context& context, const Tile& x, const Shape& asked);

// Axis d of the result is axis order[d] of the tile.
TilePtr Transpose(const Context& context, const Tile& x,
                  const std::vector<int>& order);

// Shapes may differ along `axis` only; else a Fault (BLY-X187).
TilePtr Concat(const Context& context, const std::vector<TilePtr>& tiles,
               int axis);

// The last element along the axis. None is a Fault (BLY-X191).
TilePtr Last(const Context& context, const Tile& x, int axis);

// One selection for each dimension. A position outside is a Fault (BLY-X191).
TilePtr Select(const Context& context, const Tile& x,
               const std::vector<Selection>& selections);

// The elements of a tile that selections choose, in C order.
std::vector<size_t> SelectedElements(const Context& context, const Shape& shape,
                                     const std::vector<Selection>& selections);

}  // namespace belay::crux::interpret

#endif  // BELAY_CRUX_INTERPRET_RESHAPE_H_
