// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TESTS_TRACE_SAMPLE_LAUNCH_H_
#define BELAY_TESTS_TRACE_SAMPLE_LAUNCH_H_

// A made-up launch: z = x + y in double-buffered tiles, as a replay would tell
// it to a sink.

#include <string>

#include "clock/replay.h"

namespace belay::trace {

struct SampleLaunch {
  int cores = 2;
  int tiles = 6;  // of each core
  // Loads of a tile start before the one before them ends.
  bool overlap = false;
  std::string source;  // path of the kernel's source; lines 10 to 14 are used

  clock::LaunchLog Log() const;
  // Tells the sink and returns the times.
  clock::LaunchTime Play(clock::TimelineSink& sink) const;
};

// Slices of one core of a sample with so many tiles.
inline uint64_t SampleSlices(int tiles) {
  // Two loads, a sum, a store; the scalar unit issues each.
  return static_cast<uint64_t>(tiles) * 8;
}

}  // namespace belay::trace

#endif  // BELAY_TESTS_TRACE_SAMPLE_LAUNCH_H_
