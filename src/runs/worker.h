// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_RUNS_WORKER_H_
#define BELAY_RUNS_WORKER_H_

// The side of a worker: samples come in on a channel, verdicts go out.

#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "guest/channel.h"
#include "judge/judge.h"
#include "runs/sample.h"

namespace belay::runs {

// Who judges in a worker.
class SampleJudge {
 public:
  virtual ~SampleJudge() = default;
  // Once, before the first sample. `how` is what the run's owner sent.
  virtual void Setup(const nlohmann::json& how, const std::string& secret) = 0;
  virtual judge::Verdict Try(
      const Sample& sample, judge::Extras& extras,
      const std::function<void(const judge::JudgeProgress&)>& progress) = 0;
};

// Called in a new worker before anything else: starts the broker.
using MakeSampleJudge = std::function<std::unique_ptr<SampleJudge>()>;

// Serves until the channel is closed. What a judge throws goes to the owner as
// trouble, which is never the candidate's.
void ServeSamples(guest::Channel& channel, const MakeSampleJudge& make);

// The messages, for both sides.
nlohmann::json SetupMessage(const nlohmann::json& how);  // secret as bytes
nlohmann::json SampleMessage(const Sample& sample);

// What a worker said.
struct WorkerReport {
  enum class Kind { kProgress, kVerdict, kTrouble } kind = Kind::kProgress;
  judge::JudgeProgress progress;
  std::string verdict;  // JSON
  std::string extras;   // JSON
  std::string trouble;
  bool again = true;  // kTrouble: another attempt may go better
};
// Throws InternalError for a message of another form.
WorkerReport ReadReport(const guest::Message& message);

// The judge of `belay bench`: a broker, the tasks, judge::Judge. `how` has the
// keys that JudgeSetup writes.
std::unique_ptr<SampleJudge> MakeCagedJudge();
// `suite` and `loose` are folders: of the suite, and of tasks outside.
// Temporary files go below `scratch`, where whoever kills the worker finds
// them.
nlohmann::json JudgeSetup(const judge::JudgeOptions& options,
                          const std::string& suite,
                          const std::vector<std::string>& loose,
                          const std::string& scratch);

}  // namespace belay::runs

#endif  // BELAY_RUNS_WORKER_H_
