// SPDX-License-Identifier: Apache-2.0
// Requests, the L2 cache and HBM: what is counted, what is kept, and that
// nothing is faster than its rate.

#include <gtest/gtest.h>

#include <algorithm>
#include <list>
#include <map>
#include <random>
#include <set>

#include "base/error.h"
#include "clock/l2_cache.h"
#include "clock/memory_system.h"
#include "clock/requests.h"
#include "log_builder.h"

namespace belay::clock::test_memory_system {
namespace {

std::vector<Request> Cut(uint64_t address, uint32_t bursts, uint32_t bytes,
                         int64_t stride) {
  std::vector<Request> requests;
  RequestCutter cutter(
      MoveRecord(abi::Pipe::kMte2, address, bursts, bytes, stride).move);
  while (!cutter.IsDone()) requests.push_back(cutter.Next());
  return requests;
}

uint64_t LinesOf(const std::vector<Request>& requests) {
  std::set<uint64_t> lines;
  for (const Request& request : requests) lines.insert(request.line);
  return lines.size();
}

TEST(Requests, AreCutByTheStartOfABurst) {
  EXPECT_EQ(Cut(0, 1, 2048, 0).size(), 4u);
  EXPECT_EQ(Cut(256, 1, 2048, 0).size(), 5u);
  EXPECT_EQ(Cut(128, 1, 2048, 0).size(), 16u);
  const std::vector<Request> shifted = Cut(2, 1, 2048, 0);
  EXPECT_EQ(shifted.size(), 17u);
  EXPECT_EQ(LinesOf(shifted), 5u);
  EXPECT_EQ(Cut(0, 64, 128, 24576).size(), 64u);
  EXPECT_EQ(Cut(0, 1, 1, 0)[0].bytes(), 128u);
  EXPECT_TRUE(Cut(0, 0, 512, 0).empty());
  EXPECT_TRUE(Cut(0, 3, 0, 512).empty());
}

TEST(Requests, CoverExactlyTheBytes) {
  for (uint32_t seed = 1; seed <= 500; ++seed) {
    std::mt19937 random(seed);
    const uint64_t address = random() % 100000;
    const uint32_t bursts = 1 + random() % 5;
    const uint32_t bytes = 1 + random() % 5000;
    const int64_t stride = bytes + random() % 1000;
    uint64_t payload = 0;
    std::vector<Request> requests = Cut(address, bursts, bytes, stride);
    std::set<uint64_t> sectors;
    for (const Request& request : requests) {
      payload += request.payload;
      EXPECT_LE(request.first_sector + request.sector_count, 4);
      EXPECT_LE(request.payload, request.bytes());
      for (int i = 0; i < request.sector_count; ++i) {
        sectors.insert(request.line * 4 + request.first_sector + i);
      }
    }
    EXPECT_EQ(payload, uint64_t{bursts} * bytes) << "seed " << seed;
    std::set<uint64_t> touched;
    for (uint32_t burst = 0; burst < bursts; ++burst) {
      for (uint32_t byte = 0; byte < bytes; ++byte) {
        touched.insert((address + burst * stride + byte) / kSectorBytes);
      }
    }
    EXPECT_EQ(sectors, touched) << "seed " << seed;
  }
}

// One set: what is used least recently goes first, exactly.
TEST(L2Cache, DropsTheLeastRecentlyUsed) {
  L2Cache cache(16 * kLineBytes);
  std::list<std::pair<uint64_t, bool>> model;  // the newest first; dirty
  std::mt19937 random(7);
  for (int i = 0; i < 20000; ++i) {
    const uint64_t line = random() % 24;
    const bool dirty = random() % 2 != 0;
    const auto known =
        std::find_if(model.begin(), model.end(),
                     [&](const auto& entry) { return entry.first == line; });
    L2Cache::Place place = cache.Find(line);
    ASSERT_EQ(place.way >= 0, known != model.end()) << "step " << i;
    std::optional<uint64_t> evicted;
    std::optional<uint64_t> expected;
    bool was_dirty = false;
    if (known == model.end()) {
      if (model.size() == 16) {
        if (model.back().second) expected = model.back().first;
        model.pop_back();
      }
      evicted = cache.Insert(line, place);
    } else {
      was_dirty = known->second;
      model.erase(known);
    }
    EXPECT_EQ(evicted, expected) << "step " << i;
    EXPECT_EQ(cache.At(place).dirty != 0, was_dirty);
    if (dirty) cache.At(place).dirty = 1;
    model.push_front({line, was_dirty || dirty});
  }
}

TEST(L2Cache, SpreadsLinesOverItsSets) {
  L2Cache cache(192u << 20);
  EXPECT_EQ(cache.lines(), 393216u);
  // Also those of columns: one line of every 48, four of every 64.
  for (const auto& [width, stride] :
       std::map<uint64_t, uint64_t>{{1, 1}, {2, 48}, {3, 7}, {4, 64}, {1, 8}}) {
    L2Cache fresh(192u << 20);
    const auto number = [&, w = width, s = stride](uint64_t i) {
      return i / w * s + i % w;
    };
    const uint64_t count = fresh.lines() / 2;
    for (uint64_t i = 0; i < count; ++i) {
      L2Cache::Place place = fresh.Find(number(i));
      if (place.way < 0) fresh.Insert(number(i), place);
    }
    uint64_t kept = 0;
    for (uint64_t i = 0; i < count; ++i) kept += fresh.Find(number(i)).way >= 0;
    EXPECT_GT(kept, count * 98 / 100) << width << " of " << stride;
  }
}

class MemorySystemTest : public ::testing::Test {
 protected:
  static Request Line(uint64_t line) { return {line, 0, 4, 512}; }
  double Latency(const MemorySystem::Answer& answer, Ticks at) const {
    return ToCycles(answer.done - at);
  }
  Ticks Value(std::string_view key) const {
    return FromCycles(spec_.Value(key));
  }
  // Cycles that HBM takes for so many bytes at the least.
  double HbmCycles(double bytes) const {
    return bytes / (spec_.Value("memory.hbm_rate") * 1000 / spec_.clock_mhz());
  }

