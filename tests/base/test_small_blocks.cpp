// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "base/small_blocks.h"

namespace belay::testing::test_small_blocks {
namespace {

// Before the first test: blocks of malloc are given back by delete as well.
auto before = std::make_unique<std::string>(100, 'x');

class SmallBlocks : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    static bool done = false;
    if (!done) UseSmallBlocks();
    done = true;
  }
};

struct Held {
  std::unique_ptr<unsigned char[]> memory;
  size_t size = 0;
  unsigned char mark = 0;

  bool IsWhole() const {
    for (size_t i = 0; i < size; ++i) {
      if (memory[i] != mark) return false;
    }
    return true;
  }
};

Held Marked(size_t size, unsigned char mark) {
  Held held{std::make_unique<unsigned char[]>(size), size, mark};
  std::memset(held.memory.get(), mark, size);
  return held;
}

TEST_F(SmallBlocks, BlocksOfAllSizesAreApartAndAligned) {
  std::vector<Held> all;
  for (int round = 0; round < 3; ++round) {
    for (size_t size = 0; size <= 600; ++size) {
      all.push_back(Marked(size, static_cast<unsigned char>(size + round)));
      const auto at = reinterpret_cast<uintptr_t>(all.back().memory.get());
      EXPECT_EQ(at % __STDCPP_DEFAULT_NEW_ALIGNMENT__, 0U) << size;
    }
  }
  for (const Held& held : all) EXPECT_TRUE(held.IsWhole()) << held.size;
}

// Threads hand what they made to each other, so that another one drops it.
TEST_F(SmallBlocks, ThreadsDropWhatOthersMade) {
  const uint64_t seed = 20261118;
  std::vector<std::vector<Held>> hands(4);
  for (int round = 0; round < 20; ++round) {
    std::vector<std::vector<Held>> next(hands.size());
    std::vector<char> whole(hands.size(), 1);
    {
      std::vector<std::jthread> threads;
      for (size_t t = 0; t < hands.size(); ++t) {
        threads.emplace_back([&, t] {
          std::mt19937_64 random(seed + round * hands.size() + t);
          std::vector<Held> old = std::move(hands[t]);
          for (int i = 0; i < 5000; ++i) {
            next[t].push_back(
                Marked(random() % 700, static_cast<unsigned char>(random())));
            if (old.empty()) continue;
            std::swap(old[random() % old.size()], old.back());
            whole[t] = whole[t] && old.back().IsWhole();
            old.pop_back();
          }
        });
      }
    }
    for (size_t t = 0; t < hands.size(); ++t) {
      EXPECT_TRUE(whole[t]) << "round " << round << ", seed " << seed;
      hands[t] = std::move(next[(t + 1) % hands.size()]);
    }
  }
}

// One thread makes, another drops, over and over: the same blocks come again.
TEST_F(SmallBlocks, WhatOtherThreadsDropIsUsedAgain) {
  std::set<const void*> seen;
  for (int round = 0; round < 50; ++round) {
    std::vector<Held> made;
    std::jthread([&] {
      for (int i = 0; i < 2000; ++i) made.push_back(Marked(64, 1));
    }).join();
    for (const Held& held : made) seen.insert(held.memory.get());
    std::jthread([&] { made.clear(); }).join();
  }
  EXPECT_LT(seen.size(), 3 * 2000U);
}

TEST_F(SmallBlocks, WhatIsTooLargeThrowsAsItDoesElsewhere) {
  size_t huge = SIZE_MAX / 4;  // more than there is, not seen by the compiler
  EXPECT_THROW(::operator delete(::operator new(huge)), std::bad_alloc);
  EXPECT_EQ(::operator new(huge, std::nothrow), nullptr);
  ::operator delete(nullptr);
}

TEST_F(SmallBlocks, WhatWasMadeBeforeTheCallIsGivenBack) {
  ASSERT_NE(before, nullptr);
  EXPECT_EQ(*before, std::string(100, 'x'));
  before.reset();
}

}  // namespace
}  // namespace belay::testing::test_small_blocks
