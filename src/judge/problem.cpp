// SPDX-License-Identifier: Apache-2.0
#include "judge/problem.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/error.h"

namespace belay::judge {
namespace {

using bench::Case;
using bench::CaseKind;

Case FindCase(const bench::Task& task, const std::vector<Case>& cases,
              const std::string& name) {
  const auto found = std::ranges::find(cases, name, &Case::name);
  if (found != cases.end()) return *found;
  throw UserError(
      fmt::format("[judge] {} has no case '{}'; `belay tasks show {}` lists "
                  "them",
                  task.id, name, task.id));
}

// The case under every regime the task has; the seed differs for each.
std::vector<Case> UnderAllRegimes(const std::vector<Case>& cases,
                                  const Case& only) {
  std::set<bench::Regime> regimes;
  for (const Case& one : cases) regimes.insert(one.regime);
  std::vector<Case> all = {only};
  for (const bench::Regime regime : regimes) {
    if (regime == only.regime) continue;
    Case another = only;
    another.regime = regime;
    another.seed += static_cast<uint64_t>(regime) + 1;
    all.push_back(std::move(another));
  }
  return all;
}

}  // namespace

Problem MakeProblem(const bench::Task& task, const JudgeProtocol& protocol,
                    const std::string& only_case, const Seeds& seeds,
                    const std::string& candidate_hash, int64_t most_elements) {
  const std::vector<Case> all = bench::ExpandCases(task);
  Problem problem;
  problem.name = only_case.empty() ? "dynamic" : only_case;
  std::vector<Case> cases;
  if (only_case.empty()) {
    cases = all;
    for (const Case& one : all) {
      if (one.kind == CaseKind::kReal) {
        problem.timed.push_back(WithPublicSeed(one, seeds));
      }
    }
  } else {
    problem.only = FindCase(task, all, only_case);
    problem.timed.push_back(WithPublicSeed(*problem.only, seeds));
    cases = protocol.edge_cases ? UnderAllRegimes(all, *problem.only)
                                : std::vector<Case>{*problem.only};
  }
  std::erase_if(cases, [&](const Case& one) {
    return bench::ElementsOf(task, one) > most_elements ||
           (!protocol.edge_cases && only_case.empty() &&
            one.kind == CaseKind::kEdge);
  });
  std::ranges::stable_sort(cases, {}, [&](const Case& one) {
    return std::pair(one.kind, one.kind == CaseKind::kEdge
                                   ? 0
                                   : bench::ElementsOf(task, one));
  });
  for (const Case& one : cases) {
    problem.calls.push_back(
        {WithPublicSeed(one, seeds), SeedKind::kPublic, true});
    if (!protocol.secret_seed) continue;
    problem.calls.push_back(
        {WithSecretSeed(one, seeds, candidate_hash), SeedKind::kSecret,
         bench::ElementsOf(task, one) <= kMostCheckedTwice});
  }
  return problem;
}

}  // namespace belay::judge
