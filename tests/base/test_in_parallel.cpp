// SPDX-License-Identifier: Apache-2.0
// Every part is worked once, taken in order, and the first failure is thrown.

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/in_parallel.h"

namespace belay::testing::test_in_parallel {
namespace {

TEST(InParallel, DoesEveryPartOnce) {
  std::vector<std::atomic<int>> done(1000);
  InParallel(done.size(), [&](size_t i) { ++done[i]; });
  for (const auto& one : done) EXPECT_EQ(one, 1);
  InParallel(0, [](size_t) { FAIL() << "there is no part"; });
}

TEST(InParallel, TakesPartsInOrderWhenTheyAreDone) {
  std::vector<size_t> results(1000);
  std::vector<size_t> taken;
  InParallel(
      results.size(), [&](size_t i) { results[i] = i * i; },
      [&](size_t i) { taken.push_back(results[i]); });
  ASSERT_EQ(taken.size(), results.size());
  for (size_t i = 0; i < taken.size(); ++i) EXPECT_EQ(taken[i], i * i);
}

TEST(InParallel, ThrowsTheFailureOfTheLowestNumber) {
  std::vector<size_t> taken;
  const auto fail_from_7 = [](size_t i) {
    if (i >= 7) throw std::runtime_error(std::to_string(i));
  };
  try {
    InParallel(100, fail_from_7, [&](size_t i) { taken.push_back(i); });
    FAIL() << "nothing was thrown";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "7");
  }
  EXPECT_EQ(taken, (std::vector<size_t>{0, 1, 2, 3, 4, 5, 6}));
}

TEST(InParallel, EndsWhenTakingFails) {
  EXPECT_THROW(InParallel(
                   100, [](size_t) {},
                   [](size_t i) {
                     if (i == 3) throw std::out_of_range("3");
                   }),
               std::out_of_range);
}

}  // namespace
}  // namespace belay::testing::test_in_parallel
