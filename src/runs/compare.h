// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_RUNS_COMPARE_H_
#define BELAY_RUNS_COMPARE_H_

// Two runs side by side, on the problems both have.

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "runs/resample.h"
#include "runs/run_folder.h"

namespace belay::runs {

// One problem. It is solved when one of the first m samples passed, m the
// smaller number of samples that the two runs have judged for it.
struct ProblemChange {
  std::string task;
  std::string problem;
  bool first_solved = false;
  bool second_solved = false;
  // The best speedup over modelled eager of those that passed; 0 without one.
  double first_speedup = 0;
  double second_speedup = 0;
  std::string change;  // "won", "lost", "faster", "slower", "same"
};

struct RunComparison {
  std::vector<ProblemChange> problems;
  int64_t only_first = 0;  // solved by the first run alone
  int64_t only_second = 0;
  int64_t both = 0;
  int64_t neither = 0;
  int64_t left_out = 0;  // problems that one run alone has
  double p = 1;          // exact McNemar, two-sided
  Interval difference;   // pass@1 of the second less that of the first
  // Geometric mean of second_speedup / first_speedup over problems that have
  // both; 0 without any.
  double speed_ratio = 0;
};

// Speedups within one part in a hundred are the same.
RunComparison CompareResults(const std::vector<Result>& first,
                             const std::vector<Result>& second);

nlohmann::json CompareRuns(const LoadedRun& first, const LoadedRun& second);
// Two or three sentences.
std::string CompareText(const LoadedRun& before, const LoadedRun& after);
// Every change, then the numbers.
std::string ComparisonText(const RunComparison& comparison,
                           const std::string& first, const std::string& second);

}  // namespace belay::runs

#endif  // BELAY_RUNS_COMPARE_H_
