// SPDX-License-Identifier: Apache-2.0
// The two-level shadow against a plain array of bytes.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <random>
#include <vector>

#include "check/shadow_map.h"
#include "support.h"

namespace belay::check::test_shadow_map {
namespace {

constexpr uint64_t kBase = 1 << 20;
constexpr uint64_t kBytes = 5000;

TEST(ShadowMap, StartsClear) {
  const ShadowMap map(kBase, kBytes);
  EXPECT_TRUE(map.IsClear(kBase, kBytes));
  EXPECT_TRUE(map.IsClear(kBase, 0));
  EXPECT_TRUE(map.Spans(kBase + kBytes - 1));
  EXPECT_FALSE(map.Spans(kBase - 1));
  EXPECT_EQ(map.OriginAt(kBase), 0u);
}

TEST(ShadowMap, OriginsBelongToChunksThatAreNotClear) {
  ShadowMap map(kBase, kBytes);
  map.Fill(kBase + 300, 10);
  map.SetOrigin(kBase, 1024, 7);
  EXPECT_EQ(map.OriginAt(kBase), 0u);
  EXPECT_EQ(map.OriginAt(kBase + 256), 7u);
  EXPECT_EQ(map.OriginAt(kBase + 512), 0u);
}

TEST(ShadowMap, NeighbouringBlocksHaveOriginsOfTheirOwn) {
  ShadowMap map(kBase, kBytes);
  map.Fill(kBase, 512);
  map.SetOrigin(kBase + 224, 64, 7);
  EXPECT_EQ(map.OriginAt(kBase + 223), 0u);
  EXPECT_EQ(map.OriginAt(kBase + 224), 7u);
  EXPECT_EQ(map.OriginAt(kBase + 287), 7u);
  EXPECT_EQ(map.OriginAt(kBase + 288), 0u);
}

TEST(ShadowMap, AgreesWithAnArrayOfBytes) {
  const uint64_t seed = SeedOr(910);
  std::printf("BELAY_SEED=%llu\n", static_cast<unsigned long long>(seed));
  std::mt19937_64 random(seed);
  const auto below = [&](uint64_t limit) { return random() % limit; };
  ShadowMap map(kBase, kBytes);
  ShadowMap other(kBase, kBytes);
  std::vector<uint8_t> expected(kBytes, 0);
  for (int step = 0; step < 4000; ++step) {
    const uint64_t at = below(4) == 0 ? below(18) * 256 : below(kBytes);
    const uint64_t bytes =
        below(3) == 0 ? below(kBytes - at + 1)
                      : below(std::min<uint64_t>(kBytes - at + 1, 300));
    switch (below(5)) {
      case 0:
        map.Clear(kBase + at, bytes);
        std::fill_n(expected.begin() + at, bytes, 0);
        break;
      case 1:
        map.Fill(kBase + at, bytes);
        std::fill_n(expected.begin() + at, bytes, 0xff);
        break;
      case 2: {
        uint8_t* to = map.Write(kBase + at, bytes);
        for (uint64_t i = 0; i < bytes; ++i) {
          to[i] = expected[at + i] =
              static_cast<uint8_t>(below(3) == 0   ? 0
                                   : below(2) == 0 ? 0xff
                                                   : random());
        }
        map.Settle(kBase + at, bytes);
        break;
      }
      case 3: {
        const uint64_t from = below(kBytes - bytes + 1);
        map.CopyFrom(kBase + at, &map, kBase + from, bytes);
        const std::vector<uint8_t> moved(expected.begin() + from,
                                         expected.begin() + from + bytes);
        std::copy(moved.begin(), moved.end(), expected.begin() + at);
        break;
      }
      default:
        map.CopyFrom(kBase + at, below(2) ? nullptr : &other, kBase, bytes);
        std::fill_n(expected.begin() + at, bytes, 0);
        break;
    }
    const uint64_t from = below(kBytes);
    const uint64_t length = below(kBytes - from + 1);
    uint64_t first = from;
    while (first < from + length && expected[first] == 0) ++first;
    ASSERT_EQ(map.FirstSet(kBase + from, length), kBase + first);
    ASSERT_EQ(map.IsClear(kBase + from, length), first == from + length);
    const uint64_t end = map.EndOfSet(kBase + from, length) - kBase;
    ASSERT_LE(end, from + length);
    for (uint64_t i = end; i < from + length; ++i) ASSERT_EQ(expected[i], 0);
    for (uint64_t i = 0; i < kBytes; ++i) {
      ASSERT_EQ(map.At(kBase + i), expected[i]) << "step " << step;
    }
    const uint8_t* read = map.Read(kBase + from, length);
    for (uint64_t i = 0; i < length; ++i)
      ASSERT_EQ(read[i], expected[from + i]);
  }
}

}  // namespace
}  // namespace belay::check::test_shadow_map
