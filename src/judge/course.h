// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_JUDGE_COURSE_H_
#define BELAY_JUDGE_COURSE_H_

// Whether blocks do the same in two launches: with values, and for time only.

#include <optional>
#include <string>

#include "clock/log.h"

namespace belay::judge {

struct CourseDifference {
  int block = 0;
  // What each did next: "Sqrt of 64 repeats", "nothing".
  std::string with_values;
  std::string timed;
};

// Of the blocks of `with_values`, which are some of those of `timed`: the first
// that moves or computes otherwise. Scalar work, waiting and addresses may
// differ.
std::optional<CourseDifference> DifferenceOfCourse(
    const clock::LaunchLog& with_values, const clock::LaunchLog& timed);

}  // namespace belay::judge

#endif  // BELAY_JUDGE_COURSE_H_
