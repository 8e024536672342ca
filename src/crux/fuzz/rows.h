// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_FUZZ_ROWS_H_
#define BELAY_CRUX_FUZZ_ROWS_H_

// Random programs on many rows, short and long: what Generate, whose tensors
// are small, never meets. Rows on lanes, batched, in eights, in pieces, shared
// out to all cores; groups of them; columns.

#include "crux/fuzz/generate.h"

namespace belay::crux::fuzz {

// The same program for the same seed.
GeneratedProgram GenerateRows(uint64_t seed);

}  // namespace belay::crux::fuzz

#endif  // BELAY_CRUX_FUZZ_ROWS_H_
