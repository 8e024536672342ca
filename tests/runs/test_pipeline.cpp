// SPDX-License-Identifier: Apache-2.0
// Workers that die, hang and fail, and a run that ends all the same.

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <fstream>
#include <map>

#include "fake_judge.h"
#include "runs/store.h"
#include "runs/task_queue.h"

namespace belay::runs::test_pipeline {
namespace {

namespace fs = std::filesystem;
using judge::Outcome;
using testing::FakePlan;
using testing::FakeSample;
using testing::FakeTasks;
using testing::RunFakePlan;
using testing::TemporaryFolder;

std::map<std::string, int> AttemptsIn(const fs::path& log) {
  std::map<std::string, int> attempts;
  std::ifstream in(log);
  for (std::string line; std::getline(in, line);) ++attempts[line];
  return attempts;
}

std::map<std::string, Result> ByName(const RunEnd& end) {
  std::map<std::string, Result> named;
  for (const Result& result : end.results) {
    named[result.sample.task + " " + result.sample.name] = result;
  }
  return named;
}

TEST(Pipeline, EverySampleEndsWithItsOwnVerdict) {
  const TemporaryFolder folder;
  const auto tasks = FakeTasks({"level1/Math/A", "level1/Math/B"});
  std::vector<Sample> samples;
  for (int i = 0; i < 20; ++i) {
    samples.push_back(FakeSample(tasks[i % 2].id, std::to_string(i),
                                 std::string(i % 3 == 0   ? "pass"
                                             : i % 3 == 1 ? "wrong"
                                                          : "lucky") +
                                     std::string(i, ' ')));
  }
  for (const int workers : {1, 4}) {
    const RunEnd end = RunFakePlan(
        FakePlan(samples, tasks,
                 folder.path() / ("store" + std::to_string(workers)), workers));
    ASSERT_EQ(end.results.size(), 20u);
    EXPECT_EQ(end.infrastructure, 0u);
    EXPECT_FALSE(end.interrupted);
    for (const Result& result : end.results) {
      const int i = std::stoi(result.sample.name);
      EXPECT_EQ(result.verdict.outcome, i % 3 == 0   ? Outcome::kPassed
                                        : i % 3 == 1 ? Outcome::kWrong
                                                     : Outcome::kLucky);
      EXPECT_EQ(result.verdict.candidate_hash, result.sample.candidate.hash);
      EXPECT_EQ(result.attempts, 1);
      EXPECT_EQ(result.extras.compile, 0.25);
    }
  }
}

TEST(Pipeline, DeadWorkersAreTheMachinesTrouble) {
  const TemporaryFolder folder;
  const auto tasks = FakeTasks({"level1/Math/A"});
  RunPlan plan =
      FakePlan({FakeSample("level1/Math/A", "dies", "abort"),
                FakeSample("level1/Math/A", "fine", "pass"),
                FakeSample("level1/Math/A", "hangs", "hang"),
                FakeSample("level1/Math/A", "judge", "infrastructure"),
                FakeSample("level1/Math/A", "once",
                           "once " + (folder.path() / "mark").string()),
                FakeSample("level1/Math/A", "throws", "throw")},
               tasks, folder.path() / "store", 2);
  plan.pipeline.silence_seconds = 0.5;
  plan.pipeline.setup["log"] = (folder.path() / "log").string();
  const RunEnd end = RunFakePlan(plan);
  ASSERT_EQ(end.results.size(), 6u);
  EXPECT_EQ(end.infrastructure, 4u);
  auto named = ByName(end);
  const auto reason = [&](const std::string& name) {
    return named.at("level1/Math/A " + name).verdict.reason;
  };
  EXPECT_NE(reason("dies").find("signal 6"), std::string::npos);
  EXPECT_NE(reason("hangs").find("no word of the worker"), std::string::npos);
  EXPECT_NE(reason("throws").find("the fake judge threw"), std::string::npos);
  for (const char* name : {"dies", "hangs", "judge", "throws"}) {
    const Result& result = named.at("level1/Math/A " + std::string(name));
    EXPECT_EQ(result.verdict.outcome, Outcome::kInfrastructure) << name;
    EXPECT_EQ(result.attempts, 3) << name;
  }
  EXPECT_EQ(named.at("level1/Math/A fine").verdict.outcome, Outcome::kPassed);
  EXPECT_EQ(named.at("level1/Math/A once").verdict.outcome, Outcome::kPassed);
  EXPECT_EQ(named.at("level1/Math/A once").attempts, 2);

  // Trouble is not stored: those alone are tried again.
  const size_t lines = AttemptsIn(folder.path() / "log").size();
  EXPECT_EQ(lines, 6u);
  fs::remove(folder.path() / "log");
  const RunEnd again = RunFakePlan(plan);
  EXPECT_EQ(again.reused, 2u);
  EXPECT_EQ(AttemptsIn(folder.path() / "log").size(), 4u);
}

TEST(Pipeline, EqualCandidatesAreJudgedOnce) {
  const TemporaryFolder folder;
  const auto tasks = FakeTasks({"level1/Math/A", "level1/Math/B"});
  RunPlan plan = FakePlan({FakeSample("level1/Math/A", "0", "pass"),
                           FakeSample("level1/Math/A", "1", "pass"),
                           FakeSample("level1/Math/B", "0", "pass")},
                          tasks, folder.path() / "store", 2);
  plan.pipeline.setup["log"] = (folder.path() / "log").string();
  const RunEnd end = RunFakePlan(plan);
  EXPECT_EQ(end.results.size(), 3u);
  // One text, but two tasks.
  const auto attempts = AttemptsIn(folder.path() / "log");
  ASSERT_EQ(attempts.size(), 1u);
  EXPECT_EQ(attempts.begin()->second, 2);
  // A second run, with other names, judges nothing.
  plan.samples[0].name = "another";
  const RunEnd again = RunFakePlan(plan);
  EXPECT_EQ(again.reused, 3u);
  EXPECT_EQ(
      ResultLines(again.results).find("\"sample\":\"0\"") != std::string::npos,
      true);
  EXPECT_EQ(AttemptsIn(folder.path() / "log").begin()->second, 2);
}

TEST(Pipeline, KeysDependOnWhatVerdictsDependOn) {
  const Sample sample = FakeSample("level1/Math/A", "0", "pass");
  RunConditions conditions;
  conditions.judge.seeds.secret = "secret";
  const std::string key = KeyOf(sample, "hash", conditions);
  EXPECT_EQ(key.size(), 64u);
  Sample other = sample;
  other.name = "1";
  other.manifest["model"] = "m";
  EXPECT_EQ(KeyOf(other, "hash", conditions), key);
  std::set<std::string> keys = {key};
  other.only_case = "edge-1";
  keys.insert(KeyOf(other, "hash", conditions));
  keys.insert(
      KeyOf(FakeSample("level1/Math/A", "0", "pass "), "hash", conditions));
  keys.insert(
      KeyOf(FakeSample("level1/Math/B", "0", "pass"), "hash", conditions));
  keys.insert(KeyOf(sample, "other hash", conditions));
  const auto with = [&](const std::function<void(RunConditions&)>& change) {
    RunConditions changed = conditions;
    change(changed);
    keys.insert(KeyOf(sample, "hash", changed));
  };
  with([](RunConditions& one) { one.judge.chip = "another"; });
  with([](RunConditions& one) { one.judge.protocol = "another"; });
  with([](RunConditions& one) { one.judge.last = judge::Stage::kCompile; });
  with([](RunConditions& one) { one.judge.fail_fast = true; });
  with([](RunConditions& one) { one.judge.seeds.public_seed = 7; });
  with([](RunConditions& one) { one.judge.seeds.secret = "another"; });
  with([](RunConditions& one) { one.judge.limits.run_seconds = 1; });
  with([](RunConditions& one) { one.judge.limits.memory_bytes = 1; });
  with([](RunConditions& one) { one.belay = "another"; });
  with([](RunConditions& one) { one.cage = "another"; });
  EXPECT_EQ(keys.size(), 15u);
}

TEST(Pipeline, StopsAndGoesOn) {
  const TemporaryFolder folder;
  const auto tasks = FakeTasks({"level1/Math/A"});
  std::vector<Sample> samples;
  for (int i = 0; i < 12; ++i) {
    samples.push_back(FakeSample("level1/Math/A", std::to_string(i),
                                 "sleep 40 " + std::to_string(i)));
  }
  RunPlan plan = FakePlan(samples, tasks, folder.path() / "store", 2);
  plan.pipeline.setup["log"] = (folder.path() / "log").string();
  std::atomic<bool> stop = false;
  size_t first = 0;
  {
    Nursery nursery([](guest::Channel& channel) {
      ServeSamples(channel, testing::MakeFakeJudge);
    });
    std::vector<size_t> todo(samples.size());
    for (size_t i = 0; i < todo.size(); ++i) todo[i] = i;
    PipelineEvents events;
    events.ended = [&](size_t, const SampleEnd&) { stop = ++first >= 3; };
    RunPipeline(nursery, plan.samples, todo, plan.pipeline, events, stop);
  }
  EXPECT_GE(first, 3u);
  EXPECT_LE(first, 4u);  // two workers may have ended one each
  const RunEnd end = RunFakePlan(plan);
  EXPECT_EQ(end.results.size(), 12u);
}

TEST(Pipeline, QueueKeepsWorkersOnTheirTasks) {
  TaskQueue queue;
  for (size_t i = 0; i < 3; ++i) queue.Add("a", i);
  for (size_t i = 3; i < 8; ++i) queue.Add("b", i);
  EXPECT_EQ(queue.Take("", {}), 3u);      // the most to do
  EXPECT_EQ(queue.Take("", {"b"}), 0u);   // nobody is on it
  EXPECT_EQ(queue.Take("b", {"a"}), 4u);  // its own
  EXPECT_EQ(queue.Take("a", {"b"}), 1u);
  EXPECT_EQ(queue.Take("a", {"b"}), 2u);
  EXPECT_EQ(queue.Take("a", {"b"}), 5u);  // helps out
  queue.AddAgain("b", 4);
  EXPECT_EQ(queue.Take("b", {}), 4u);  // first in line
  EXPECT_EQ(queue.Take("b", {}), 6u);
  EXPECT_EQ(queue.Take("b", {}), 7u);
  EXPECT_TRUE(queue.empty());
  EXPECT_EQ(queue.Take("b", {}), std::nullopt);
}

TEST(Pipeline, QueueBeginsWithWhatTakesLongest) {
  TaskQueue queue;
  queue.SetCost("long", 10);
  for (size_t i = 0; i < 5; ++i) queue.Add("short", i);
  queue.Add("long", 5);
  EXPECT_EQ(queue.Take("", {}), 5u);
  EXPECT_EQ(queue.Take("", {}), 0u);
}

}  // namespace
}  // namespace belay::runs::test_pipeline
