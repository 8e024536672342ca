// SPDX-License-Identifier: Apache-2.0
#include "fake_judge.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <sstream>

#include "base/error.h"
#include "bench/hash.h"

namespace belay::runs::testing {
namespace fs = std::filesystem;

TemporaryFolder::TemporaryFolder() {
  std::string name = (fs::temp_directory_path() / "belay-runs-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw InternalError("no folder");
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

judge::Verdict FakeVerdict(const std::string& task, const std::string& problem,
                           judge::Outcome outcome, double speedup) {
  judge::Verdict verdict;
  verdict.task = task;
  verdict.problem = problem;
  verdict.level = task.starts_with("level2") ? 2 : 1;
  verdict.category = fs::path(task).parent_path().filename();
  verdict.outcome = outcome;
  verdict.calls = 10;
  verdict.calls_passed = outcome == judge::Outcome::kPassed ? 10 : 3;
  if (speedup > 0) {
    judge::CaseTime time;
    time.name = "real-0";
    time.simulated = 10;
    time.bound = 4;
    time.baseline_85 = 10 * speedup;
    verdict.times.push_back(time);
  }
  return verdict;
}

namespace {

class FakeJudge : public SampleJudge {
 public:
  void Setup(const nlohmann::json& how, const std::string& secret) override {
    log_ = how.value("log", "");
    secret_ = secret;
  }

  judge::Verdict Try(const Sample& sample, judge::Extras& extras,
                     const std::function<void(const judge::JudgeProgress&)>&
                         progress) override {
    progress({judge::Stage::kCompile, 0, 1});
    Log(sample.candidate.hash);
    extras.compile = 0.25;
    std::istringstream words(sample.candidate.files.front().text);
    std::string word;
    words >> word;
    double speedup = 0;
    if (word == "abort") std::abort();
    if (word == "hang") pause();
    if (word == "throw") throw InternalError("the fake judge threw");
    if (word == "once") {
      std::string file;
      words >> file;
      if (!fs::exists(file)) {
        close(creat(file.c_str(), 0600));
        std::abort();
      }
      word = "passed";
    }
    if (word == "sleep") {
      int milliseconds = 0;
      words >> milliseconds;
      usleep(static_cast<useconds_t>(milliseconds) * 1000);
      word = "passed";
    }
    if (word == "pass") {
      words >> speedup;
      word = "passed";
    }
    judge::Verdict verdict =
        FakeVerdict(sample.task, sample.problem(),
                    judge::ParseOutcome(word).value(), speedup);
    verdict.candidate_name = sample.candidate.name;
    verdict.candidate_hash = sample.candidate.hash;
    // The secret reaches the judge and shapes what it says.
    verdict.reason = bench::HashOf({secret_, sample.candidate.hash});
    return verdict;
  }

 private:
  void Log(const std::string& hash) const {
    if (log_.empty()) return;
    const std::string line = hash + "\n";
    const int fd = open(log_.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
    if (write(fd, line.data(), line.size()) < 0) std::abort();
    close(fd);
  }

  std::string log_;
  std::string secret_;
};

}  // namespace

std::unique_ptr<SampleJudge> MakeFakeJudge() {
  return std::make_unique<FakeJudge>();
}

std::vector<bench::Task> FakeTasks(const std::vector<std::string>& ids) {
  std::vector<bench::Task> tasks;
  for (const std::string& id : ids) {
    tasks.emplace_back();
    tasks.back().id = id;
    tasks.back().level = id.starts_with("level2") ? 2 : 1;
    tasks.back().hash = bench::HashOf({id});
  }
  return tasks;
}

Sample FakeSample(const std::string& task, const std::string& name,
                  const std::string& text) {
  Sample sample;
  sample.task = task;
  sample.name = name;
  sample.candidate = judge::MakeCandidate(
      judge::CandidateKind::kCrux, "kernel.crux", {{"kernel.crux", text}});
  return sample;
}

RunPlan FakePlan(std::vector<Sample> samples,
                 const std::vector<bench::Task>& tasks, const fs::path& store,
                 int workers) {
  RunPlan plan;
  plan.samples = std::move(samples);
  SortSamples(plan.samples);
  for (const bench::Task& task : tasks) plan.tasks.push_back(&task);
  plan.conditions.judge.seeds.secret = "a secret of sixteen bytes or more";
  plan.conditions.belay = "fake";
  plan.store = store;
  plan.pipeline.workers = workers;
  plan.pipeline.setup = nlohmann::json::object();
  plan.pipeline.secret = plan.conditions.judge.seeds.secret;
  return plan;
}

RunEnd RunFakePlan(const RunPlan& plan) {
  Nursery nursery(
      [](guest::Channel& channel) { ServeSamples(channel, MakeFakeJudge); });
  Progress progress(stderr, {.results = false, .status = false});
  const std::atomic<bool> never = false;
  return ExecuteRun(nursery, plan, progress, never);
}

uint64_t SeedOfTest(uint64_t fallback) {
  const char* text = std::getenv("BELAY_SEED");
  const uint64_t seed =
      text != nullptr ? std::strtoull(text, nullptr, 10) : fallback;
  std::cout << "BELAY_SEED=" << seed << "\n";
  return seed;
}

}  // namespace belay::runs::testing
