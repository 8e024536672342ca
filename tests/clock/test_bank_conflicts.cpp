// SPDX-License-Identifier: Apache-2.0
// Bank conflicts against published measurements, and against a model that
// steps through every cycle and every block.

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <random>
#include <set>
#include <vector>

#include "clock/bank_conflicts.h"

namespace belay::clock::test_bank_conflicts {
namespace {

constexpr uint32_t kWriteDelay = 15;

BankAccess At(uint32_t address, uint32_t block_stride = 1,
              uint32_t repeat_stride = 8) {
  return {address / 32, block_stride, repeat_stride, 0xFF};
}

BankPattern Binary(BankAccess src0, BankAccess src1, BankAccess dst) {
  BankPattern pattern;
  pattern.write = dst;
  pattern.read[0] = src0;
  pattern.read[1] = src1;
  pattern.repeats = 64;
  return pattern;
}

uint32_t Lost(const BankPattern& pattern) {
  const BankConflicts conflicts = CountBankConflicts(pattern, kWriteDelay);
  return conflicts.conflict_cycles + conflicts.delayed;
}

// 1000 Adds of 4096 floats each; published in ticks of 50 MHz at 1.8 GHz. The
// scenario without conflicts takes 86.0 cycles.
struct Scenario {
  BankPattern pattern;
  double ticks;
};
const Scenario kPublished[] = {
    {Binary(At(0), At(0x10100), At(0x20000)), 2390},
    {Binary(At(0), At(0x4000), At(0x10000)), 4167},
    {Binary(At(0), At(0x10000), At(0x14100)), 4167},
    {Binary(At(0), At(0x10100), At(0x4000)), 2389},
    {Binary(At(0), At(0x10100), At(0x4020)), 3751},
    {Binary(At(0), At(0x10100), At(0x10100)), 2390},
    {Binary(At(0, 0, 1), At(0x10100), At(0x10100)), 3584},
    {Binary(At(0, 0, 8), At(0x10100), At(0x10100)), 2389},
};

TEST(BankConflicts, PublishedScenarios) {
  for (const Scenario& scenario : kPublished) {
    const double measured = scenario.ticks / 1000 * 1800 / 50;
    const double predicted = 86 + Lost(scenario.pattern);
    EXPECT_NEAR(predicted, measured, measured * 0.09)
        << "scenario " << &scenario - kPublished + 1;
  }
}

TEST(BankConflicts, SourcesInOneGroupTakeTurns) {
  EXPECT_EQ(CountBankConflicts(kPublished[1].pattern, kWriteDelay),
            (BankConflicts{64, 0}));
  EXPECT_EQ(CountBankConflicts(kPublished[2].pattern, kWriteDelay),
            (BankConflicts{64, 0}));
}

TEST(BankConflicts, WritesOutOfPhaseDelayReads) {
  const BankConflicts conflicts =
      CountBankConflicts(kPublished[4].pattern, kWriteDelay);
  EXPECT_EQ(conflicts.conflict_cycles, 0u);
  EXPECT_GT(conflicts.delayed, 0u);
}

TEST(BankConflicts, TheSameSourceTwiceIsReadOnce) {
  EXPECT_EQ(Lost(Binary(At(0), At(0), At(0x10000))), 0u);
}

// Copies of 144 × 128 halves by columns: 1163 and 174 cycles were measured for
// 144 repeats.
TEST(BankConflicts, WritesToOneGroupTakeTurns) {
  BankPattern copy;
  copy.read[0] = At(0);
  copy.write = At(0x12000, 144, 1);
  copy.repeats = 144;
  EXPECT_EQ(Lost(copy), 144u * 7);
  copy.write.block_stride = 145;
  EXPECT_EQ(Lost(copy), 0u);
  copy.write.block_stride = 8;
  EXPECT_EQ(Lost(copy), 144u * 3);
}

TEST(BankConflicts, SlowInstructionsReadInParts) {
  BankPattern divide = Binary(At(0), At(0x10000), At(0x10000));
  divide.interval = 2;
  divide.beats = 2;
  EXPECT_EQ(Lost(divide), 2u * 64);
  // Halves that never meet.
  divide.read[1] = At(0x10080);
  divide.write = At(0x10080);
  EXPECT_EQ(CountBankConflicts(divide, kWriteDelay).conflict_cycles, 0u);
}

TEST(BankConflicts, PatternsOfOneLoopAreOne) {
  const auto row = [](uint32_t i) {
    BankPattern pattern =
        Binary(At(i * 512), At(0x6000 + i * 512), At(0x10100 + i * 512));
    pattern.repeats = 2;
    return Lowered(pattern);
  };
  for (uint32_t i = 1; i < 40; ++i) EXPECT_EQ(row(i), row(0));
}

TEST(BankConflicts, NoRepeatsNoCycles) {
  BankPattern pattern = kPublished[1].pattern;
  pattern.repeats = 0;
  EXPECT_EQ(Lost(pattern), 0u);
}

// The same machine, one cycle after the other, blocks as addresses.
class NaiveUb {
 public:
  static uint64_t Run(const BankPattern& pattern) {
    uint64_t cycle = 0;
    std::deque<std::pair<uint64_t, std::vector<std::set<uint32_t>>>> writes;
    uint64_t write_begun = 0;  // of the first of them; 0: not yet
    bool writing = false;
    uint64_t last_write = 0;
    const auto write_step = [&](uint64_t at) -> std::set<uint32_t> {
      if (!writing) {
        if (writes.empty() || writes.front().first > at) return {};
        writing = true;
        write_begun = at;
      }
      const auto& slots = writes.front().second;
      const std::set<uint32_t> now = slots[at - write_begun];
      if (at - write_begun + 1 == slots.size()) {
        writing = false;
        writes.pop_front();
        last_write = at + 1;
      }
      return now;
    };
    for (uint32_t repeat = 0; repeat < pattern.repeats; ++repeat) {
      // 64 results may wait, beside the one that is written.
      while (true) {
        if (!writing && !writes.empty() && writes.front().first <= cycle) {
          writing = true;
          write_begun = cycle;
        }
        if (writes.size() - writing < 64) break;
        write_step(cycle++);
      }
      const uint64_t begin = cycle;
      uint64_t waited = 0;
      for (uint32_t beat = 0; beat < pattern.beats; ++beat) {
        std::vector<uint32_t> blocks;
        for (const BankAccess& read : pattern.read) {
          if (repeat > 0 && read.repeat_stride == 0) continue;
          Collect(read, repeat, beat * 8 / pattern.beats,
                  (beat + 1) * 8 / pattern.beats, blocks);
        }
        auto slots = SlotsOf(blocks);
        if (slots.empty()) slots.emplace_back();
        for (const std::set<uint32_t>& slot : slots) {
          while (true) {
            const std::set<uint32_t> written = write_step(cycle++);
            const bool clash =
                std::any_of(slot.begin(), slot.end(), [&](uint32_t block) {
                  return std::any_of(written.begin(), written.end(),
                                     [&](uint32_t other) {
                                       return Bank(block) == Bank(other);
                                     });
                });
            if (!clash) break;
            ++waited;
          }
        }
      }
      while (cycle < begin + pattern.interval + waited) write_step(cycle++);
      if (pattern.write.blocks != 0) {
        std::vector<uint32_t> blocks;
        Collect(pattern.write, repeat, 0, 8, blocks);
        writes.emplace_back(cycle - 1 + kWriteDelay, SlotsOf(blocks));
      }
    }
    const uint64_t read = cycle;
    while (!writes.empty()) write_step(cycle++);
    return pattern.write.blocks == 0 ? read
                                     : std::max(read, last_write - kWriteDelay);
  }

