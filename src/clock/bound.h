// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CLOCK_BOUND_H_
#define BELAY_CLOCK_BOUND_H_

// The time below which no arrangement of a launch's work can come on its chip:
// a floor under simulated and measured times alike.

#include <cstdint>
#include <string_view>

#include "clock/clock_spec.h"
#include "clock/log.h"
#include "clock/replay.h"

namespace belay::clock {

// All times in microseconds.
struct Bound {
  double launch = 0;     // of the smallest launch
  double hbm_read = 0;   // compulsory reads at the best read rate
  double hbm_mixed = 0;  // with the writes that cannot stay in the L2 cache
  double l2_write = 0;   // writes into the L2 cache
  double vector = 0;     // all vector cores, no start cost, no conflicts
  double cube = 0;
  double total = 0;  // launch and the largest of the others

  uint64_t compulsory_read = 0;  // bytes that have to come from HBM
  uint64_t written = 0;          // distinct bytes

  // Which term binds, in words: "HBM reads".
  std::string_view binding() const;
};

// Work without an arrangement: what has to cross HBM and what the units have to
// do, all cores together.
struct Work {
  uint64_t compulsory_read = 0;  // bytes
  uint64_t written = 0;          // bytes, each counted once
  double vector_cycles = 0;
  double cube_steps = 0;
};

// The least time the chip needs for it.
Bound BoundOf(const Work& work, const ClockSpec& spec);

// A read is compulsory where nobody wrote the sector (128 bytes) before in this
// launch, once for each sector. With a warm L2 cache, as much as it holds is
// there already. Time O(moves and their rows), memory one bit per sector
// touched.
Bound HardwareBound(const LaunchLog& log, const ClockSpec& spec, L2State l2);

}  // namespace belay::clock

#endif  // BELAY_CLOCK_BOUND_H_
