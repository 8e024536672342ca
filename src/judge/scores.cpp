// SPDX-License-Identifier: Apache-2.0
#include "judge/scores.h"

#include <algorithm>
#include <string>
#include <utility>

namespace belay::judge {
namespace {

// The best value of each problem's verdicts; `value` of those that passed, else
// `otherwise`.
template <typename Value>
std::map<std::pair<std::string, std::string>, double> BestByProblem(
    const std::vector<Verdict>& verdicts, double otherwise,
    const Value& value) {
  std::map<std::pair<std::string, std::string>, double> best;
  for (const Verdict& verdict : verdicts) {
    if (verdict.outcome == Outcome::kInfrastructure) continue;
    double& own = best.try_emplace({verdict.task, verdict.problem}, otherwise)
                      .first->second;
    if (verdict.passed()) own = std::max(own, value(verdict));
  }
  return best;
}

}  // namespace

double FastP(const std::vector<Verdict>& verdicts, double p) {
  const auto best = BestByProblem(
      verdicts, -1, [](const Verdict& verdict) { return verdict.speedup(); });
  if (best.empty()) return 0;
  const auto fast = std::ranges::count_if(best, [p](const auto& one) {
    return p == 0 ? one.second >= 0 : one.second > p;
  });
  return static_cast<double>(fast) / static_cast<double>(best.size());
}

double MeanHap(const std::vector<Verdict>& verdicts) {
  const auto best = BestByProblem(
      verdicts, 0, [](const Verdict& verdict) { return verdict.hap(); });
  if (best.empty()) return 0;
  double sum = 0;
  for (const auto& [problem, hap] : best) sum += hap;
  return sum / static_cast<double>(best.size());
}

LevelScores LevelScoresOf(const std::vector<Verdict>& verdicts) {
  std::map<int, std::pair<int64_t, int64_t>> counts;  // passed, all
  for (const Verdict& verdict : verdicts) {
    if (verdict.outcome == Outcome::kInfrastructure) continue;
    auto& [passed, all] = counts[verdict.level];
    passed += verdict.passed() ? 1 : 0;
    ++all;
  }
  LevelScores scores;
  constexpr std::pair<int, double> kWeights[] = {{1, 0.2}, {2, 0.3}, {3, 0.5}};
  for (const auto& [level, weight] : kWeights) {
    const auto found = counts.find(level);
    if (found == counts.end()) continue;
    const auto& [passed, all] = found->second;
    scores.levels[level] =
        static_cast<double>(passed) / static_cast<double>(all);
    scores.weighted += weight * scores.levels[level];
  }
  return scores;
}

double FlopsPerSecond(const CaseTime& time) {
  return time.simulated > 0
             ? static_cast<double>(time.flops) / time.simulated * 1e6
             : 0;
}

double BytesPerSecond(const CaseTime& time) {
  return time.simulated > 0
             ? static_cast<double>(time.bytes) / time.simulated * 1e6
             : 0;
}

}  // namespace belay::judge
