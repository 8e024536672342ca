// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_INTERPRET_REDUCE_H_
#define BELAY_CRUX_INTERPRET_REDUCE_H_

// Reductions of tiles along axes.
//
// Elements are taken in C order. Sums and products of f16 and bf16 accumulate
// in f32 and are rounded once at the end; f32 is rounded at every step. The
// bound of a sum holds for every order of its n terms: their bounds, and
// n - 1 units of f32 of the sum of their magnitudes.

#include <vector>

#include "crux/interpret/value.h"
#include "crux/operations.h"

namespace belay::crux::interpret {

// sum, max, min, prod, any, all. No axes: all of them. max and min of nothing
// are a Fault (BLY-X187).
TilePtr Reduce(const Context& context, Op op, const Tile& x,
               const std::vector<int>& axes, bool keepdims);

// argmax, argmin along one axis, as i32; no axis: of the flattened tile. Where
// bounds leave the choice open, the bound is the distance to the farthest
// candidate.
TilePtr ReduceIndex(const Context& context, Op op, const Tile& x,
                    const std::vector<int>& axes, bool keepdims);

// (Σ|x|^order)^(1/order), computed in f32; an infinite order gives the largest
// magnitude.
TilePtr Norm(const Context& context, const Tile& x,
             const std::vector<int>& axes, bool keepdims, double order);

// What a reduction does with one more element: add, maximum, ….
Op ReductionStep(Op op);

// What sum, max, min, any, all of nothing is: the neutral element.
void SetNeutral(Op op, Tile& tile);

}  // namespace belay::crux::interpret

#endif  // BELAY_CRUX_INTERPRET_REDUCE_H_
