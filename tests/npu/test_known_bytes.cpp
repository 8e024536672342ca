// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "npu/known_bytes.h"

namespace belay::npu {
namespace {

TEST(KnownBytes, AgreesWithOneFlagPerByte) {
  constexpr uint64_t kBytes = 300;
  for (uint64_t seed = 1; seed <= 50; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937_64 random(seed);
    KnownBytes known;
    std::vector<bool> flags(kBytes);
    for (int step = 0; step < 300; ++step) {
      const uint64_t begin = random() % kBytes;
      const uint64_t end =
          begin + random() % std::min<uint64_t>(40, kBytes - begin + 1);
      const bool add = random() % 2 == 0;
      add ? known.Add(begin, end) : known.Remove(begin, end);
      for (uint64_t at = begin; at < end; ++at) flags[at] = add;

      const uint64_t from = random() % kBytes;
      const uint64_t to = from + random() % (kBytes - from + 1);
      bool all = true;
      bool any = false;
      for (uint64_t at = from; at < to; ++at) {
        all = all && flags[at];
        any = any || flags[at];
      }
      ASSERT_EQ(known.Overlaps(from, to), any) << "step " << step;
      ASSERT_EQ(known.Contains(from, to), all)
          << "step " << step << ", [" << from << ", " << to << ")";
    }
    uint64_t runs = 0;
    for (uint64_t at = 0; at < kBytes; ++at) {
      runs += flags[at] && (at == 0 || !flags[at - 1]);
    }
    EXPECT_EQ(known.ranges(), runs);
  }
}

}  // namespace
}  // namespace belay::npu
