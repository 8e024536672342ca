// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_INTERPRET_MATMUL_H_
#define BELAY_CRUX_INTERPRET_MATMUL_H_

// Products of matrices.

#include "crux/interpret/value.h"

namespace belay::crux::interpret {

// f16, bf16 and f32 give f32, accumulated in f32 along K in order, a product
// and its addition rounded together; i8 gives i32. Bounds as for sums. Inner
// sizes that differ are a Fault (BLY-X187).
TilePtr Matmul(const Context& context, const Tile& a, const Tile& b);

}  // namespace belay::crux::interpret

#endif  // BELAY_CRUX_INTERPRET_MATMUL_H_
