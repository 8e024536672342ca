// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_RUNS_RESULTS_H_
#define BELAY_RUNS_RESULTS_H_

// What came of the samples of a run, and the files that say it.

#include <string>
#include <vector>

#include "judge/verdict.h"
#include "runs/sample.h"

namespace belay::runs {

struct Result {
  Sample sample;
  judge::Verdict verdict;
  judge::Extras extras;
  int attempts = 1;
};

// One line of JSON for each: the verdict (docs/judge.md) with "sample" and
// "manifest". No wall times: the same seeds give the same bytes.
std::string ResultLines(const std::vector<Result>& results);

// Wall times, attempts and timelines, a line for each result.
std::string ExtraLines(const std::vector<Result>& results);

// One row for each, with a header. docs/bench.md explains the columns.
std::string ResultTable(const std::vector<Result>& results);

// The verdict of a sample that nobody could judge.
judge::Verdict TroubleVerdict(const Sample& sample, const bench::Task& task,
                              const judge::Verdict& alike,
                              const std::string& trouble);

// Geometric mean of bound / simulated over the timed cases: 1 at the bound, 0
// unless all were timed.
double ShareOfBound(const judge::Verdict& verdict);

}  // namespace belay::runs

#endif  // BELAY_RUNS_RESULTS_H_
