// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_INTERPRET_ARRAYS_H_
#define BELAY_CRUX_INTERPRET_ARRAYS_H_

// Between arrays of bytes and tiles.

#include <memory>

#include "base/npy.h"
#include "crux/interpret/value.h"

namespace belay::crux::interpret {

// The elements, exact in both arithmetics. Throws InternalError when the bytes
// do not fit the shape.
std::shared_ptr<Tile> TileOfArray(const Context& context, const Array& array);

// Floating elements as f64 in float64 arithmetic, else as their dtype.
Array ArrayOf(const Context& context, const Tile& tile);

// The error bounds as f64.
Array BoundsOf(const Tile& tile);

}  // namespace belay::crux::interpret

#endif  // BELAY_CRUX_INTERPRET_ARRAYS_H_
