// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_RUNS_SUMMARY_H_
#define BELAY_RUNS_SUMMARY_H_

// The metrics of a run, for machines and for readers.

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "runs/metrics.h"

namespace belay::runs {

// Without what only a finished run folder knows: depends on the results alone.
nlohmann::json Summary(const std::vector<Result>& results);
nlohmann::json ToJson(const Interval& interval);

// A table by level and category, then error classes; ends with a newline.
std::string SummaryTable(const RunMetrics& metrics);

}  // namespace belay::runs

#endif  // BELAY_RUNS_SUMMARY_H_