  const ClockSpec spec_ = LoadClockSpec("ascend910b1");
};

TEST_F(MemorySystemTest, SecondReadHits) {
  MemorySystem memory(spec_, 1 << 20, nullptr);
  const MemorySystem::Answer miss = memory.Read(0, Line(5), false, 0);
  EXPECT_NEAR(ToCycles(miss.done), spec_.Value("memory.hbm_latency"), 0.01);
  EXPECT_EQ(miss.waited, 0);
  const Ticks later = FromCycles(10000);
  const MemorySystem::Answer hit = memory.Read(1, Line(5), false, later);
  EXPECT_EQ(hit.done - later, Value("memory.l2_latency"));
  EXPECT_EQ(memory.totals().hbm_read, 512u);
  EXPECT_EQ(memory.totals().l2_read_hits, 512u);
  EXPECT_EQ(memory.totals().l2_read_misses, 512u);
}

TEST_F(MemorySystemTest, OnlyMissingSectorsAreFetched) {
  MemorySystem memory(spec_, 1 << 20, nullptr);
  memory.Read(0, {7, 1, 1, 128}, false, 0);
  EXPECT_EQ(memory.totals().hbm_read, 128u);
  memory.Read(0, {7, 0, 4, 512}, false, FromCycles(5000));
  EXPECT_EQ(memory.totals().hbm_read, 512u);
}

TEST_F(MemorySystemTest, AHitWaitsForTheFill) {
  MemorySystem memory(spec_, 1 << 20, nullptr);
  const Ticks filled = memory.Read(0, Line(5), false, 0).done;
  EXPECT_GE(memory.Read(0, Line(5), false, FromCycles(1)).done, filled);
}

TEST_F(MemorySystemTest, PastL2NothingIsKept) {
  MemorySystem memory(spec_, 1 << 20, nullptr);
  memory.Read(0, Line(5), true, 0);
  memory.Read(0, Line(5), true, FromCycles(5000));
  EXPECT_EQ(memory.totals().hbm_read, 1024u);
  EXPECT_EQ(memory.totals().l2_read_hits, 0u);
}

TEST_F(MemorySystemTest, WritesStayInL2UntilTheyAreDisplaced) {
  constexpr uint64_t kLines = 1024;
  MemorySystem memory(spec_, kLines * kLineBytes, nullptr);
  Ticks at = 0;
  for (uint64_t line = 0; line < 4 * kLines; ++line) {
    memory.Write(0, Line(line), 0, at += 1000);
  }
  const MemoryTotals& totals = memory.totals();
  EXPECT_EQ(totals.hbm_read, 0u);
  EXPECT_EQ(totals.l2_writes, 4 * kLines * 512);
  EXPECT_EQ(totals.evicted_dirty, totals.hbm_written);
  // What was written is in L2 or was written back.
  EXPECT_GE(totals.evicted_dirty, 3 * kLines * 512);
  EXPECT_LE(totals.evicted_dirty, 4 * kLines * 512);
}

TEST_F(MemorySystemTest, CleanLinesAreDroppedForFree) {
  MemorySystem memory(spec_, 16 * kLineBytes, nullptr);
  for (uint64_t line = 0; line < 100; ++line) {
    memory.Read(0, Line(line), false, FromCycles(1000.0 * line));
  }
  EXPECT_EQ(memory.totals().hbm_written, 0u);
}

TEST_F(MemorySystemTest, AtomicsReadWhatIsNotThere) {
  MemorySystem memory(spec_, 1 << 20, nullptr);
  const Ticks plain = memory.Write(0, Line(1), 0, 0).done;
  const Ticks atomic =
      memory.Write(0, Line(2), MoveWork::kAtomic, FromCycles(5000)).done -
      FromCycles(5000);
  EXPECT_GT(atomic, plain);
  EXPECT_EQ(memory.totals().hbm_read, 512u);
  // Now it is there.
  EXPECT_EQ(memory.Write(0, Line(2), MoveWork::kAtomic, FromCycles(9000)).done -
                FromCycles(9000),
            plain);
}

TEST_F(MemorySystemTest, OtherCoresWaitForTheSameLine) {
  MemorySystem memory(spec_, 1 << 20, nullptr);
  memory.Preload(3);
  const Ticks first = memory.Read(0, Line(3), false, 0).done;
  EXPECT_EQ(memory.totals().same_line_wait, 0);
  const Ticks second = memory.Read(1, Line(3), false, 0).done;
  EXPECT_GE(second - first, Value("memory.same_line"));
  EXPECT_GT(memory.totals().same_line_wait, 0);
}

TEST_F(MemorySystemTest, TimeDoesNotGoBack) {
  MemorySystem memory(spec_, 1 << 20, nullptr);
  memory.Read(0, Line(1), false, 100);
  EXPECT_THROW(memory.Read(0, Line(2), false, 99), InternalError);
}

// However requests come, HBM moves no more bytes in a time than its rate, and
// L2 neither.
TEST_F(MemorySystemTest, NothingIsFasterThanItsRate) {
  for (uint32_t seed = 1; seed <= 20; ++seed) {
    std::mt19937 random(seed);
    MemorySystem memory(spec_, 4 << 20, nullptr);
    Ticks at = 0;
    Ticks end = 0;
    uint64_t payload = 0;
    for (int i = 0; i < 50000; ++i) {
      const Request request = Line(random() % 30000);
      const int core = static_cast<int>(random() % 48);
      const uint8_t flags = random() % 8 == 0 ? MoveWork::kBypassL2 : 0;
      at += random() % 400;
      payload += 512;
      const MemorySystem::Answer answer =
          random() % 3 == 0 ? memory.Write(core, request, flags, at)
                            : memory.Read(core, request, flags != 0, at);
      EXPECT_GE(answer.done, at);
      EXPECT_GE(answer.waited, 0);
      end = std::max(end, answer.done);
    }
    const MemoryTotals& totals = memory.totals();
    EXPECT_EQ(totals.requests, 50000u);
    EXPECT_EQ(totals.payload, payload);
    EXPECT_EQ(totals.hbm_read, totals.l2_read_misses);
    EXPECT_GE(ToCycles(end), HbmCycles(static_cast<double>(totals.hbm_read)))
        << "seed " << seed;
  }
}

}  // namespace
}  // namespace belay::clock::test_memory_system
