// SPDX-License-Identifier: Apache-2.0
// Tests logs of work cut in another way: they move the same bytes, and replay
// as a kernel written that way does.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "clock/iterations.h"
#include "clock/replay.h"
#include "clock/touched_sectors.h"
#include "clock/what_if.h"
#include "logs.h"

namespace belay::clock {
namespace {

using belay::testing::MakeTileLoop;
using belay::testing::RecordsOf;
using belay::testing::Spec;
using belay::testing::TileLoop;

using Moved = std::multiset<std::pair<uint64_t, uint64_t>>;  // address, bytes

Moved MovesOf(const LaunchLog& log) {
  Moved moves;
  for (const BlockLog& block : log.logs) {
    for (const Record& record : RecordsOf(block)) {
      if (record.kind != Kind::kMove) continue;
      moves.insert({record.move.address,
                    uint64_t{record.move.bursts} * record.move.burst_bytes});
    }
  }
  return moves;
}

// What is moved, whatever the size of the moves.
std::pair<uint64_t, uint64_t> CoverOf(const LaunchLog& log) {
  TouchedSectors sectors;
  uint64_t bytes = 0;
  for (const auto& [address, length] : MovesOf(log)) {
    sectors.Mark(address, length);
    bytes += length;
  }
  return {sectors.count(), bytes};
}

double TicksOf(const LaunchLog& log) {
  return static_cast<double>(Replay(log, Spec()).total);
}

TEST(Passes, BeginWithTheLargestLoad) {
  TileLoop loop;
  loop.tiles = 5;
  const LaunchLog log = MakeTileLoop(Spec(), loop);
  ASSERT_EQ(FindMainLoop(log), 1u);
  const Passes passes = SplitIntoPasses(log.logs[0].records, 1);
  EXPECT_EQ(passes.count(), 5u);
  EXPECT_EQ(passes.end(4), passes.records.size());
}

TEST(Passes, AreNotThereWithoutALoop) {
  TileLoop loop;
  loop.tiles = 1;
  EXPECT_EQ(FindMainLoop(MakeTileLoop(Spec(), loop)), std::nullopt);
}

TEST(Passes, LongerLoopsNeverTakeTheLastPass) {
  for (const size_t count : {1, 2, 3, 4, 5, 6, 9}) {
    Passes passes;
    passes.starts.resize(count);
    for (size_t pass = 0; pass < 20; ++pass) {
      const size_t form = FormOf(passes, pass);
      ASSERT_LT(form, count);
      if (count > 1) {
        EXPECT_NE(form, count - 1);
      }
      if (count >= 3) {
        EXPECT_EQ(form % 2, pass % 2);
      }
    }
  }
}

class LargerTiles
    : public ::testing::TestWithParam<std::tuple<bool, int, uint32_t>> {};

TEST_P(LargerTiles, MoveTheSameBytesAsTheKernelWrittenSo) {
  const auto [interleaved, tiles, times] = GetParam();
  TileLoop loop;
  loop.blocks = 4;
  loop.interleaved = interleaved;
  loop.tiles = tiles;
  const LaunchLog log = MakeTileLoop(Spec(), loop);
  const auto larger = WithLargerTiles(log, times);
  ASSERT_TRUE(larger);
  EXPECT_EQ(CoverOf(*larger), CoverOf(log));
  EXPECT_LT(MovesOf(*larger).size(), MovesOf(log).size());

  TileLoop written = loop;
  written.tiles = static_cast<int>(tiles / times);
  written.tile_bytes = loop.tile_bytes * times;
  if (tiles % times != 0) return;
  const LaunchLog same = MakeTileLoop(Spec(), written);
  EXPECT_EQ(MovesOf(*larger), MovesOf(same));
  EXPECT_NEAR(TicksOf(*larger) / TicksOf(same), 1, 0.01);
}

INSTANTIATE_TEST_SUITE_P(All, LargerTiles,
                         ::testing::Combine(::testing::Bool(),
                                            ::testing::Values(8, 12),
                                            ::testing::Values(2u, 4u)));

TEST(LargerTiles, TakeTheRestAsOneSmallerTile) {
  TileLoop loop;
  loop.tiles = 7;
  const LaunchLog log = MakeTileLoop(Spec(), loop);
  const auto larger = WithLargerTiles(log, 4);
  ASSERT_TRUE(larger);
  EXPECT_EQ(CoverOf(*larger), CoverOf(log));
  EXPECT_EQ(MovesOf(*larger).size(), 2u * 2 * 2);
}

TEST(LargerTiles, NeedAPattern) {
  LaunchLog log = belay::testing::NewLog(1);
  std::vector<Record> records;
  for (const uint64_t offset : {0, 70'000, 3'000, 90'000}) {
    records.push_back(belay::testing::Move(
        abi::Pipe::kMte2, 1, belay::testing::kInput + offset, 1024));
  }
  belay::testing::AddBlock(log, 0, records);
  EXPECT_EQ(WithLargerTiles(log, 2), std::nullopt);
}

TEST(LargerTiles, LeaveBlocksAloneThatMeet) {
  LaunchLog log = MakeTileLoop(Spec(), {});
  for (BlockLog& block : log.logs) {
    std::vector<Record> records = RecordsOf(block);
    records.push_back(belay::testing::Meet());
    block.records = Sequence();
    for (const Record& record : records) block.records.Append(record);
  }
  EXPECT_EQ(WithLargerTiles(log, 2), std::nullopt);
  EXPECT_EQ(WithBlocks(log, 4), std::nullopt);
  EXPECT_EQ(Staggered(log), std::nullopt);
}

TEST(Blocks, MoreOrFewerMoveTheSameAsTheKernelWrittenSo) {
  for (const auto& [from, to] :
       {std::pair{2, 8}, {8, 2}, {3, 12}, {12, 3}, {6, 6}}) {
    SCOPED_TRACE(::testing::Message() << from << " to " << to);
    TileLoop loop;
    loop.blocks = from;
    loop.tiles = 24 * 2 / from;
    const LaunchLog log = MakeTileLoop(Spec(), loop);
    const auto dealt = WithBlocks(log, to);
    ASSERT_TRUE(dealt);
    EXPECT_EQ(dealt->blocks, to);
    EXPECT_EQ(MovesOf(*dealt), MovesOf(log));
    loop.blocks = to;
    loop.tiles = 24 * 2 / to;
    EXPECT_NEAR(TicksOf(*dealt) / TicksOf(MakeTileLoop(Spec(), loop)), 1, 0.02);
  }
}

TEST(Blocks, DealUnevenWorkOutEvenly) {
  TileLoop loop;
  loop.blocks = 1;
  loop.tiles = 30;
  LaunchLog log = MakeTileLoop(Spec(), loop);
  log.blocks = 2;
  belay::testing::AddBlock(
      log, 1,
      {belay::testing::Move(abi::Pipe::kMte2, 1,
                            belay::testing::kInput + (1 << 20), 2048)});
  const auto dealt = WithBlocks(log, 2);
  ASSERT_TRUE(dealt);
  EXPECT_EQ(CoverOf(*dealt).first, CoverOf(log).first);
  EXPECT_LT(TicksOf(*dealt), TicksOf(log));
}

TEST(Staggering, KeepsTheMovesAndChangesTheirOrder) {
  TileLoop loop;
  loop.blocks = 4;
  const LaunchLog log = MakeTileLoop(Spec(), loop);
  const auto staggered = Staggered(log);
  ASSERT_TRUE(staggered);
  EXPECT_EQ(MovesOf(*staggered), MovesOf(log));
  EXPECT_EQ(RecordsOf(staggered->logs[0])[0].move.address,
            RecordsOf(log.logs[0])[0].move.address);
  EXPECT_NE(RecordsOf(staggered->logs[1])[0].move.address,
            RecordsOf(log.logs[1])[0].move.address);
}

TEST(EarlierLoads, ComeBeforeTheWorkOfThePassBefore) {
  TileLoop loop;
  loop.tiles = 6;
  const LaunchLog log = MakeTileLoop(Spec(), loop);
  const auto earlier = WithEarlierLoads(log);
  ASSERT_TRUE(earlier);
  EXPECT_EQ(MovesOf(*earlier), MovesOf(log));
  std::string order;
  for (const Record& record : RecordsOf(earlier->logs[0])) {
    if (record.kind == Kind::kVector) order += "V";
    if (record.kind == Kind::kMove) {
      order += record.pipe == abi::Pipe::kMte2 ? "L" : "S";
    }
  }
  EXPECT_EQ(order, "LLVSLVSLVSLVSLVSVS");
  EXPECT_LE(TicksOf(*earlier), TicksOf(log) * 1.01);
}

TEST(Shortening, KeepsTheFirstPasses) {
  TileLoop loop;
  loop.tiles = 64;
  const LaunchLog log = MakeTileLoop(Spec(), loop);
  const LaunchLog shorter = Shortened(log, 8);
  EXPECT_EQ(MovesOf(shorter).size(), MovesOf(log).size() / 8);
  for (size_t block = 0; block < log.logs.size(); ++block) {
    const std::vector<Record> all = RecordsOf(log.logs[block]);
    const std::vector<Record> part = RecordsOf(shorter.logs[block]);
    ASSERT_LT(part.size(), all.size());
    for (size_t i = 0; i < part.size(); ++i) {
      ASSERT_EQ(part[i].kind, all[i].kind);
      ASSERT_EQ(part[i].place, all[i].place);
    }
  }
  EXPECT_EQ(MovesOf(Shortened(log, 1)), MovesOf(log));
}

}  // namespace
}  // namespace belay::clock
