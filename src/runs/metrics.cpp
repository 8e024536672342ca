// SPDX-License-Identifier: Apache-2.0
#include "runs/metrics.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <set>
#include <tuple>

namespace belay::runs {
namespace {

using judge::Outcome;

constexpr int64_t kUsualK[] = {1, 2, 3, 5, 10, 20, 50, 100};
constexpr size_t kFasts = std::size(kFastShares);

struct ProblemCounts {
  std::string task;
  int level = 0;
  int64_t samples = 0;
  int64_t compiled = 0;
  int64_t passed = 0;
  int64_t fast[kFasts] = {};
  double hap = 0;  // sum over samples
};

// The results of one group, problem by problem.
struct Gathered {
  std::map<std::pair<std::string, std::string>, ProblemCounts> problems;
  std::vector<double> shares;
  int64_t infrastructure = 0;
  int64_t lucky = 0;
  int64_t timed = 0;
};

std::string CategoryOf(const judge::Verdict& verdict) {
  const std::string folder =
      std::filesystem::path(verdict.task).parent_path().string();
  return folder.empty() ? verdict.category : folder;
}

void Gather(const judge::Verdict& verdict, Gathered& group) {
  if (verdict.outcome == Outcome::kInfrastructure) {
    ++group.infrastructure;
    return;
  }
  ProblemCounts& counts = group.problems[{verdict.task, verdict.problem}];
  counts.task = verdict.task;
  ++counts.samples;
  counts.compiled += verdict.compiled();
  group.lucky += verdict.outcome == Outcome::kLucky;
  group.timed += !verdict.times.empty();
  if (!verdict.passed()) return;
  ++counts.passed;
  for (size_t p = 0; p < kFasts; ++p) {
    counts.fast[p] += verdict.speedup() > kFastShares[p];
  }
  counts.hap += verdict.hap();
  if (const double share = ShareOfBound(verdict); share > 0) {
    group.shares.push_back(share);
  }
}

std::vector<int64_t> KsUpTo(int64_t most) {
  std::vector<int64_t> all;
  for (const int64_t k : kUsualK) {
    if (k < most) all.push_back(k);
  }
  all.push_back(most);
  return all;
}

// The statistics of one problem, in the order TakeStatistics reads them.
std::vector<Part> PartsOf(const ProblemCounts& one,
                          const std::vector<int64_t>& ks) {
  std::vector<Part> parts;
  for (const int64_t k : ks) {
    const bool enough = one.samples >= k;
    parts.push_back(
        {enough ? PassAtK(one.samples, one.compiled, k) : 0, enough ? 1. : 0.});
    parts.push_back(
        {enough ? PassAtK(one.samples, one.passed, k) : 0, enough ? 1. : 0.});
  }
  const auto samples = static_cast<double>(one.samples);
  for (const int64_t fast : one.fast) {
    parts.push_back({static_cast<double>(fast) / samples, 1});
  }
  parts.push_back({one.hap / samples, 1});
  return parts;
}

double MedianOf(std::vector<double> values) {
  std::ranges::sort(values);
  const size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle]
                                : (values[middle - 1] + values[middle]) / 2;
}

GroupMetrics Measure(GroupKind kind, const std::string& name,
                     const Gathered& gathered, uint64_t seed) {
  GroupMetrics group;
  group.kind = kind;
  group.name = name;
  group.infrastructure = gathered.infrastructure;
  group.lucky = gathered.lucky;
  group.timed = gathered.timed;
  group.problems = static_cast<int64_t>(gathered.problems.size());
  int64_t most = 1;
  for (const auto& [problem, counts] : gathered.problems) {
    most = std::max(most, counts.samples);
    group.samples += counts.samples;
    group.passed += counts.passed;
  }
  const std::vector<int64_t> ks = KsUpTo(most);
  std::map<std::string, std::vector<Part>> by_task;
  for (const auto& [problem, counts] : gathered.problems) {
    const std::vector<Part> parts = PartsOf(counts, ks);
    std::vector<Part>& sums = by_task[counts.task];
    sums.resize(parts.size());
    for (size_t s = 0; s < parts.size(); ++s) {
      sums[s].sum += parts[s].sum;
      sums[s].count += parts[s].count;
    }
  }
  group.tasks = static_cast<int64_t>(by_task.size());
  std::vector<std::vector<Part>> parts;
  for (auto& [task, sums] : by_task) parts.push_back(std::move(sums));
  std::vector<Interval> intervals = BootstrapMeans(parts, seed);
  // A group of infrastructure failures alone has no numbers.
  intervals.resize(2 * ks.size() + kFasts + 1);
  for (size_t i = 0; i < ks.size(); ++i) {
    int64_t enough = 0;
    for (const auto& [problem, counts] : gathered.problems) {
      enough += counts.samples >= ks[i];
    }
    group.compile_at.push_back({ks[i], enough, intervals[2 * i]});
    group.pass_at.push_back({ks[i], enough, intervals[2 * i + 1]});
  }
  for (size_t p = 0; p < kFasts; ++p) {
    group.fast.push_back(intervals[2 * ks.size() + p]);
  }
  group.hap = intervals.back();
  if (!gathered.shares.empty()) {
    group.share_of_bound = MedianOf(gathered.shares);
  }
  return group;
}

}  // namespace

RunMetrics MeasureRun(const std::vector<Result>& results, uint64_t seed) {
  RunMetrics metrics;
  // The kinds in their order; levels by number.
  std::map<std::tuple<GroupKind, int, std::string>, Gathered> groups;
  std::vector<judge::Verdict> verdicts;
  for (const Result& result : results) {
    const judge::Verdict& verdict = result.verdict;
    verdicts.push_back(verdict);
    ++metrics.outcomes[std::string(NameOf(verdict.outcome))];
    if (!verdict.error_class.empty()) {
      ++metrics.error_classes[verdict.error_class];
    }
    Gather(verdict, groups[{GroupKind::kAll, 0, "all"}]);
    Gather(verdict, groups[{GroupKind::kLevel, verdict.level,
                            fmt::format("level {}", verdict.level)}]);
    Gather(verdict, groups[{GroupKind::kCategory, 0, CategoryOf(verdict)}]);
  }
  for (const auto& [key, gathered] : groups) {
    metrics.groups.push_back(
        Measure(std::get<0>(key), std::get<2>(key), gathered, seed));
  }
  metrics.level_scores = judge::LevelScoresOf(verdicts);
  return metrics;
}

}  // namespace belay::runs
