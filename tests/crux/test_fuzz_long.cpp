// SPDX-License-Identifier: Apache-2.0
// Ten thousand fuzzed programs, right and broken; prints what they were made
// of and which messages they met.

#include <gtest/gtest.h>

#include <cstdio>

#include "fuzz_case.h"

namespace belay::testing::test_fuzz_long {
namespace {

constexpr uint64_t kPrograms = 10'000;

TEST(FuzzLong, RightProgramsCheckAndRun) {
  FuzzTally tally;
  for (uint64_t i = 0; i < kPrograms; ++i) {
    ExpectRight(FirstSeed() + i, tally);
    if (HasFatalFailure()) break;
  }
  for (const auto& [op, count] : tally.operations) {
    std::printf("%6d %s\n", count, std::string(crux::InfoOf(op).id).c_str());
  }
}

TEST(FuzzLong, BrokenProgramsAreTold) {
  FuzzTally tally;
  for (uint64_t i = 0; i < kPrograms; ++i) {
    ExpectToldOrRight(FirstSeed() + i, tally);
    if (HasFatalFailure()) break;
  }
  std::printf("%d programs, %d still right\n", tally.programs,
              tally.still_right);
  for (const auto& [code, count] : tally.codes) {
    std::printf("%6d %s\n", count, code.c_str());
  }
}

}  // namespace
}  // namespace belay::testing::test_fuzz_long
