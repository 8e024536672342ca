// SPDX-License-Identifier: Apache-2.0
#include "runs/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "runs/summary.h"

namespace belay::runs {
namespace {

using nlohmann::json;
using ProblemName = std::pair<std::string, std::string>;

constexpr double kSameSpeed = 1.01;

// The judged samples of each problem, in their order.
std::map<ProblemName, std::vector<const judge::Verdict*>> JudgedOf(
    const std::vector<Result>& results) {
  std::map<ProblemName, std::vector<const judge::Verdict*>> judged;
  for (const Result& result : results) {
    const judge::Verdict& verdict = result.verdict;
    if (verdict.outcome == judge::Outcome::kInfrastructure) continue;
    judged[{verdict.task, verdict.problem}].push_back(&verdict);
  }
  return judged;
}

struct Side {
  bool solved = false;
  double speedup = 0;
  double share = 0;  // of all samples that passed
};

Side SideOf(const std::vector<const judge::Verdict*>& verdicts, size_t first) {
  Side side;
  int64_t passed = 0;
  for (size_t i = 0; i < verdicts.size(); ++i) {
    if (!verdicts[i]->passed()) continue;
    ++passed;
    if (i >= first) continue;
    side.solved = true;
    side.speedup = std::max(side.speedup, verdicts[i]->speedup());
  }
  side.share =
      static_cast<double>(passed) / static_cast<double>(verdicts.size());
  return side;
}

std::string ChangeOf(const Side& first, const Side& second) {
  if (second.solved && !first.solved) return "won";
  if (first.solved && !second.solved) return "lost";
  if (first.speedup <= 0 || second.speedup <= 0) return "same";
  if (second.speedup > kSameSpeed * first.speedup) return "faster";
  if (first.speedup > kSameSpeed * second.speedup) return "slower";
  return "same";
}

std::map<std::string, int64_t> CountsOf(const RunComparison& comparison) {
  std::map<std::string, int64_t> counts;
  for (const ProblemChange& one : comparison.problems) ++counts[one.change];
  return counts;
}

}  // namespace

RunComparison CompareResults(const std::vector<Result>& first,
                             const std::vector<Result>& second) {
  const auto judged_first = JudgedOf(first);
  const auto judged_second = JudgedOf(second);
  RunComparison comparison;
  std::map<std::string, Part> by_task;
  Part speeds;  // of logarithms
  for (const auto& [name, verdicts] : judged_first) {
    const auto other = judged_second.find(name);
    if (other == judged_second.end()) continue;
    const size_t fewer = std::min(verdicts.size(), other->second.size());
    const Side one = SideOf(verdicts, fewer);
    const Side two = SideOf(other->second, fewer);
    comparison.only_first += one.solved && !two.solved;
    comparison.only_second += two.solved && !one.solved;
    comparison.both += one.solved && two.solved;
    comparison.neither += !one.solved && !two.solved;
    comparison.problems.push_back({name.first, name.second, one.solved,
                                   two.solved, one.speedup, two.speedup,
                                   ChangeOf(one, two)});
    if (one.speedup > 0 && two.speedup > 0) {
      speeds.sum += std::log(two.speedup / one.speedup);
      speeds.count += 1;
    }
    Part& part = by_task[name.first];
    part.sum += two.share - one.share;
    part.count += 1;
  }
  const auto shared = static_cast<int64_t>(comparison.problems.size());
  comparison.left_out = static_cast<int64_t>(judged_first.size()) +
                        static_cast<int64_t>(judged_second.size()) - 2 * shared;
  comparison.p = McNemar(comparison.only_first, comparison.only_second);
  if (speeds.count > 0) {
    comparison.speed_ratio = std::exp(speeds.sum / speeds.count);
  }
  std::vector<std::vector<Part>> parts;
  for (const auto& [task, part] : by_task) parts.push_back({part});
  if (!parts.empty()) {
    comparison.difference = BootstrapMeans(parts).front();
  }
  return comparison;
}

json CompareRuns(const LoadedRun& first, const LoadedRun& second) {
  const RunComparison comparison =
      CompareResults(first.results, second.results);
  json problems = json::array();
  for (const ProblemChange& one : comparison.problems) {
    problems.push_back({{"task", one.task},
                        {"problem", one.problem},
                        {"solved", {one.first_solved, one.second_solved}},
                        {"speedup", {one.first_speedup, one.second_speedup}},
                        {"change", one.change}});
  }
  return {{"runs", {first.folder.string(), second.folder.string()}},
          {"problems", problems},
          {"counts", CountsOf(comparison)},
          {"solved",
           {{"both", comparison.both},
            {"only_first", comparison.only_first},
            {"only_second", comparison.only_second},
            {"neither", comparison.neither}}},
          {"left_out", comparison.left_out},
          {"mcnemar_p", comparison.p},
          {"pass_at_1_difference", ToJson(comparison.difference)},
          {"speed_ratio", comparison.speed_ratio}};
}

std::string CompareText(const LoadedRun& before, const LoadedRun& after) {
  const RunComparison comparison =
      CompareResults(before.results, after.results);
  std::string text = fmt::format(
      "{} problems are in both runs: {} won, {} lost (exact McNemar p = "
      "{:.2g}). pass@1 changed by {:+.1f} points, 95 % [{:+.1f}, {:+.1f}].",
      comparison.problems.size(), comparison.only_second, comparison.only_first,
      comparison.p, 100 * comparison.difference.value,
      100 * comparison.difference.low, 100 * comparison.difference.high);
  if (comparison.speed_ratio > 0) {
    text += fmt::format(
        " Where both solve a problem, simulated times changed by a factor of "
        "{:.3f} (geometric mean).",
        1 / comparison.speed_ratio);
  }
  return text;
}

std::string ComparisonText(const RunComparison& comparison,
                           const std::string& first,
                           const std::string& second) {
  std::string text = fmt::format("{} -> {}\n\n", first, second);
  for (const ProblemChange& one : comparison.problems) {
    if (one.change == "same") continue;
    text += fmt::format("{:<7} {}{}", one.change, one.task,
                        one.problem == "dynamic" ? "" : " " + one.problem);
    if (one.first_solved && one.second_solved) {
      text += fmt::format("  {:.2f}x -> {:.2f}x", one.first_speedup,
                          one.second_speedup);
    }
    text += "\n";
  }
  text += fmt::format("\n{} problems in both runs", comparison.problems.size());
  if (comparison.left_out > 0) {
    text += fmt::format(", {} in one alone (left out)", comparison.left_out);
  }
  text += ":";
  for (const auto& [change, count] : CountsOf(comparison)) {
    text += fmt::format(" {} {}", count, change);
  }
  text += fmt::format(
      "\nsolved by both {}, by the first alone {}, by the second alone {}, by "
      "neither {}\nMcNemar (exact, two-sided): p = {:.4g}\n"
      "pass@1: {:+.1f} points, 95 % [{:+.1f}, {:+.1f}]\n",
      comparison.both, comparison.only_first, comparison.only_second,
      comparison.neither, comparison.p, 100 * comparison.difference.value,
      100 * comparison.difference.low, 100 * comparison.difference.high);
  return text;
}

}  // namespace belay::runs
