// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_INTERPRET_SCAN_H_
#define BELAY_CRUX_INTERPRET_SCAN_H_

// Running sums, products and maxima along one axis.

#include "crux/interpret/value.h"
#include "crux/operations.h"

namespace belay::crux::interpret {

// cumsum, cumprod, cummax. f16 and bf16 accumulate in f32, each result rounded
// once. `exclusive` leaves the element itself out and begins with 0, 1 or the
// lowest value; `reverse` runs from the end.
TilePtr Scan(const Context& context, Op op, const Tile& x, int axis,
             bool reverse, bool exclusive);

}  // namespace belay::crux::interpret

#endif  // BELAY_CRUX_INTERPRET_SCAN_H_
