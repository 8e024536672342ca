// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_RUNS_RUN_H_
#define BELAY_RUNS_RUN_H_

// A run from its samples to its results: what the store knows is taken from
// there, the rest is judged, and every verdict is on the disk before anybody
// hears of it.

#include <atomic>
#include <filesystem>
#include <string>
#include <vector>

#include "bench/task.h"
#include "runs/nursery.h"
#include "runs/pipeline.h"
#include "runs/progress.h"
#include "runs/results.h"
#include "runs/sample_key.h"

namespace belay::runs {

struct RunPlan {
  std::vector<Sample> samples;  // sorted
  std::vector<const bench::Task*> tasks;
  RunConditions conditions;
  std::filesystem::path store;
  PipelineOptions pipeline;
};

struct RunEnd {
  std::vector<Result> results;  // of the samples that ended, in their order
  size_t reused = 0;            // known from the store
  size_t infrastructure = 0;
  bool interrupted = false;
};

// Samples with one key are judged once. Trouble is not stored: another run
// tries again.
RunEnd ExecuteRun(Nursery& nursery, const RunPlan& plan, Progress& progress,
                  const std::atomic<bool>& stop);

}  // namespace belay::runs

#endif  // BELAY_RUNS_RUN_H_
