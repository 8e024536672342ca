// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TESTS_CRUX_FUZZ_CASE_H_
#define BELAY_TESTS_CRUX_FUZZ_CASE_H_

// One fuzzed program, right or broken, and what must hold of it. A seed is the
// whole case: the message of a failure names it.

#include <cstdint>
#include <map>
#include <string>

#include "crux/operations.h"

namespace belay::testing {

// What the cases of a test showed, to be printed at its end.
struct FuzzTally {
  int programs = 0;
  int still_right = 0;                 // broken ones that are not
  std::map<crux::Op, int> operations;  // of right programs, by the typed tree
  std::map<std::string, int> codes;    // first message of broken ones
};

// BELAY_SEED, or a fixed one; printed once.
uint64_t FirstSeed();

// A generated program checks clean, means the same after formatting, and runs
// without a fault; exact and float64 results differ by no more than the bounds
// that the exact run carried.
void ExpectRight(uint64_t seed, FuzzTally& tally);

// Adds the operations of a generated program that checks clean.
void CountOperations(uint64_t seed, FuzzTally& tally);

// A broken program is either still right, and then runs to an end or to a
// diagnostic, or gets at least one error with a code and a line of the text.
void ExpectToldOrRight(uint64_t seed, FuzzTally& tally);

}  // namespace belay::testing

#endif  // BELAY_TESTS_CRUX_FUZZ_CASE_H_
