// SPDX-License-Identifier: Apache-2.0
// The files of a run: written, read back, refused.

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

#include "base/error.h"
#include "fake_judge.h"
#include "runs/atomic_file.h"
#include "runs/run_folder.h"

namespace belay::runs::test_run_folder {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::FakeSample;
using testing::TemporaryFolder;

std::vector<Sample> TwoSamples() {
  std::vector<Sample> samples = {FakeSample("level1/Math/A", "0", "pass"),
                                 FakeSample("level1/Math/A", "1", "wrong")};
  samples[0].manifest = {{"model", "m, \"7b\""}, {"temperature", 0.7}};
  // A comment in another encoding.
  samples[1].candidate = judge::MakeCandidate(
      judge::CandidateKind::kKernel, "k.cpp", {{"k.cpp", "// \xb2\xe2\n"}});
  return samples;
}

std::vector<Result> TwoResults() {
  std::vector<Result> results;
  for (const Sample& sample : TwoSamples()) {
    Result result;
    result.sample = sample;
    const bool first = sample.name == "0";
    result.verdict = testing::FakeVerdict(
        sample.task, "dynamic",
        first ? judge::Outcome::kPassed : judge::Outcome::kWrong,
        first ? 1.5 : 0);
    result.extras.compile = 0.125;
    result.extras.timeline.slices.push_back({"V", "Add", 1, 2, "k.crux", 3});
    result.attempts = 2;
    results.push_back(std::move(result));
  }
  return results;
}

TEST(RunFolder, ComesBackAsItWas) {
  const TemporaryFolder folder;
  const fs::path run = folder.path() / "deep" / "run";
  EXPECT_FALSE(HasRun(run));
  BeginRun(run, {{"options", {{"seed", 1}}}}, TwoSamples(), "sixteen bytes ok");
  EXPECT_TRUE(HasRun(run));
  EXPECT_EQ(ReadRunSecret(run), "sixteen bytes ok");
  struct stat about{};
  ASSERT_EQ(stat((run / "secret").c_str(), &about), 0);
  EXPECT_EQ(about.st_mode & 0777, 0600u);
  const std::vector<Sample> samples = ReadRunSamples(run);
  ASSERT_EQ(samples.size(), 2u);
  EXPECT_EQ(samples[1].candidate.files[0].text, "// \xb2\xe2\n");
  EXPECT_EQ(samples[1].candidate.hash, TwoSamples()[1].candidate.hash);
  EXPECT_EQ(samples[0].manifest, TwoSamples()[0].manifest);

  WriteResults(run, TwoResults());
  const LoadedRun loaded = LoadRun(run);
  ASSERT_EQ(loaded.results.size(), 2u);
  EXPECT_EQ(loaded.run.at("options").at("seed"), 1);
  EXPECT_EQ(loaded.samples, 2u);
  EXPECT_EQ(loaded.results[0].attempts, 2);
  EXPECT_EQ(loaded.results[0].extras.compile, 0.125);
  EXPECT_EQ(loaded.results[0].extras.timeline.slices.size(), 1u);
  EXPECT_EQ(loaded.results[1].sample.candidate.files[0].text, "// \xb2\xe2\n");
  EXPECT_EQ(ResultLines(loaded.results), ResultLines(TwoResults()));
}

TEST(RunFolder, ResultsHaveNoWallTimes) {
  std::vector<Result> results = TwoResults();
  const std::string before = ResultLines(results);
  results[0].extras.compile = 99;
  results[0].attempts = 3;
  EXPECT_EQ(ResultLines(results), before);
}

TEST(RunFolder, TableQuotesItsCells) {
  const std::string table = ResultTable(TwoResults());
  EXPECT_NE(table.find("\"m, \"\"7b\"\"\""), std::string::npos);
  EXPECT_NE(table.find(",1.5,"), std::string::npos);
  const std::string header = table.substr(0, table.find('\n'));
  EXPECT_EQ(std::count(header.begin(), header.end(), ','), 25);
}

TEST(RunFolder, ResumeRefusesOtherOptions) {
  const json before = {{"seed", 1}, {"protocol", "belay"}};
  EXPECT_EQ(ResumedOptions(before, {{"seed", 0}, {"protocol", "belay"}},
                           {"protocol"}),
            before);
  try {
    ResumedOptions(before, {{"seed", 2}, {"protocol", "belay"}}, {"seed"});
    FAIL();
  } catch (const UserError& error) {
    EXPECT_NE(std::string(error.what()).find("seed = 1"), std::string::npos);
  }
}

TEST(RunFolder, OneProcessAtATime) {
  const TemporaryFolder folder;
  BeginRun(folder.path(), json::object(), {}, "secret");
  {
    const RunLock first(folder.path());
    EXPECT_THROW(RunLock second(folder.path()), UserError);
  }
  const RunLock third(folder.path());
}

TEST(RunFolder, WhatIsNoRunIsRefused) {
  const TemporaryFolder folder;
  EXPECT_THROW(LoadRun(folder.path()), UserError);
  std::ofstream(folder.path() / "run.json") << "{\"belay_run\": 99}";
  EXPECT_THROW(LoadRun(folder.path()), UserError);
  std::ofstream(folder.path() / "run.json") << "no JSON";
  EXPECT_THROW(LoadRun(folder.path()), UserError);
}

}  // namespace
}  // namespace belay::runs::test_run_folder
