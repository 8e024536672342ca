// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_PASSES_LEGALISE_H_
#define BELAY_CRUX_PASSES_LEGALISE_H_

// Dtypes that the vector unit computes in.

#include "crux/ir/tile.h"

namespace belay::crux::passes {

// Operations of bf16, and those of f16 that the unit does not round as Crux
// does: operands to f32, the operation there, one rounding back. Sums,
// products and norms of both accumulate in f32 that way.
void LegaliseFloats(ir::Kernel& kernel);

// Bool tiles become f16 tiles of 0 and 1. Memory keeps bytes: loads and stores
// go through a u8 tile.
void LegaliseBools(ir::Kernel& kernel);

// Elements of 8 bits that are taken from, or put to, other places on chip
// (slices, transposes, elements in turns) go there as f16, which holds them:
// the unit gathers nothing smaller.
void LegaliseBytes(ir::Kernel& kernel);

}  // namespace belay::crux::passes

#endif  // BELAY_CRUX_PASSES_LEGALISE_H_
