// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_JUDGE_TASK_NEEDS_H_
#define BELAY_JUDGE_TASK_NEEDS_H_

// What every kernel of a task has to read and write, found by experiment.

#include "bench/reference_runner.h"
#include "judge/performance.h"

namespace belay::judge {

// An input is needed where reference(), on a small case with the attributes and
// absent inputs of this one, notices a change of every single element that was
// tried: twelve of each input, each by several values (NaN among them). So
// tables that are looked up, the parts a slice leaves out and the side a
// condition does not choose count as nothing.
// Outputs are needed; those in place where at least 63 of 64 elements change.
// Where no small case can be had, no input is needed.
TaskNeeds ProbeNeeds(const bench::Task& task, const bench::Case& one_case,
                     bench::ReferenceRunner& runner);

}  // namespace belay::judge

#endif  // BELAY_JUDGE_TASK_NEEDS_H_
