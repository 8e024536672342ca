// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TESTS_CRUX_TILE_COMPARE_H_
#define BELAY_TESTS_CRUX_TILE_COMPARE_H_

// An output of the tile form against the interpreter's.

#include <string>

#include "crux/interpret/interpret.h"
#include "crux/interpret/value.h"

namespace belay::testing {

// The elements of `tile`, an array of shape `whole`, that are further from
// `real` (float64 arithmetic) than the bounds of `exact` allow; "" if none is.
std::string Compared(const crux::interpret::OutputTensor& real,
                     const crux::interpret::OutputTensor& exact,
                     const crux::interpret::Tile& tile, const Shape& whole);

}  // namespace belay::testing

#endif  // BELAY_TESTS_CRUX_TILE_COMPARE_H_
