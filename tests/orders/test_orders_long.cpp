// SPDX-License-Identifier: Apache-2.0
// All mutants of all kernels, by recorded instructions and by source text, and
// the programs of tests/seeded with their repaired twins. Prints the rate of
// what was found.

#include <algorithm>
#include <cstdio>
#include <iterator>

#include "expect_clean.h"
#include "source_mutants.h"

namespace belay::orders {
namespace {

JudgeOptions Options(int mutant_step) {
  JudgeOptions options;
  options.seed = Seed();
  options.mutant_step = mutant_step;
  return options;
}

void JudgeAll(const std::vector<Case>& cases) {
  Judgement all;
  for (const Case& test : cases) {
    Judgement judgement = test.Run(Options(1));
    ExpectEqualBits(test, judgement);
    ExpectNoMisses(judgement);
    std::printf("%s\n%s\n", test.name.c_str(), Summarize(judgement).c_str());
    std::ranges::move(judgement.mutants, std::back_inserter(all.mutants));
  }
  std::printf("in all\n%s", Summarize(all).c_str());
}

TEST(OrdersLong, RepairedTwinsGiveEqualBits) {
  for (const Case& test : SeededCases(/*repaired=*/true)) {
    ExpectEqualBits(test, test.Run(Options(0)));
  }
}

TEST(OrdersLong, SeededFaultsThatDifferAreFound) {
  Judgement all;
  for (const Case& test : SeededCases(/*repaired=*/false)) {
    const Judgement judgement = test.Run(Options(0));
    for (Verdict kernel : judgement.kernels) {
      kernel.what = test.name;
      kernel.group = test.name.substr(0, test.name.find('_'));
      for (const std::string& error : judgement.errors) {
        kernel.found.push_back(error.substr(0, error.find(' ')));
        kernel.trapped = true;
      }
      all.mutants.push_back(std::move(kernel));
    }
  }
  EXPECT_FALSE(all.mutants.empty());
  ExpectNoMisses(all);
  std::fputs(Summarize(all).c_str(), stdout);
}

TEST(OrdersLong, MutantsOfPrograms) { JudgeAll(ProgramCases()); }

TEST(OrdersLong, MutantsOfOperators) { JudgeAll(OperatorCases()); }

TEST(OrdersLong, MutantsOfSourceText) {
  const Judgement judgement = JudgeSourceMutants(Options(0));
  ExpectNoMisses(judgement);
  std::fputs(Summarize(judgement).c_str(), stdout);
}

}  // namespace
}  // namespace belay::orders
