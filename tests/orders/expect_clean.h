// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TESTS_ORDERS_EXPECT_CLEAN_H_
#define BELAY_TESTS_ORDERS_EXPECT_CLEAN_H_

// What tests say about judgements.

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <string>

#include "cases.h"

namespace belay::orders {

// The kernel ran, was reproduced, and gave equal bits in all orders unless a
// checker found something.
inline void ExpectEqualBits(const Case& test, const Judgement& judgement) {
  EXPECT_EQ(fmt::format("{}", fmt::join(judgement.errors, "\n")), "")
      << test.name;
  EXPECT_FALSE(judgement.kernels.empty()) << test.name << ": no launch";
  for (const Verdict& kernel : judgement.kernels) {
    EXPECT_FALSE(kernel.crashed) << test.name;
    EXPECT_TRUE(kernel.reproduced)
        << test.name << ": program order gives other bits than the chip did";
    EXPECT_EQ(kernel.found, std::vector<std::string>{}) << test.name;
    EXPECT_FALSE(kernel.races && !kernel.race_told)
        << test.name << ": two accesses conflict and nothing orders them";
    EXPECT_EQ(kernel.differing, 0) << test.name << ": orders that differ, of "
                                   << kernel.orders << "; seed " << Seed();
  }
}

// No mutant was missed.
inline void ExpectNoMisses(const Judgement& judgement) {
  for (const Verdict& mutant : judgement.mutants) {
    EXPECT_FALSE(mutant.is_missed())
        << mutant.what << ": differs or races, and is not found; seed "
        << Seed();
    EXPECT_FALSE(mutant.crashed) << mutant.what;
    EXPECT_TRUE(mutant.reproduced) << mutant.what;
  }
}

}  // namespace belay::orders

#endif  // BELAY_TESTS_ORDERS_EXPECT_CLEAN_H_
