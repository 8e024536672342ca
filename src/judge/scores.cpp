// SPDX-License-Identifier: Apache-2.0
#include "judge/scores.h"

#include <utility>

namespace belay::judge {

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
