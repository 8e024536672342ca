// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_FUZZ_DTYPES_H_
#define BELAY_CRUX_FUZZ_DTYPES_H_

// Random programs for several dtypes of all kinds, integers beside floats: what
// is one instruction for one of them takes several for another, so that texts
// of variants differ where they are laid over one another.

#include "crux/fuzz/generate.h"

namespace belay::crux::fuzz {

// The same program for the same seed; calls with other numbers differ in sizes
// and dtypes.
GeneratedProgram GenerateDtypes(uint64_t seed, int call);

}  // namespace belay::crux::fuzz

#endif  // BELAY_CRUX_FUZZ_DTYPES_H_
