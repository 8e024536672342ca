// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_FUZZ_MUTATE_H_
#define BELAY_CRUX_FUZZ_MUTATE_H_

// Breaks programs the way people and models do, and in ways nobody would, on
// the text alone: it knows tokens and lines, not the grammar.

#include <cstdint>
#include <string>
#include <string_view>

namespace belay::crux::fuzz {

// One to three random changes; the same for the same seed. What comes back may
// by luck still be a right program.
std::string Mutate(std::string_view program, uint64_t seed);

}  // namespace belay::crux::fuzz

#endif  // BELAY_CRUX_FUZZ_MUTATE_H_
