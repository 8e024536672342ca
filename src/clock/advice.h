// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CLOCK_ADVICE_H_
#define BELAY_CLOCK_ADVICE_H_

// What would make a kernel faster, where, and by how much: every rule looks for
// a cause in the figures of a replay, makes the log of a kernel without it and
// replays that.

#include <vector>

#include "base/diagnostic.h"
#include "clock/bound.h"
#include "clock/replay.h"
#include "clock/statistics.h"

namespace belay::clock {

struct Advice {
  Diagnostic diagnostic;  // a note, at the kernel's line
  double saved = 0;       // simulated microseconds
};

// What is known of the launch.
struct Profiled {
  const LaunchLog& log;
  const ClockSpec& spec;
  L2State l2;
  const LaunchTime& time;
  const Statistics& statistics;
  const Bound& bound;
};

// A launch that takes no longer than this times its bound is at its bound.
inline constexpr double kAtBound = 1.10;

// Largest gain first. Nothing for a launch at its bound, and nothing that saves
// less than 2 % of the time. A replay for each rule that
// finds something, of long launches on a part of their passes.
std::vector<Advice> Advise(const Profiled& profiled);

}  // namespace belay::clock

#endif  // BELAY_CLOCK_ADVICE_H_
