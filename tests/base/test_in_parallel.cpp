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

TEST(InRanges, ThrowsTheFailureOfTheLowestRange) {
  size_t begin_of_7 = 0;
  const auto fail_from_7 = [&](size_t begin, size_t end) {
    if (begin <= 7 && 7 < end) begin_of_7 = begin;
    if (end > 7) throw std::runtime_error(std::to_string(begin));
  };
  try {
    InRanges(100, fail_from_7);
    FAIL() << "nothing was thrown";
  } catch (const std::runtime_error& error) {
    EXPECT_EQ(error.what(), std::to_string(begin_of_7));
  }
}

// Numbers 0 … count - 1, dealt out to chains in turn.
std::vector<std::vector<size_t>> Dealt(size_t count, size_t chains) {
  std::vector<std::vector<size_t>> result(chains);
  for (size_t i = 0; i < count; ++i) result[i % chains].push_back(i);
  return result;
}

TEST(InChains, TakesWhatIsDoneInTheOrderOfItsChain) {
  for (const size_t count : {0, 1, 2, 9, 1000}) {
    for (const size_t chains : {1, 2, 7}) {
      std::vector<std::atomic<size_t>> results(count);
      std::vector<std::vector<size_t>> taken(chains);
      InChains(
          Dealt(count, chains), [&](size_t i) { results[i] += i * i + 1; },
          [&](size_t i) {
            EXPECT_EQ(results[i], i * i + 1);
            taken[i % chains].push_back(i);
          });
      EXPECT_EQ(taken, Dealt(count, chains));
    }
  }
}

TEST(InChains, EndsWhenWorkOrTakingFails) {
  const auto fails_at_3 = [](size_t i) {
    if (i == 3) throw std::out_of_range("3");
  };
  std::vector<size_t> taken;
  EXPECT_THROW(InChains(Dealt(100, 1), fails_at_3,
                        [&](size_t i) { taken.push_back(i); }),
               std::out_of_range);
  EXPECT_LE(taken.size(), 3U);
  EXPECT_THROW(InChains(
                   Dealt(100, 4), [](size_t) {}, fails_at_3),
               std::out_of_range);
}

}  // namespace
}  // namespace belay::testing::test_in_parallel
