// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CLOCK_REPAIRS_H_
#define BELAY_CLOCK_REPAIRS_H_

// Logs of kernels that were not run: what the log of a launch would be if
// single instructions were better ones. Replaying one tells what that gains.
// All take O(records) time and change nothing else.

#include <cstdint>
#include <set>

#include "clock/clock_spec.h"
#include "clock/log.h"

namespace belay::clock {

using Places = std::set<uint64_t>;

// Vector instructions there meet no bank conflicts.
LaunchLog WithoutConflicts(const LaunchLog& log, const Places& places);

// Moves there begin at lines of the L2 cache, and so do their rows.
LaunchLog WithAlignedMoves(const LaunchLog& log, const Places& places);

// Loads there pass the L2 cache by.
LaunchLog WithBypass(const LaunchLog& log, const Places& places);

// Every buffer is a pair: a load or a result no longer waits until the buffer
// of the pass just before is free, but for the one before that.
LaunchLog WithSecondBuffers(const LaunchLog& log);

// Each PipeBarrier<PIPE_ALL> there becomes a flag between the pipes that work
// before and after it, towards the next pass with a second buffer. Barriers
// before scalar reads of on-chip memory stay.
LaunchLog WithoutFullBarriers(const LaunchLog& log, const Places& places);

// Vector instructions there that follow each other with nothing but vector
// work between them become one that repeats more.
LaunchLog WithMergedVectors(const LaunchLog& log, const Places& places,
                            uint32_t most_repeats);

// Reductions of whole repeats there are made by two of blocks; `spec` prices
// those.
LaunchLog WithBlockReductions(const LaunchLog& log, const Places& places,
                              const ClockSpec& spec);

// Loops over elements of on-chip memory there are one vector instruction.
LaunchLog WithVectorLoops(const LaunchLog& log, const Places& places,
                          const ClockSpec& spec);

}  // namespace belay::clock

#endif  // BELAY_CLOCK_REPAIRS_H_
