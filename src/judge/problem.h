// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_JUDGE_PROBLEM_H_
#define BELAY_JUDGE_PROBLEM_H_

// Which calls a candidate has to pass, and which are timed.

#include <optional>
#include <string>
#include <vector>

#include "bench/case.h"
#include "judge/protocol.h"
#include "judge/seeds.h"
#include "judge/verdict.h"

namespace belay::judge {

// One call with values.
struct ProblemCall {
  bench::Case one_case;  // with the seed of the call
  SeedKind seed = SeedKind::kPublic;
  bool check = true;  // under checkers
};

struct Problem {
  std::string name;  // "dynamic", or the case
  std::optional<bench::Case> only;
  std::vector<ProblemCall> calls;  // edge cases first, small before large
  std::vector<bench::Case> timed;  // real cases, seeds as public
};

// Above so many elements a case runs under checkers with its public seed only:
// what they look for does not hang on values there.
inline constexpr int64_t kMostCheckedTwice = int64_t{1} << 20;

// `only_case` names the case of a static problem: it is judged under every
// regime that the task uses. Throws UserError when there is no such case.
Problem MakeProblem(const bench::Task& task, const JudgeProtocol& protocol,
                    const std::string& only_case, const Seeds& seeds,
                    const std::string& candidate_hash, int64_t most_elements);

}  // namespace belay::judge

#endif  // BELAY_JUDGE_PROBLEM_H_
