// SPDX-License-Identifier: Apache-2.0
// A few hundred fuzzed programs, right and broken.

#include <gtest/gtest.h>

#include "crux/fuzz/generate.h"
#include "crux/fuzz/mutate.h"
#include "fuzz_case.h"

namespace belay::testing::test_fuzz {
namespace {

TEST(Fuzz, RightProgramsCheckAndRun) {
  FuzzTally tally;
  for (uint64_t i = 0; i < 400; ++i) {
    ExpectRight(FirstSeed() + i, tally);
    if (HasFatalFailure()) break;
  }
}

TEST(Fuzz, RightProgramsUseEveryOperation) {
  FuzzTally tally;
  for (uint64_t i = 0; i < 1500; ++i) {
    CountOperations(FirstSeed() + i, tally);
  }
  for (const crux::OpInfo& info : crux::AllOperations()) {
    EXPECT_GT(tally.operations[info.op], 0) << info.id;
  }
}

TEST(Fuzz, BrokenProgramsAreTold) {
  FuzzTally tally;
  for (uint64_t i = 0; i < 400; ++i) {
    ExpectToldOrRight(FirstSeed() + i, tally);
    if (HasFatalFailure()) break;
  }
  EXPECT_LT(tally.still_right, tally.programs / 2);
  EXPECT_GT(tally.codes.size(), 15u);
}

TEST(Fuzz, SameSeedGivesTheSameProgram) {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    const std::string text = crux::fuzz::Generate(seed).text;
    EXPECT_EQ(text, crux::fuzz::Generate(seed).text);
    EXPECT_EQ(crux::fuzz::Mutate(text, seed), crux::fuzz::Mutate(text, seed));
  }
}

}  // namespace
}  // namespace belay::testing::test_fuzz
