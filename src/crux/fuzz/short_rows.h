// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_FUZZ_SHORT_ROWS_H_
#define BELAY_CRUX_FUZZ_SHORT_ROWS_H_

// Random programs that move the elements of many short rows: sorted, the best
// of them, every other one, one at a position of its own, as in a loss; and
// numbers for each row that they meet.

#include "crux/fuzz/generate.h"

namespace belay::crux::fuzz {

// The same program for the same seed.
GeneratedProgram GenerateShortRows(uint64_t seed);

}  // namespace belay::crux::fuzz

#endif  // BELAY_CRUX_FUZZ_SHORT_ROWS_H_
