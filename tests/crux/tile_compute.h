// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TESTS_CRUX_TILE_COMPUTE_H_
#define BELAY_TESTS_CRUX_TILE_COMPUTE_H_

// One computation of the tile form, by the interpreter's operations.

#include <vector>

#include "crux/interpret/value.h"
#include "crux/ir/tile.h"

namespace belay::testing {

// What the first result must be.
struct TileResult {
  DType dtype = DType::kNone;
  size_t rank = 0;
  Shape shape;  // empty for compress
};

// The results of a kCompute. Bool tiles may be floating tiles of 0 and 1.
std::vector<crux::interpret::TilePtr> ComputeTiles(
    const crux::interpret::Context& context, const crux::ir::Stmt& stmt,
    const std::vector<crux::interpret::TilePtr>& args,
    const TileResult& wanted);

}  // namespace belay::testing

#endif  // BELAY_TESTS_CRUX_TILE_COMPUTE_H_
