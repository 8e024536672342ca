// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_INTERPRET_ELEMENTWISE_H_
#define BELAY_CRUX_INTERPRET_ELEMENTWISE_H_

// Elementwise operations on tiles of one dtype, with NumPy's broadcast.
//
// Integers wrap in two's complement;
// `//` and `%` round down; dividing an integer by zero and a negative power of
// an integer are faults (BLY-X188). Bounds of integers move as those of real
// numbers do for + - * and comparisons, and are infinite for the rest.

#include "crux/interpret/real_rules.h"
#include "crux/interpret/value.h"
#include "crux/operations.h"

namespace belay::crux::interpret {

TilePtr Unary(const Context& context, Op op, const Tile& x);
TilePtr Binary(const Context& context, Op op, const Tile& a, const Tile& b);
TilePtr Ternary(const Context& context, Op op, const Tile& a, const Tile& b,
                const Tile& c);

// A rule applied to a floating tile.
TilePtr ApplyUnary(const Context& context, const UnaryRule& rule,
                   const Tile& x);

// == != < <= > >=: a bool tile. An element whose operands' bounds overlap is
// in doubt: its bound is 1.
TilePtr Compare(const Context& context, Op op, const Tile& a, const Tile& b);

// isnan, isinf, isfinite. An element without a finite bound is in doubt.
TilePtr Classify(const Context& context, Op op, const Tile& x);

// Where the condition is in doubt the bound covers both choices.
TilePtr Where(const Context& context, const Tile& condition, const Tile& a,
              const Tile& b);

// `x.to(dtype, round=mode)`. Floating to integer: rounded by `mode`, held to
// the limits, NaN gives 0. Integer to integer: the low bits. To bool: whether
// it differs from zero. In float64 arithmetic a floating value stays as it is.
TilePtr Convert(const Context& context, const Tile& x, DType dtype, Round mode);

// The same bits as another dtype of the same width. A value that carries an
// error gets an infinite bound.
TilePtr Bitcast(const Context& context, const Tile& x, DType dtype);

// The tile repeated to a larger shape.
TilePtr BroadcastTo(const Context& context, const Tile& x, const Shape& shape);

// A floating result with its bound: rounds `value` to the dtype and charges
// `units` units in the last place on top of `spread`. Sets nothing but the
// element.
void SetReal(const Context& context, Tile& tile, size_t i, double value,
             double spread, int units);

}  // namespace belay::crux::interpret

#endif  // BELAY_CRUX_INTERPRET_ELEMENTWISE_H_
