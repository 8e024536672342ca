// SPDX-License-Identifier: Apache-2.0
// The page of a run, used in a headless browser.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "report/report.h"
#include "trace/browser.h"

namespace belay::report::test_report {
namespace {

using judge::Outcome;
using nlohmann::json;
using runs::Result;

judge::CaseTime Timed(double microseconds) {
  judge::CaseTime time;
  time.name = "real-0";
  time.elements = 1 << 20;
  time.simulated = microseconds;
  time.bound = 5;
  time.binding = "HBM reads";
  time.baseline_70 = 24;
  time.baseline_85 = 20;
  time.baseline_100 = 17;
  time.bytes = 1 << 23;
  time.flops = 1 << 20;
  return time;
}

Result MakeResult(const std::string& task, const std::string& category,
                  Outcome outcome, double microseconds) {
  Result result;
  result.sample.task = task;
  result.sample.name = "0";
  result.sample.manifest = {{"model", "a model </script>"}};
  result.sample.candidate =
      judge::MakeCandidate(judge::CandidateKind::kKernel, "k.cpp",
                           {{"k.cpp", "one\n<b>two</b>\nthree </script>\n"}});
  judge::Verdict& verdict = result.verdict;
  verdict.task = task;
  verdict.level = 1;
  verdict.category = category;
  verdict.problem = "dynamic";
  verdict.candidate_name = "k.cpp";
  verdict.candidate_kind = "kernel";
  verdict.candidate_hash = result.sample.candidate.hash;
  verdict.chip = "ascend910b1";
  verdict.protocol = "belay";
  verdict.outcome = outcome;
  verdict.calls = 10;
  verdict.calls_run = 10;
  verdict.calls_passed = outcome == Outcome::kWrong ? 4 : 10;
  if (outcome != Outcome::kPassed) {
    verdict.reason = "edge-1: <i>because</i>";
    verdict.error_class = outcome == Outcome::kLucky ? "race" : "wrong values";
    Diagnostic finding;
    finding.code = "BLY-R103";
    finding.message = "two <accesses>";
    finding.location.file = "k.cpp";
    finding.location.line = 2;
    finding.fix = "wait";
    verdict.findings.push_back({finding, "edge-1", 3});
  }
  if (microseconds > 0) {
    verdict.times = {Timed(microseconds)};
    result.extras.timeline.name = "real-0";
    result.extras.timeline.slices = {{"MTE2", "DataCopy", 0, 2, "k.cpp", 1},
                                     {"V", "Add", 2, 3, "k.cpp", 2}};
  }
  return result;
}

runs::LoadedRun SampleRun(Outcome of_first) {
  runs::LoadedRun run;
  run.results = {
      MakeResult("level1/Math/A", "Math", of_first,
                 of_first == Outcome::kPassed ? 10 : 0),
      MakeResult("level1/Math/B", "Math", Outcome::kPassed, 8),
      MakeResult("level1/Norm/C", "Norm", Outcome::kLucky, 40),
      MakeResult("level1/Norm/D", "Norm", Outcome::kWrong, 0),
  };
  run.samples = run.results.size();
  return run;
}

class Report : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    const runs::LoadedRun run = SampleRun(Outcome::kPassed);
    const runs::LoadedRun before = SampleRun(Outcome::kWrong);
    const trace::BrowserResult result = trace::RunInBrowser(
        MakeReport({"now </title>", &run}, {"before", &before}),
        BELAY_REPORT_TESTS "/report_test.js");
    ASSERT_FALSE(result.seen.is_null()) << result.console;
    seen_ = new json(result.seen);
  }

  void SetUp() override { ASSERT_NE(seen_, nullptr); }
  static const json& Seen(const char* name) { return seen_->at(name); }

  inline static json* seen_ = nullptr;
};

TEST_F(Report, HasNoErrors) {
  EXPECT_EQ(Seen("errors"), json::array());
  EXPECT_EQ(Seen("title"), "Belay: now </title>");
  EXPECT_EQ(Seen("wide"), true);
}

TEST_F(Report, SaysWhatTheRunCameTo) {
  EXPECT_EQ(Seen("tiles").at(0), "4tasks");
  EXPECT_EQ(Seen("tiles").at(3).get<std::string>().substr(0, 6), "50.0 %");
  EXPECT_EQ(Seen("tiles").at(4).get<std::string>().substr(0, 6), "1lucky");
  EXPECT_EQ(Seen("charts"), 3);
  EXPECT_EQ(Seen("points"), 3);
  EXPECT_EQ(Seen("groups"),
            json({"all", "level 1", "level1/Math", "level1/Norm"}));
  EXPECT_EQ(Seen("errorClasses").size(), 2u);
}

TEST_F(Report, FiltersAndSorts) {
  EXPECT_EQ(Seen("rows"), 4);
  EXPECT_EQ(Seen("luckyRows"), json({"lucky"}));
  EXPECT_EQ(Seen("normRows"), json({"level1/Norm/C", "level1/Norm/D"}));
  EXPECT_EQ(Seen("bySpeedup"), json({"2.5", "2", "0.5", "–"}));
  EXPECT_EQ(Seen("bySpeedupRising"), json({"–", "0.5", "2", "2.5"}));
}

TEST_F(Report, ShowsOneKernel) {
  EXPECT_EQ(Seen("detailShown"), true);
  EXPECT_EQ(Seen("detailTitle"), "level1/Norm/C");
  EXPECT_EQ(Seen("note"), json({"error: two <accesses> [BLY-R103]\n→ wait"}));
  EXPECT_EQ(Seen("foundLine"), "2<b>two</b>");
  EXPECT_EQ(Seen("lit"), "k.cpp:2");
  EXPECT_EQ(Seen("slices"), 2);
  EXPECT_EQ(Seen("markup"), 0);
  EXPECT_EQ(Seen("detailClosed"), true);
  EXPECT_EQ(Seen("themes"), json({"dark", "light"}));
}

TEST_F(Report, ShowsTheDifferenceOfTwoRuns) {
  ASSERT_EQ(Seen("difference").size(), 1u);
  const std::string change = Seen("difference").at(0);
  EXPECT_EQ(change.substr(0, 13), "level1/Math/A");
  EXPECT_NE(change.find("wrong"), std::string::npos);
  EXPECT_NE(change.find("passed"), std::string::npos);
  EXPECT_NE(Seen("differenceText").get<std::string>().find("before"),
            std::string::npos);
}

}  // namespace
}  // namespace belay::report::test_report
