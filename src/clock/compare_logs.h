// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CLOCK_COMPARE_LOGS_H_
#define BELAY_CLOCK_COMPARE_LOGS_H_

// Whether two launches of a kernel took the same course.

#include <cstdint>
#include <optional>
#include <string>

#include "clock/log.h"

namespace belay::clock {

// Where in the module the first block that differs does so: the place of its
// record in `a`, or of the last one both have when `a` ends earlier. Nothing
// when both logs say the same.
std::optional<uint64_t> FirstDifference(const LaunchLog& a, const LaunchLog& b);

struct WorkDifference {
  int block = 0;
  // What each did next: "Sqrt of 64 repeats", "nothing".
  std::string of_some;
  std::string of_all;
};

// Of the blocks of `some`, which are among those of `all`: the first that moves
// or computes otherwise there. Scalar work, waiting and addresses may differ.
std::optional<WorkDifference> FirstOtherWork(const LaunchLog& some,
                                             const LaunchLog& all);

}  // namespace belay::clock

#endif  // BELAY_CLOCK_COMPARE_LOGS_H_
