// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_PASSES_FLOAT_COMPARISONS_H_
#define BELAY_CRUX_PASSES_FLOAT_COMPARISONS_H_

// Which of two i32 is larger is asked of them as f32, where one of the two is
// known to be small: positions against a row's number, or a length. The chip
// compares i32 for equality only.
//
// f32 holds all integers up to 2^24, and larger ones are rounded to 2^24 or
// more: neither changes which is larger.

#include "crux/ir/tile.h"

namespace belay::crux::passes {

void CompareAsFloats(ir::Kernel& kernel);

}  // namespace belay::crux::passes

#endif  // BELAY_CRUX_PASSES_FLOAT_COMPARISONS_H_
