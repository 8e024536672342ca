// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CLOCK_WHAT_IF_H_
#define BELAY_CLOCK_WHAT_IF_H_

// Logs of kernels that were not run: what the log of a launch would be if the
// kernel cut its work in another way. Replaying one tells what that would gain.
// Each function answers nothing when the log does not show how to do it: no
// main loop, blocks that wait for each other, addresses without a pattern.

#include <cstdint>
#include <optional>

#include "clock/log.h"

namespace belay::clock {

// The main loop with passes of `times` the bytes and as many times fewer of
// them. Loads and stores become longer; vector instructions repeat more, or,
// where a pass works on one row (it reduces), come more often.
std::optional<LaunchLog> WithLargerTiles(const LaunchLog& log, uint32_t times);

// The passes of all blocks dealt out evenly to `blocks` blocks, each on a core
// of its own.
std::optional<LaunchLog> WithBlocks(const LaunchLog& log, int blocks);

// Each block begins its passes at another point, so that blocks that read the
// same data do not read the same lines at the same time.
std::optional<LaunchLog> Staggered(const LaunchLog& log);

// Every pass issues the loads of the next one before its own work, so that they
// do not wait until the scalar unit is through with it.
std::optional<LaunchLog> WithEarlierLoads(const LaunchLog& log);

// About 1/`factor` of the passes of every block: for estimates on long
// launches. The same log if there is no main loop.
LaunchLog Shortened(const LaunchLog& log, uint64_t factor);

}  // namespace belay::clock

#endif  // BELAY_CLOCK_WHAT_IF_H_
