// SPDX-License-Identifier: Apache-2.0
// A kernel that the checkers call clean gives equal bits in 200 legal orders;
// of changed ones, those that give other bits in some order are found. A part
// of it, quick; test_orders_long.cpp has all.

#include <algorithm>
#include <cstdio>
#include <iterator>

#include "expect_clean.h"

namespace belay::orders {
namespace {

JudgeOptions Options(int mutant_step, int mutant_offset = 0) {
  JudgeOptions options;
  options.seed = Seed();
  options.mutant_step = mutant_step;
  options.mutant_offset = mutant_offset;
  return options;
}

TEST(Orders, CleanProgramsGiveEqualBits) {
  for (const Case& test : ProgramCases()) {
    ExpectEqualBits(test, test.Run(Options(0)));
  }
}

TEST(Orders, CleanOperatorsGiveEqualBits) {
  for (const Case& test : OperatorCases()) {
    ExpectEqualBits(test, test.Run(Options(0)));
  }
}

TEST(Orders, SomeMutantsDifferAndAllOfThemAreFound) {
  Judgement all;
  for (const Case& test : ProgramCases()) {
    Judgement judgement = test.Run(Options(29, 3));
    ExpectNoMisses(judgement);
    std::ranges::move(judgement.mutants, std::back_inserter(all.mutants));
  }
  std::fputs(Summarize(all).c_str(), stdout);
  int differing = 0;
  for (const Verdict& mutant : all.mutants) differing += mutant.differing > 0;
  EXPECT_GT(differing, 10) << "the executor does not see what is wrong";
}

}  // namespace
}  // namespace belay::orders
