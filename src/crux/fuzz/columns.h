// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_FUZZ_COLUMNS_H_
#define BELAY_CRUX_FUZZ_COLUMNS_H_

// Random programs on the columns of [M, N, A] along N, each column written as
// if it were alone: iterations that are neighbours in memory.

#include "crux/fuzz/generate.h"

namespace belay::crux::fuzz {

// The same program for the same seed.
GeneratedProgram GenerateColumns(uint64_t seed);

}  // namespace belay::crux::fuzz

#endif  // BELAY_CRUX_FUZZ_COLUMNS_H_
