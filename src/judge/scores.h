// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_JUDGE_SCORES_H_
#define BELAY_JUDGE_SCORES_H_

// Figures of verdicts as published benchmarks define them; pass@k, fast_p and
// HAP over a run are in runs/metrics.h.

#include <map>
#include <vector>

#include "judge/verdict.h"

namespace belay::judge {

// NPUKernelBench's: of each level the share of verdicts that passed, pooled
// over tasks, cases and samples; then 0.2, 0.3 and 0.5 times levels 1, 2 and 3.
// A level without verdicts counts 0.
struct LevelScores {
  std::map<int, double> levels;  // 1, 2, 3; absent where nothing was judged
  double weighted = 0;
};
LevelScores LevelScoresOf(const std::vector<Verdict>& verdicts);

// A second of simulated time: operations the kernel did, bytes the task has to
// move. 0 where nothing was timed.
double FlopsPerSecond(const CaseTime& time);
double BytesPerSecond(const CaseTime& time);

}  // namespace belay::judge

#endif  // BELAY_JUDGE_SCORES_H_
