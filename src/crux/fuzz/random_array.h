// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_FUZZ_RANDOM_ARRAY_H_
#define BELAY_CRUX_FUZZ_RANDOM_ARRAY_H_

// Tensors with random elements.

#include "base/npy.h"
#include "crux/fuzz/random.h"

namespace belay::crux::fuzz {

// Mostly small numbers; now and then an array holds infinities, NaN, huge,
// tiny and extreme values too.
Array RandomArray(Random& random, DType dtype, Shape shape);

// Integers from 0 to `below` - 1; `below` is at least 1.
Array RandomIndices(Random& random, DType dtype, Shape shape, int below);

}  // namespace belay::crux::fuzz

#endif  // BELAY_CRUX_FUZZ_RANDOM_ARRAY_H_
