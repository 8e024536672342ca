// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TESTS_RUNS_FAKE_JUDGE_H_
#define BELAY_TESTS_RUNS_FAKE_JUDGE_H_

// Verdicts without a chip: a candidate's text says what becomes of it.

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "bench/task.h"
#include "runs/run.h"
#include "runs/worker.h"

namespace belay::runs::testing {

// A folder that is removed with all it holds.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

// What a candidate's text may be: "pass", "pass SPEEDUP", "lucky", "wrong",
// "not-compiled"; "abort" and "hang" for workers that do; "throw" for trouble;
// "once FILE" aborts the first time and passes then; "infrastructure".
// "sleep MILLISECONDS" passes after a while. Each attempt is a line with the
// candidate's hash in the file that the setup names under "log", if any.
std::unique_ptr<SampleJudge> MakeFakeJudge();

// Tasks with nothing but an id, a level and a hash.
std::vector<bench::Task> FakeTasks(const std::vector<std::string>& ids);

Sample FakeSample(const std::string& task, const std::string& name,
                  const std::string& text);

judge::Verdict FakeVerdict(const std::string& task, const std::string& problem,
                           judge::Outcome outcome, double speedup = 0);

// A plan over fake samples; the tasks must outlive it.
RunPlan FakePlan(std::vector<Sample> samples,
                 const std::vector<bench::Task>& tasks,
                 const std::filesystem::path& store, int workers);

// Runs it in this process's nursery, without a word.
RunEnd RunFakePlan(const RunPlan& plan);

// BELAY_SEED, or the one given; printed.
uint64_t SeedOfTest(uint64_t fallback);

}  // namespace belay::runs::testing

#endif  // BELAY_TESTS_RUNS_FAKE_JUDGE_H_
