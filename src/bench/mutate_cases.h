// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_BENCH_MUTATE_CASES_H_
#define BELAY_BENCH_MUTATE_CASES_H_

// Other shapes and attribute values for the cases of a task.

#include <cstdint>
#include <vector>

#include "bench/task.h"

namespace belay::bench {

// For every group of the task whether its sizes or attributes were changed, in
// `groups`, which starts as a copy of the task's. Each change has been tried:
// reference() runs on all cases of the group up to kMostCaseElements.
std::vector<bool> MutateCases(const Task& task, uint64_t seed,
                              std::vector<CaseGroup>& groups);

}  // namespace belay::bench

#endif  // BELAY_BENCH_MUTATE_CASES_H_
