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

TEST(InParallel, ThrowsTheFailureOfTheLowestNumber) {
  try {
    InParallel(100, [](size_t i) {
      if (i >= 7) throw std::runtime_error(std::to_string(i));
    });
    FAIL() << "nothing was thrown";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "7");
  }
}

TEST(InRanges, DoesEveryNumberOnceInFewRanges) {
  for (const size_t count : {0, 1, 2, 9, 72, 1000}) {
    std::vector<std::atomic<int>> done(count);
    std::atomic<size_t> ranges = 0;
    InRanges(count, [&](size_t begin, size_t end) {
      EXPECT_LT(begin, end);
      for (size_t i = begin; i < end; ++i) ++done[i];
      ++ranges;
    });
    for (const auto& one : done) EXPECT_EQ(one, 1);
    EXPECT_LE(ranges, count < 1000 ? count : 200);
  }
}

TEST(InRanges, TakesNumbersInOrderWhenTheyAreDone) {
  std::vector<size_t> results(1000);
  std::vector<size_t> taken;
  InRanges(
      results.size(),
      [&](size_t begin, size_t end) {
        for (size_t i = begin; i < end; ++i) results[i] = i * i;
      },
      [&](size_t i) { taken.push_back(results[i]); });
  ASSERT_EQ(taken.size(), results.size());
  for (size_t i = 0; i < taken.size(); ++i) EXPECT_EQ(taken[i], i * i);
}

TEST(InRanges, ThrowsTheFailureOfTheLowestRange) {
  std::vector<size_t> taken;
  size_t begin_of_7 = 0;
  const auto fail_from_7 = [&](size_t begin, size_t end) {
    if (begin <= 7 && 7 < end) begin_of_7 = begin;
    if (end > 7) throw std::runtime_error(std::to_string(begin));
  };
  try {
    InRanges(100, fail_from_7, [&](size_t i) { taken.push_back(i); });
    FAIL() << "nothing was thrown";
  } catch (const std::runtime_error& error) {
    EXPECT_EQ(error.what(), std::to_string(begin_of_7));
  }
  EXPECT_EQ(taken.size(), begin_of_7);
}

TEST(InRanges, EndsWhenTakingFails) {
  EXPECT_THROW(InRanges(
                   100, [](size_t, size_t) {},
                   [](size_t i) {
                     if (i == 3) throw std::out_of_range("3");
                   }),
               std::out_of_range);
}

}  // namespace
}  // namespace belay::testing::test_in_parallel
