// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_BENCH_DUPLICATES_H_
#define BELAY_BENCH_DUPLICATES_H_

// Tasks that compute the same must not be judged on the same cases: a kernel
// for one would be a ready answer to the other.

#include <vector>

#include "bench/lint.h"

namespace belay::bench {

// Adds a finding to the later of two tasks whose reference() is the same text,
// but for names, spaces and comments, and that share a real case: the same
// input shapes, dtypes, attributes and regime. Edge cases may coincide, every
// operator has an empty tensor and a tensor of one element.
void AddDuplicates(const std::vector<const Task*>& tasks,
                   std::vector<LintReport>& reports);

}  // namespace belay::bench

#endif  // BELAY_BENCH_DUPLICATES_H_