 private:
  static uint32_t Bank(uint32_t block) {
    return block % 16 + block / 2048 % 4 * 16;
  }
  static void Collect(const BankAccess& access, uint32_t repeat, uint32_t from,
                      uint32_t to, std::vector<uint32_t>& blocks) {
    for (uint32_t i = from; i < to; ++i) {
      if ((access.blocks >> i & 1) == 0) continue;
      const uint32_t block = access.first + repeat * access.repeat_stride +
                             i * access.block_stride;
      if (std::find(blocks.begin(), blocks.end(), block) == blocks.end()) {
        blocks.push_back(block);
      }
    }
  }
  static std::vector<std::set<uint32_t>> SlotsOf(
      const std::vector<uint32_t>& blocks) {
    std::vector<std::set<uint32_t>> slots;
    for (const uint32_t block : blocks) {
      auto free = std::find_if(
          slots.begin(), slots.end(), [&](const std::set<uint32_t>& slot) {
            return std::none_of(slot.begin(), slot.end(), [&](uint32_t other) {
              return other % 16 == block % 16;
            });
          });
      if (free == slots.end()) free = slots.emplace(slots.end());
      free->insert(block);
    }
    return slots;
  }
};

TEST(BankConflicts, AgreesWithSteppingThroughCycles) {
  for (uint32_t seed = 1; seed <= 2000; ++seed) {
    std::mt19937 random(seed);
    const auto pick = [&](std::vector<uint32_t> of) {
      return of[random() % of.size()];
    };
    const auto access = [&] {
      return BankAccess{static_cast<uint32_t>(random() % 6144),
                        pick({0, 1, 1, 1, 2, 8, 16, 144, 145}),
                        pick({0, 1, 8, 8, 8, 16, 64}),
                        static_cast<uint8_t>(pick({0xFF, 0xFF, 0x0F, 0xA5}))};
    };
    BankPattern pattern;
    pattern.write = access();
    pattern.read[0] = access();
    if (random() % 2 != 0) pattern.read[1] = access();
    if (random() % 8 == 0) pattern.write = {};
    pattern.repeats = 1 + random() % 100;
    pattern.beats = static_cast<uint8_t>(pick({1, 1, 2, 4}));
    pattern.interval = static_cast<uint16_t>(
        pattern.beats == 1 ? pick({1, 1, 7}) : pattern.beats);
    EXPECT_EQ(CountBankConflicts(Lowered(pattern), kWriteDelay),
              CountBankConflicts(pattern, kWriteDelay))
        << "seed " << seed;
    const uint64_t least = uint64_t{pattern.repeats} * pattern.interval;
    EXPECT_EQ(least + Lost(pattern), std::max(least, NaiveUb::Run(pattern)))
        << "seed " << seed;
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace belay::clock::test_bank_conflicts
