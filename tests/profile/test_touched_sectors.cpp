// SPDX-License-Identifier: Apache-2.0
// Tests the bitmap of touched sectors against a set of numbers.

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "clock/touched_sectors.h"

namespace belay::clock {
namespace {

using Numbers = std::set<uint64_t>;

uint64_t NaiveMark(Numbers& marked, uint64_t address, uint64_t bytes,
                   const Numbers* except) {
  uint64_t added = 0;
  for (uint64_t at = address; at < address + bytes; ++at) {
    const uint64_t sector = at / TouchedSectors::kBytes;
    if (except != nullptr && except->contains(sector)) continue;
    added += marked.insert(sector).second;
  }
  return added;
}

TEST(TouchedSectors, CountAsASetDoes) {
  for (const uint32_t seed : {1u, 2u, 3u}) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    TouchedSectors read, written;
    Numbers naive_read, naive_written;
    for (int i = 0; i < 300; ++i) {
      const uint64_t address = (3ull << 40) + random() % 900'000;
      const uint64_t bytes =
          random() % 3 == 0 ? random() % 40'000 : random() % 300;
      if (random() % 2 == 0) {
        EXPECT_EQ(written.Mark(address, bytes),
                  NaiveMark(naive_written, address, bytes, nullptr));
      } else {
        EXPECT_EQ(read.Mark(address, bytes, &written),
                  NaiveMark(naive_read, address, bytes, &naive_written));
      }
    }
    EXPECT_EQ(read.count(), naive_read.size());
    EXPECT_EQ(written.count(), naive_written.size());
    uint64_t common = 0;
    for (const uint64_t sector : naive_read) {
      common += naive_written.contains(sector);
    }
    EXPECT_GT(common, 0u);
    EXPECT_EQ(read.CountCommon(written), common);
  }
}

TEST(TouchedSectors, NothingIsNothing) {
  TouchedSectors sectors;
  EXPECT_EQ(sectors.Mark(1000, 0), 0u);
  EXPECT_EQ(sectors.count(), 0u);
}

}  // namespace
}  // namespace belay::clock
