// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_RUNS_METRICS_H_
#define BELAY_RUNS_METRICS_H_

// What the verdicts of a run come to: by level, by category, in all. A problem
// is a (task, case) of static problems, else a task. Infrastructure failures
// count nowhere but in `infrastructure`.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "judge/scores.h"
#include "runs/resample.h"
#include "runs/results.h"

namespace belay::runs {

// Speedups over modelled eager PyTorch that fast_p is given for.
inline constexpr double kFastShares[] = {0.2, 0.5, 0.8, 1, 1.5, 2};

struct RateAtK {
  int64_t k = 1;
  int64_t problems = 0;  // those with at least k samples
  Interval rate;
};

enum class GroupKind { kAll, kLevel, kCategory };

struct GroupMetrics {
  GroupKind kind = GroupKind::kAll;
  std::string name;  // "all", "level 1", "level1/Math"
  int64_t tasks = 0;
  int64_t problems = 0;
  int64_t samples = 0;  // judged: all but infrastructure failures
  int64_t infrastructure = 0;
  int64_t passed = 0;
  int64_t lucky = 0;
  int64_t timed = 0;  // that came to the last stage
  std::vector<RateAtK> compile_at;
  std::vector<RateAtK> pass_at;
  // The mean over problems of the share of samples that pass and are more than
  // p times as fast as eager; in the order of kFastShares.
  std::vector<Interval> fast;
  Interval hap;  // the mean over problems and samples; 0 for what fails
  // Median over samples that pass and were timed.
  std::optional<double> share_of_bound;
};

struct RunMetrics {
  std::vector<GroupMetrics> groups;  // all, then levels, then categories
  judge::LevelScores level_scores;   // NPUKernelBench's
  std::map<std::string, int64_t> outcomes;
  std::map<std::string, int64_t> error_classes;
};

RunMetrics MeasureRun(const std::vector<Result>& results,
                      uint64_t seed = kResampleSeed);

}  // namespace belay::runs

#endif  // BELAY_RUNS_METRICS_H_
