// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_FUZZ_GENERATE_H_
#define BELAY_CRUX_FUZZ_GENERATE_H_

// Random right programs: one kernel that keeps every rule of the front end and
// faults on nothing, over all operations of the registry, dtypes, ranks, odd
// sizes, variants, loops, carried values, values across cores, lists, optional
// inputs and scratch, with inputs that fit it.

#include <cstdint>
#include <string>

#include "crux/interpret/interpret.h"

namespace belay::crux::fuzz {

struct GeneratedProgram {
  std::string text;
  std::string kernel;              // its name
  interpret::Arguments arguments;  // a call that fits it
};

// The same program for the same seed.
GeneratedProgram Generate(uint64_t seed);

// As Generate, but `take` clamps its positions and gives single elements, too:
// rows that run at a time gather theirs.
GeneratedProgram GenerateClamped(uint64_t seed);

}  // namespace belay::crux::fuzz

#endif  // BELAY_CRUX_FUZZ_GENERATE_H_
