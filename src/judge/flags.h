// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_JUDGE_FLAGS_H_
#define BELAY_JUDGE_FLAGS_H_

// What a reader of a result should know about a candidate, seen in its text.
// Flags never decide a verdict.

#include <vector>

#include "judge/candidate.h"
#include "judge/problem.h"
#include "judge/verdict.h"

namespace belay::judge {

// Rule numbers of docs/rules.md.
inline constexpr int kRuleLibraryCalls = 12;
inline constexpr int kRuleScalarOnly = 13;
inline constexpr int kRuleShapeKeyed = 14;
inline constexpr int kRuleBelowBound = 15;

// "high-level-library" for calls of AscendC's high-level functions and its
// Matmul object; "shape-keyed" for comparisons with a number that is the size
// of a dimension or the number of elements of one of the timed cases, in a
// dynamic problem.
std::vector<Flag> FlagsOfText(const Candidate& candidate,
                              const bench::Task& task, const Problem& problem);

}  // namespace belay::judge

#endif  // BELAY_JUDGE_FLAGS_H_
