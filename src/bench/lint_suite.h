// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_BENCH_LINT_SUITE_H_
#define BELAY_BENCH_LINT_SUITE_H_

// Lint over many tasks, in worker processes: a reference that crashes or never
// ends costs its own task a finding and nothing else.

#include <functional>
#include <vector>

#include "bench/lint.h"

namespace belay::bench {

struct LintOptions {
  int jobs = 2;          // worker processes
  double seconds = 120;  // for one task; then its worker is killed
  // Called in the order tasks end, with how many have ended.
  std::function<void(const LintReport&, size_t done)> progress;
};

// Reports in the order of `tasks`. The calling process must have one thread.
std::vector<LintReport> LintTasks(const std::vector<const Task*>& tasks,
                                  const LintOptions& options);

}  // namespace belay::bench

#endif  // BELAY_BENCH_LINT_SUITE_H_
