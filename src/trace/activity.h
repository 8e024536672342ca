// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TRACE_ACTIVITY_H_
#define BELAY_TRACE_ACTIVITY_H_

// How busy a pipe was over time, in bounded memory.

#include <cstdint>
#include <vector>

#include "clock/ticks.h"

namespace belay::trace {

// Busy ticks in equal bins from 0 on. The bins widen as time goes on, so that
// there are never more than kBins.
class Activity {
 public:
  static constexpr size_t kBins = 512;

  // Adds [start, end). Amortised O(bins the interval covers).
  void Add(clock::Ticks start, clock::Ticks end);

  clock::Ticks width() const { return width_; }
  // Up to the last busy one.
  const std::vector<clock::Ticks>& bins() const { return bins_; }

 private:
  void Widen();

  clock::Ticks width_ = clock::kTicksPerCycle;
  std::vector<clock::Ticks> bins_;
};

}  // namespace belay::trace

#endif  // BELAY_TRACE_ACTIVITY_H_
