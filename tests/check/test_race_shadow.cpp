// SPDX-License-Identifier: Apache-2.0
// The shadow against a list for every byte: random ranges, random accesses,
// pages that fragment and become whole again.

#include <algorithm>
#include <map>
#include <random>
#include <vector>

#include "check/race_shadow.h"
#include "support.h"

namespace belay::check::test_race_shadow {
namespace {

using Kind = RaceAccess::Kind;

// The entries of a byte, sorted.
std::vector<uint64_t> Sorted(const std::vector<RaceAccess>& entries) {
  std::vector<uint64_t> keys;
  for (const RaceAccess& entry : entries) {
    keys.push_back(uint64_t{entry.count} << 32 | uint64_t{entry.site} << 16 |
                   uint64_t{entry.slot} << 8 | entry.bits);
  }
  std::sort(keys.begin(), keys.end());
  return keys;
}

void PutNaively(std::vector<RaceAccess>& entries, const RaceAccess& access) {
  for (RaceAccess& entry : entries) {
    if (entry.slot == access.slot && entry.bits == access.bits) {
      entry = access;
      return;
    }
  }
  entries.push_back(access);
}

TEST(RaceShadow, HoldsWhatAListForEveryByteHolds) {
  const uint64_t seed = SeedOr(42);
  std::mt19937_64 random(seed);
  const auto below = [&](uint64_t limit) { return random() % limit; };
  constexpr uint64_t kBase = 0x40000000;
  constexpr uint64_t kBytes = 3 * 4096;
  for (int round = 0; round < 40; ++round) {
    RaceShadow shadow;
    std::vector<std::vector<RaceAccess>> naive(kBytes);
    const uint64_t unit = uint64_t{1} << below(6);
    for (uint32_t step = 1; step < 250; ++step) {
      uint64_t begin = below(kBytes / unit) * unit;
      uint64_t end = std::min(kBytes, begin + (1 + below(20)) * unit);
      if (below(20) == 0) {
        begin = begin / 4096 * 4096;
        end = begin + 4096;
      }
      const auto kind = static_cast<Kind>(below(3));
      const RaceAccess access{step, static_cast<uint16_t>(below(5)),
                              static_cast<uint8_t>(below(6)),
                              RaceAccess::Bits(static_cast<abi::Pipe>(below(3)),
                                               kind, below(2) == 0, false)};
      const bool resets = kind == Kind::kWrite;
      uint64_t visited = 0;
      shadow.Visit(kBase + begin, kBase + end, resets,
                   [&](RaceCell& cell, uint64_t from, uint64_t to) {
                     visited += to - from;
                     std::vector<RaceAccess> entries;
                     cell.ForEach([&](const RaceAccess& entry) {
                       entries.push_back(entry);
                     });
                     for (uint64_t at = from; at < to; ++at) {
                       ASSERT_EQ(Sorted(entries), Sorted(naive[at - kBase]))
                           << "byte " << at - kBase << ", step " << step
                           << ", round " << round << ", seed " << seed;
                     }
                     if (resets) {
                       cell.Reset(access);
                     } else {
                       cell.Put(access);
                     }
                   });
      if (HasFatalFailure()) return;
      ASSERT_EQ(visited, end - begin);
      for (uint64_t at = begin; at < end; ++at) {
        if (resets) {
          naive[at] = {access};
        } else {
          PutNaively(naive[at], access);
        }
      }
    }
    std::vector<bool> seen(kBytes);
    shadow.Look(kBase, kBase + kBytes,
                [&](const RaceCell& cell, uint64_t from, uint64_t to) {
                  std::vector<RaceAccess> entries;
                  cell.ForEach([&](const RaceAccess& entry) {
                    entries.push_back(entry);
                  });
                  for (uint64_t at = from; at < to; ++at) {
                    EXPECT_EQ(Sorted(entries), Sorted(naive[at - kBase]));
                    seen[at - kBase] = true;
                  }
                });
    for (uint64_t at = 0; at < kBytes; ++at) {
      ASSERT_TRUE(seen[at] || naive[at].empty()) << "byte " << at;
    }
  }
}

}  // namespace
}  // namespace belay::check::test_race_shadow
