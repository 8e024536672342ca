// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_RUNS_PIPELINE_H_
#define BELAY_RUNS_PIPELINE_H_

// Many samples over many workers. A worker that dies or falls silent is the
// machine's trouble: its sample is tried again by another.

#include <atomic>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "judge/judge.h"
#include "runs/nursery.h"
#include "runs/sample.h"

namespace belay::runs {

struct PipelineOptions {
  int workers = 1;
  int retries = 2;  // after trouble
  // Without a word for so long a worker is taken for dead.
  double silence_seconds = 1800;
  nlohmann::json setup;  // for SampleJudge::Setup
  // What a sample of a task costs, for those that cost more than others.
  std::map<std::string, double> costs;
  std::string secret;
};

// How one sample ended. An infrastructure verdict of the judge is trouble, too:
// `verdict` is then the last of them, or empty.
struct SampleEnd {
  std::string verdict;  // JSON
  std::string extras;   // JSON
  std::string trouble;  // not empty: every attempt ended in trouble
  int attempts = 1;
};

struct PipelineEvents {
  // In the order they come. What this throws ends the pipeline.
  std::function<void(size_t sample, const SampleEnd& end)> ended;
  // About once a second, and while samples are under way.
  std::function<void()> tick;
};

// Judges `todo` (places in `samples`), those of a task one after the other on
// the same worker as far as that keeps all workers busy. Returns when all have
// ended, or soon after *stop has become true: those under way are given up.
void RunPipeline(Nursery& nursery, const std::vector<Sample>& samples,
                 const std::vector<size_t>& todo,
                 const PipelineOptions& options, const PipelineEvents& events,
                 const std::atomic<bool>& stop);

}  // namespace belay::runs

#endif  // BELAY_RUNS_PIPELINE_H_
