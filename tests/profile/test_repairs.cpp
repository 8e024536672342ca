// SPDX-License-Identifier: Apache-2.0
// Tests logs with better instructions.

#include <gtest/gtest.h>

#include <algorithm>

#include "clock/repairs.h"
#include "clock/replay.h"
#include "logs.h"
#include "npu/names.h"

namespace belay::clock {
namespace {

using abi::Pipe;
using belay::testing::AddBlock;
using belay::testing::Flag;
using belay::testing::FullBarrier;
using belay::testing::kInput;
using belay::testing::kOutput;
using belay::testing::MakeTileLoop;
using belay::testing::Move;
using belay::testing::NewLog;
using belay::testing::RecordsOf;
using belay::testing::Rows;
using belay::testing::Spec;
using belay::testing::TileLoop;
using belay::testing::Vector;

LaunchLog LogOf(const std::vector<Record>& records) {
  LaunchLog log = NewLog(1);
  AddBlock(log, 0, records);
  return log;
}

std::vector<Record> FirstBlock(const LaunchLog& log) {
  return RecordsOf(log.logs[0]);
}

size_t Count(const std::vector<Record>& records, Kind kind) {
  return std::ranges::count_if(
      records, [&](const Record& record) { return record.kind == kind; });
}

Ticks TimeOf(const LaunchLog& log) { return Replay(log, Spec()).total; }

TEST(Repairs, ConflictsGoAtTheirPlaceOnly) {
  Record a = Vector(Spec(), abi::Op::kAdd, 2, 8);
  a.vector.conflict_cycles = 8;
  a.vector.delayed_repeats = 3;
  Record b = a;
  b.place = 3;
  const auto records = FirstBlock(WithoutConflicts(LogOf({a, b}), {2}));
  EXPECT_EQ(records[0].vector.conflict_cycles, 0u);
  EXPECT_EQ(records[0].vector.delayed_repeats, 0u);
  EXPECT_EQ(records[1].vector.conflict_cycles, 8u);
}

TEST(Repairs, MovesAreAlignedWithTheirRows) {
  const auto records = FirstBlock(
      WithAlignedMoves(LogOf({Rows(Pipe::kMte2, 1, kInput + 96, 4, 512, 600),
                              Rows(Pipe::kMte2, 1, kInput + 96, 4, 64, 64)}),
                       {1}));
  EXPECT_EQ(records[0].move.address, kInput);
  EXPECT_EQ(records[0].move.stride, 1024);
  EXPECT_EQ(records[1].move.stride, 64);
}

TEST(Repairs, BypassConcernsLoads) {
  const auto records =
      FirstBlock(WithBypass(LogOf({Move(Pipe::kMte2, 1, kInput, 512),
                                   Move(Pipe::kMte3, 1, kOutput, 512)}),
                            {1}));
  EXPECT_EQ(records[0].move.flags, MoveWork::kBypassL2);
  EXPECT_EQ(records[1].move.flags, 0);
}

// One flag more at the start is what a second buffer is: the time becomes that
// of the kernel with two buffers.
TEST(Repairs, SecondBuffersMakeTheTimeOfTwo) {
  TileLoop loop;
  loop.blocks = 8;
  loop.tiles = 24;
  loop.tile_bytes = 16384;
  loop.vectors = 6;
  loop.buffers = 1;
  const LaunchLog one = MakeTileLoop(Spec(), loop);
  loop.buffers = 2;
  const LaunchLog two = MakeTileLoop(Spec(), loop);
  ASSERT_LT(TimeOf(two), TimeOf(one));
  const double gain = static_cast<double>(TimeOf(one) - TimeOf(two));
  const double said =
      static_cast<double>(TimeOf(one) - TimeOf(WithSecondBuffers(one)));
  EXPECT_NEAR(said / gain, 1, 0.1);
}

TEST(Repairs, FullBarriersBecomeFlags) {
  std::vector<Record> records;
  for (uint64_t tile = 0; tile < 16; ++tile) {
    records.push_back(Move(Pipe::kMte2, 1, kInput + tile * 16384, 16384));
    records.push_back(FullBarrier(9));
    records.push_back(Vector(Spec(), abi::Op::kAdd, 2, 256));
    records.push_back(FullBarrier(9));
    records.push_back(Move(Pipe::kMte3, 3, kOutput + tile * 16384, 16384));
    records.push_back(FullBarrier(9));
  }
  const LaunchLog log = LogOf(records);
  const LaunchLog repaired = WithoutFullBarriers(log, {9});
  EXPECT_EQ(Count(FirstBlock(repaired), Kind::kBarrier), 0u);
  EXPECT_GT(Count(FirstBlock(repaired), Kind::kWaitFlag), 0u);
  EXPECT_LT(TimeOf(repaired), TimeOf(log));
  EXPECT_EQ(Count(FirstBlock(WithoutFullBarriers(log, {})), Kind::kBarrier),
            48u);
}

TEST(Repairs, BarriersBeforeScalarReadsStay) {
  LaunchLog log = NewLog(1);
  ScalarWork work;
  work.local_load = 1;
  log.scalar.push_back(work);
  Record reader = Vector(Spec(), abi::Op::kAdd, 2, 1);
  reader.scalar = 1;
  AddBlock(log, 0,
           {Vector(Spec(), abi::Op::kAdd, 2, 1), FullBarrier(9), reader});
  EXPECT_EQ(Count(FirstBlock(WithoutFullBarriers(log, {9})), Kind::kBarrier),
            1u);
}

TEST(Repairs, NeighbouringVectorsMergeUpToTheLimit) {
  std::vector<Record> records(10, Vector(Spec(), abi::Op::kAdd, 2, 4));
  records.push_back(Flag(Kind::kSetFlag, Pipe::kV, Pipe::kMte3, 0));
  records.push_back(Vector(Spec(), abi::Op::kAdd, 2, 4));
  const auto merged = FirstBlock(WithMergedVectors(LogOf(records), {2}, 16));
  std::vector<uint32_t> repeats;
  for (const Record& record : merged) {
    if (record.kind == Kind::kVector) repeats.push_back(record.vector.repeats);
  }
  EXPECT_EQ(repeats, (std::vector<uint32_t>{16, 16, 8, 4}));
}

TEST(Repairs, WholeReductionsBecomeTwoOfBlocks) {
  const auto records = FirstBlock(WithBlockReductions(
      LogOf({Vector(Spec(), abi::Op::kWholeReduceSum, 2, 100)}), {2}, Spec()));
  ASSERT_EQ(records.size(), 2u);
  EXPECT_EQ(records[0].op, abi::Op::kBlockReduceSum);
  EXPECT_EQ(records[0].vector.repeats, 100u);
  EXPECT_EQ(records[1].vector.repeats, 13u);
  EXPECT_EQ(Spec().vector_costs()[records[0].vector.cost].name,
            "BlockReduceSum.b32");
}

TEST(Repairs, LoopsOverElementsBecomeAVectorInstruction) {
  LaunchLog log = NewLog(1);
  ScalarWork work;
  work.local_load = 4096;
  work.local_store = 2048;
  work.simple = 9000;
  log.scalar.push_back(work);
  Record loop;
  loop.place = 2;
  loop.scalar = 1;
  AddBlock(log, 0, {loop});
  const LaunchLog repaired = WithVectorLoops(log, {2}, Spec());
  const auto records = FirstBlock(repaired);
  ASSERT_EQ(records.size(), 2u);
  EXPECT_EQ(records[0].kind, Kind::kVector);
  EXPECT_EQ(records[0].vector.repeats, 32u);
  EXPECT_EQ(records[1].scalar, 0u);
  EXPECT_LT(TimeOf(repaired), TimeOf(log));
}

}  // namespace
}  // namespace belay::clock
