// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_FUZZ_VARIANTS_H_
#define BELAY_CRUX_FUZZ_VARIANTS_H_

// Random programs with many variants: several choices of dtypes, tensors that
// may be missing, and conditions on sizes and attributes within one another, so
// that some variants ask what others do not.

#include "crux/fuzz/generate.h"

namespace belay::crux::fuzz {

// The same program for the same seed; calls with other numbers differ in sizes,
// dtypes, attributes and in the tensors they give. Some programs have more
// variants than the compiler takes.
GeneratedProgram GenerateVariants(uint64_t seed, int call);

}  // namespace belay::crux::fuzz

#endif  // BELAY_CRUX_FUZZ_VARIANTS_H_
