// SPDX-License-Identifier: Apache-2.0
// The statistics against definitions written out.

#include <gtest/gtest.h>

#include <cmath>

#include "bench/random.h"
#include "fake_judge.h"
#include "runs/compare.h"
#include "runs/metrics.h"
#include "runs/summary.h"

namespace belay::runs::test_metrics {
namespace {

using judge::Outcome;
using testing::FakeVerdict;

// The share of all choices of k samples among n in which one of the first c is.
double ByChoosing(int n, int c, int k) {
  int64_t all = 0;
  int64_t with = 0;
  for (unsigned set = 0; set < (1u << n); ++set) {
    if (__builtin_popcount(set) != k) continue;
    ++all;
    with += (set & ((1u << c) - 1)) != 0;
  }
  return static_cast<double>(with) / static_cast<double>(all);
}

TEST(Metrics, PassAtKIsTheShareOfChoicesThatHoldAPass) {
  for (int n = 1; n <= 10; ++n) {
    for (int c = 0; c <= n; ++c) {
      for (int k = 1; k <= n; ++k) {
        EXPECT_NEAR(PassAtK(n, c, k), ByChoosing(n, c, k), 1e-12)
            << n << " " << c << " " << k;
      }
    }
  }
}

TEST(Metrics, PassAtKOfManySamplesStaysANumber) {
  EXPECT_NEAR(PassAtK(100'000, 1, 1), 1e-5, 1e-15);
  EXPECT_DOUBLE_EQ(PassAtK(100'000, 0, 100), 0);
  EXPECT_DOUBLE_EQ(PassAtK(200, 150, 100), 1);
}

// Of all ways n coins fall, the share at least as far from even as seen.
double McNemarByEnumeration(int b, int c) {
  const int n = b + c;
  int64_t as_far = 0;
  for (unsigned coins = 0; coins < (1u << n); ++coins) {
    const int heads = __builtin_popcount(coins);
    as_far += std::abs(2 * heads - n) >= std::abs(b - c);
  }
  return static_cast<double>(as_far) / static_cast<double>(1u << n);
}

TEST(Metrics, McNemarIsTheShareOfCoinThrowsAsFarFromEven) {
  for (int b = 0; b <= 8; ++b) {
    for (int c = 0; c <= 8; ++c) {
      EXPECT_NEAR(McNemar(b, c), McNemarByEnumeration(b, c), 1e-12)
          << b << " " << c;
    }
  }
  EXPECT_NEAR(McNemar(0, 100), 2 * std::pow(0.5, 100), 1e-40);
}

TEST(Metrics, BootstrapOfTwoTasksHasTheQuartersOfCoinThrows) {
  // Of two tasks with 0 and 1 a resample has mean 0, 1/2 or 1, with chances of
  // a quarter, a half, a quarter.
  const std::vector<Interval> intervals = BootstrapMeans({{{0, 1}}, {{1, 1}}});
  ASSERT_EQ(intervals.size(), 1u);
  EXPECT_DOUBLE_EQ(intervals[0].value, 0.5);
  EXPECT_DOUBLE_EQ(intervals[0].low, 0);
  EXPECT_DOUBLE_EQ(intervals[0].high, 1);
}

TEST(Metrics, BootstrapIntervalsCoverTheMeanTheyAreDrawnFrom) {
  bench::Random random(testing::SeedOfTest(11));
  int covered = 0;
  constexpr int kTrials = 200;
  for (int trial = 0; trial < kTrials; ++trial) {
    std::vector<std::vector<Part>> parts;
    for (int task = 0; task < 60; ++task) {
      parts.push_back({{random.Chance(0.4) ? 1. : 0., 1}});
    }
    const Interval one = BootstrapMeans(parts, random.Next(), 1000).front();
    EXPECT_LE(one.low, one.value);
    EXPECT_GE(one.high, one.value);
    covered += one.low <= 0.4 && 0.4 <= one.high;
  }
  // 95 of 100 in the long run; three in ten thousand draws of 200 lie below.
  EXPECT_GE(covered, 178);
}

TEST(Metrics, BootstrapIsTheSameForTheSameSeed) {
  std::vector<std::vector<Part>> parts;
  for (int task = 0; task < 9; ++task) parts.push_back({{std::sqrt(task), 1}});
  const Interval one = BootstrapMeans(parts, 3).front();
  const Interval two = BootstrapMeans(parts, 3).front();
  const Interval other = BootstrapMeans(parts, 4).front();
  EXPECT_EQ(one.low, two.low);
  EXPECT_EQ(one.high, two.high);
  EXPECT_TRUE(one.low != other.low || one.high != other.high);
}

Result ResultOf(const std::string& task, const std::string& name,
                Outcome outcome, double speedup = 0) {
  Result result;
  result.sample.task = task;
  result.sample.name = name;
  result.verdict = FakeVerdict(task, "dynamic", outcome, speedup);
  return result;
}

TEST(Metrics, GroupsCountByHand) {
  const std::vector<Result> results = {
      ResultOf("level1/Math/A", "0", Outcome::kPassed, 1.2),
      ResultOf("level1/Math/A", "1", Outcome::kWrong),
      ResultOf("level1/Math/B", "0", Outcome::kLucky),
      ResultOf("level1/Math/B", "1", Outcome::kInfrastructure),
      ResultOf("level2/Norm/C", "0", Outcome::kNotCompiled),
      ResultOf("level2/Norm/C", "1", Outcome::kPassed, 0.6),
  };
  const RunMetrics metrics = MeasureRun(results);
  ASSERT_EQ(metrics.groups.size(), 5u);
  const GroupMetrics& all = metrics.groups[0];
  EXPECT_EQ(all.name, "all");
  EXPECT_EQ(all.tasks, 3);
  EXPECT_EQ(all.samples, 5);
  EXPECT_EQ(all.infrastructure, 1);
  EXPECT_EQ(all.lucky, 1);
  EXPECT_EQ(all.passed, 2);
  ASSERT_EQ(all.pass_at.size(), 2u);  // k = 1, 2
  EXPECT_DOUBLE_EQ(all.pass_at[0].rate.value, (0.5 + 0 + 0.5) / 3);
  EXPECT_EQ(all.pass_at[0].problems, 3);
  // B has one judged sample: it says nothing about pass@2.
  EXPECT_DOUBLE_EQ(all.pass_at[1].rate.value, 1);
  EXPECT_EQ(all.pass_at[1].problems, 2);
  EXPECT_DOUBLE_EQ(all.compile_at[0].rate.value, (1 + 1 + 0.5) / 3);
  // fast_0.5 and fast_1.
  EXPECT_DOUBLE_EQ(all.fast[1].value, (0.5 + 0 + 0.5) / 3);
  EXPECT_DOUBLE_EQ(all.fast[3].value, 0.5 / 3);
  ASSERT_TRUE(all.share_of_bound.has_value());
  EXPECT_NEAR(*all.share_of_bound, 0.4, 1e-12);
  EXPECT_EQ(metrics.groups[1].name, "level 1");
  EXPECT_EQ(metrics.groups[2].name, "level 2");
  EXPECT_EQ(metrics.groups[3].name, "level1/Math");
  EXPECT_EQ(metrics.groups[4].name, "level2/Norm");
  EXPECT_EQ(metrics.outcomes.at("passed"), 2);
  const std::string table = SummaryTable(metrics);
  EXPECT_NE(table.find("level1/Math"), std::string::npos);
  const nlohmann::json summary = Summary(results);
  EXPECT_EQ(summary.at("groups").at(0).at("pass_at").at("2").at("problems"), 2);
}

TEST(Metrics, ComparisonCountsWonLostFasterSlower) {
  const std::vector<Result> before = {
      ResultOf("t/a", "0", Outcome::kPassed, 1.0),
      ResultOf("t/b", "0", Outcome::kPassed, 2.0),
      ResultOf("t/c", "0", Outcome::kWrong),
      ResultOf("t/d", "0", Outcome::kPassed, 1.0),
      ResultOf("t/e", "0", Outcome::kFailed),
      ResultOf("t/only", "0", Outcome::kPassed, 1.0),
      ResultOf("t/f", "0", Outcome::kInfrastructure),
  };
  const std::vector<Result> after = {
      ResultOf("t/a", "0", Outcome::kPassed, 4.0),
      ResultOf("t/b", "0", Outcome::kPassed, 1.0),
      ResultOf("t/c", "0", Outcome::kPassed, 1.0),
      ResultOf("t/d", "0", Outcome::kLucky),
      ResultOf("t/e", "0", Outcome::kFailed),
      // Beyond the number of samples both have: does not count as solved.
      ResultOf("t/e", "1", Outcome::kPassed, 1.0),
      ResultOf("t/f", "0", Outcome::kPassed, 1.0),
  };
  const RunComparison comparison = CompareResults(before, after);
  std::vector<std::string> changes;
  for (const ProblemChange& one : comparison.problems) {
    changes.push_back(one.change);
  }
  EXPECT_EQ(changes, (std::vector<std::string>{"faster", "slower", "won",
                                               "lost", "same"}));
  EXPECT_EQ(comparison.only_first, 1);
  EXPECT_EQ(comparison.only_second, 1);
  EXPECT_EQ(comparison.both, 2);
  EXPECT_EQ(comparison.neither, 1);
  EXPECT_EQ(comparison.left_out, 2);
  EXPECT_DOUBLE_EQ(comparison.p, 1);
  EXPECT_NEAR(comparison.difference.value, (1 - 1 + 0.5) / 5, 1e-12);
  EXPECT_NEAR(comparison.speed_ratio, std::sqrt(2.0), 1e-12);
}

}  // namespace
}  // namespace belay::runs::test_metrics
