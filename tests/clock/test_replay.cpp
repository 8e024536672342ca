// SPDX-License-Identifier: Apache-2.0
// Whole launches: bounds, conservation, waiting between blocks, and the same
// result every time.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "clock/core_estimate.h"
#include "clock/replay.h"
#include "log_builder.h"

namespace belay::clock::test_replay {
namespace {

using abi::Pipe;

constexpr uint64_t kIn = 0x100000000000;
constexpr uint64_t kOut = kIn + 0x40000000;

struct Kept : TimelineSink {
  void OnSpan(const Span& span) override {
    Ticks& end = ends[{span.cube, span.core, span.pipe}];
    EXPECT_GE(span.start, end);
    EXPECT_GE(span.end, span.start);
    EXPECT_GE(span.start, span.issued);
    EXPECT_NE(span.record, nullptr);
    end = span.end;
    ++spans;
  }
  void OnFlow(const Flow& flow) override {
    EXPECT_GE(flow.met, flow.set);
    ++flows;
  }
  void OnMemory(const MemorySample& sample) override {
    read += sample.hbm_read;
    written += sample.hbm_written;
    hit += sample.l2_hit;
  }
  std::map<std::tuple<bool, int, Pipe>, Ticks> ends;
  uint64_t spans = 0;
  uint64_t flows = 0;
  uint64_t read = 0;
  uint64_t written = 0;
  uint64_t hit = 0;
};

class ReplayTest : public ::testing::Test {
 protected:
  // Every block reads its part in tiles, adds, and writes it.
  LaunchLog Stream(int blocks, uint64_t bytes_per_block, uint32_t tile,
                   int cores = 48) const {
    LaunchLog log;
    log.kernel = "stream";
    log.blocks = blocks;
    log.scalar.push_back({.simple = 20});
    log.allocations.push_back({kIn, blocks * bytes_per_block, "x"});
    log.allocations.push_back({kOut, blocks * bytes_per_block, "y"});
    for (int block = 0; block < blocks; ++block) {
      BlockLog& to = log.logs.emplace_back();
      to.block = block;
      to.core = block % cores;
      const auto append = [&](Record record) {
        record.scalar = 1;
        to.records.Append(record);
      };
      for (uint64_t at = 0; at < bytes_per_block; at += tile) {
        const uint64_t offset = block * bytes_per_block + at;
        const uint32_t id = at / tile % 2;
        if (at >= 2 * tile)
          append(WaitFlagRecord(Pipe::kMte3, Pipe::kMte2, id));
        append(MoveRecord(Pipe::kMte2, kIn + offset, 1, tile));
        append(SetFlagRecord(Pipe::kMte2, Pipe::kV, id));
        append(WaitFlagRecord(Pipe::kMte2, Pipe::kV, id));
        append(VectorRecord(add_, tile / 256));
        append(SetFlagRecord(Pipe::kV, Pipe::kMte3, id));
        append(WaitFlagRecord(Pipe::kV, Pipe::kMte3, id));
        append(MoveRecord(Pipe::kMte3, kOut + offset, 1, tile));
        append(SetFlagRecord(Pipe::kMte3, Pipe::kMte2, id));
      }
      to.records.Close();
    }
    return log;
  }

  static uint64_t Sum(const LaunchTime& time, uint64_t CoreTime::* what) {
    uint64_t sum = 0;
    for (const CoreTime& core : time.core_times) sum += core.*what;
    return sum;
  }

  ClockSpec spec_ = LoadClockSpec("ascend910b1");
  uint16_t add_ = spec_.FindVectorCost("Add", 32).value();
};

void ExpectSame(const LaunchTime& a, const LaunchTime& b) {
  EXPECT_EQ(a.total, b.total);
  EXPECT_EQ(a.memory.hbm_read, b.memory.hbm_read);
  EXPECT_EQ(a.memory.same_line_wait, b.memory.same_line_wait);
  ASSERT_EQ(a.core_times.size(), b.core_times.size());
  for (size_t core = 0; core < a.core_times.size(); ++core) {
    EXPECT_EQ(a.core_times[core].end, b.core_times[core].end);
    for (int pipe = 0; pipe < kPipeCount; ++pipe) {
      EXPECT_EQ(a.core_times[core].pipes[pipe].busy,
                b.core_times[core].pipes[pipe].busy);
      EXPECT_EQ(a.core_times[core].pipes[pipe].stalled,
                b.core_times[core].pipes[pipe].stalled);
    }
  }
}

TEST_F(ReplayTest, TheSameEveryTimeWithAndWithoutASink) {
  const LaunchLog log = Stream(48, 1 << 20, 16384);
  const LaunchTime first = Replay(log, spec_);
  ExpectSame(first, Replay(log, spec_));
  Kept kept;
  ExpectSame(first, Replay(log, spec_, {.sink = &kept}));
  // Three instructions a tile on the pipes, and the scalar unit's.
  EXPECT_GE(kept.spans, 48u * 64 * 3);
  EXPECT_EQ(kept.flows, 48u * (64 * 2 + 62));
  EXPECT_EQ(kept.read, first.memory.hbm_read);
  EXPECT_EQ(kept.written, first.memory.hbm_written);
  EXPECT_EQ(kept.hit, first.memory.l2_read_hits);
}

TEST_F(ReplayTest, BytesAreConserved) {
  const LaunchTime time = Replay(Stream(48, 1 << 20, 16384), spec_);
  EXPECT_EQ(Sum(time, &CoreTime::bytes_read), 48u << 20);
  EXPECT_EQ(Sum(time, &CoreTime::bytes_written), 48u << 20);
  EXPECT_EQ(time.memory.hbm_read, 48u << 20);
  EXPECT_EQ(time.memory.l2_writes, 48u << 20);
  EXPECT_EQ(time.memory.hbm_written, 0u);
  EXPECT_EQ(time.memory.payload, 96u << 20);
}

TEST_F(ReplayTest, NotFasterThanTheRates) {
  const LaunchTime time = Replay(Stream(48, 4 << 20, 32768), spec_);
  const double microseconds = static_cast<double>(time.memory.hbm_read) /
                              (spec_.Value("memory.hbm_rate") * 1000);
  EXPECT_GE(ToMicroseconds(time.cores, spec_.clock_mhz()), microseconds);
  const Ticks launch =
      FromCycles(spec_.Value("launch.start_us") * spec_.clock_mhz());
  EXPECT_EQ(time.launch, launch);
  EXPECT_EQ(time.total, time.launch + time.cores + time.finish);
}

TEST_F(ReplayTest, EvictionsOccupyHbm) {
  // 48 MB in and 48 MB out fit into L2 together; four times as much does not.
  const LaunchTime fits = Replay(Stream(48, 1 << 20, 32768), spec_);
  EXPECT_EQ(fits.memory.hbm_written, 0u);
  const LaunchTime more = Replay(Stream(48, 4 << 20, 32768), spec_);
  EXPECT_GT(more.memory.hbm_written, 0u);
  EXPECT_EQ(more.memory.hbm_written, more.memory.evicted_dirty);
}

TEST_F(ReplayTest, WarmInputsNeedNoHbm) {
  const LaunchLog log = Stream(48, 1 << 20, 16384);
  const LaunchTime cold = Replay(log, spec_);
  const LaunchTime warm = Replay(log, spec_, {.l2 = L2State::kWarm});
  EXPECT_LT(warm.memory.hbm_read, cold.memory.hbm_read / 20);
  EXPECT_LT(warm.total, cold.total);
}

TEST_F(ReplayTest, MoreBlocksThanCoresTakeTurns) {
  const LaunchTime once = Replay(Stream(2, 1 << 20, 16384, 2), spec_);
  const LaunchTime twice = Replay(Stream(4, 1 << 20, 16384, 2), spec_);
  ASSERT_EQ(twice.core_times.size(), 2u);
  EXPECT_EQ(twice.core_times[0].blocks, 2);
  // Flags the first turn leaves let the second run further ahead.
  EXPECT_GT(twice.cores, once.cores * 5 / 4);
}

TEST_F(ReplayTest, StallsAndWorkFillTheTimeOfEveryPipe) {
  const LaunchTime time = Replay(Stream(8, 1 << 20, 16384, 4), spec_);
  for (const CoreTime& core : time.core_times) {
    for (int pipe = 0; pipe < kPipeCount; ++pipe) {
      Ticks sum = core.pipes[pipe].busy;
      for (const Ticks stall : core.pipes[pipe].stalled) sum += stall;
      EXPECT_EQ(sum, core.end - core.begin) << "pipe " << pipe;
    }
  }
}

TEST_F(ReplayTest, NoBlocksTakeTheLaunchOnly) {
  const LaunchTime time = Replay(LaunchLog{}, spec_);
  EXPECT_EQ(time.cores, 0);
  EXPECT_EQ(time.total, time.launch + time.finish);
}

LaunchLog TwoBlocks(const std::vector<Record>& first,
                    const std::vector<Record>& second) {
  LaunchLog log;
  log.blocks = 2;
  log.scalar.push_back({.simple = 100000});
  for (const auto* records : {&first, &second}) {
    BlockLog& block = log.logs.emplace_back();
    block.block = block.core = static_cast<int>(log.logs.size()) - 1;
    for (const Record& record : *records) block.records.Append(record);
    block.records.Close();
  }
  return log;
}

TEST_F(ReplayTest, BlocksMeet) {
  Record late = SyncRecord(Kind::kMeet, Pipe::kAll, Pipe::kAll);
  Record early = late;
  late.scalar = 1;
  const LaunchTime time = Replay(TwoBlocks({late}, {early}), spec_);
  EXPECT_EQ(time.core_times[0].end, time.core_times[1].end);
  const Ticks waited =
      time.core_times[1].pipes[0].stalled[static_cast<int>(Cause::kBlocks)];
  EXPECT_GT(ToCycles(waited), 99000);
}

// Blocks that do not take part go on meanwhile, and need not be waited for.
TEST_F(ReplayTest, SomeBlocksMeet) {
  const Record meet = SyncRecord(Kind::kMeet, Pipe::kAll, Pipe::kAll);
  const Record read = MoveRecord(Pipe::kMte2, kIn, 64, 4096, 8192);
  LaunchLog log = TwoBlocks({meet, read}, {meet, read});
  BlockLog& other = log.logs.emplace_back();
  other.block = other.core = 2;
  for (int i = 0; i < 100; ++i) other.records.Append(read);
  other.records.Close();
  const LaunchTime time = Replay(log, spec_);
  EXPECT_GT(time.core_times[2].end, 2 * time.core_times[0].end);
}

TEST_F(ReplayTest, BlocksNotifyEachOther) {
  Record notify = SyncRecord(Kind::kNotify, Pipe::kS, Pipe::kS, 0, 0, 1);
  notify.scalar = 1;
  const Record await = SyncRecord(Kind::kAwait, Pipe::kS, Pipe::kS, 0, 0, 1);
  for (const bool swapped : {false, true}) {
    const LaunchTime time = Replay(
        swapped ? TwoBlocks({await}, {notify}) : TwoBlocks({notify}, {await}),
        spec_);
    const CoreTime& waiting = time.core_times[swapped ? 0 : 1];
    const CoreTime& notifying = time.core_times[swapped ? 1 : 0];
    EXPECT_EQ(waiting.end,
              notifying.end + FromCycles(spec_.Value("sync.notify_us") *
                                         spec_.clock_mhz()));
  }
}

// One block: a cube core and two vector cores.
LaunchLog OneMixedBlock(const std::vector<Record>& cube,
                        const std::vector<Record>& first,
                        const std::vector<Record>& second) {
  LaunchLog log;
  log.blocks = 1;
  log.scalar.push_back({.simple = 100000});
  int vectors = 0;
  for (const auto* records : {&cube, &first, &second}) {
    BlockLog& block = log.logs.emplace_back();
    block.cube = records == &cube;
    if (!block.cube) block.block = block.core = vectors++;
    for (const Record& record : *records) block.records.Append(record);
    block.records.Close();
  }
  return log;
}

Record Tell(Pipe pipe, uint32_t mode, uint32_t id, uint32_t scalar = 0) {
  Record record = SyncRecord(Kind::kTellCores, pipe, Pipe::kAll, id, mode);
  record.pipe = pipe;
  record.scalar = scalar;
  return record;
}
Record Await(uint32_t id) {
  return SyncRecord(Kind::kAwaitCores, Pipe::kAll, Pipe::kAll, id);
}

TEST_F(ReplayTest, TheCubeCoreWaitsForBothVectorCores) {
  const LaunchTime time =
      Replay(OneMixedBlock({Await(3)}, {Tell(Pipe::kMte3, 2, 3)},
                           {Tell(Pipe::kMte3, 2, 3, 1)}),
             spec_);
  ASSERT_EQ(time.core_times.size(), 3u);
  const Ticks notify =
      FromCycles(spec_.Value("sync.notify_us") * spec_.clock_mhz());
  EXPECT_GE(time.core_times[0].end, time.core_times[2].end + notify);
  EXPECT_LT(time.core_times[1].end, time.core_times[2].end);
}

// The set leaves when its pipe has done the work before it; the core goes on.
TEST_F(ReplayTest, AFlagBetweenCoresWaitsForItsPipe) {
  const Record move = MoveRecord(Pipe::kMte2, kIn, 64, 4096, 8192);
  const auto end_of_waiting = [&](Pipe pipe) {
    return Replay(
               OneMixedBlock({move, Tell(pipe, 2, 1)}, {Await(1)}, {Await(1)}),
               spec_)
        .core_times[1]
        .end;
  };
  EXPECT_GT(end_of_waiting(Pipe::kMte2),
            end_of_waiting(Pipe::kFix) + FromCycles(1000));
}

TEST_F(ReplayTest, RoundsOfFlagsBetweenCores) {
  std::vector<Record> cube;
  std::vector<Record> vector;
  for (int i = 0; i < 30; ++i) {
    cube.push_back(Tell(Pipe::kFix, 2, 1));
    cube.push_back(Await(2));
    vector.push_back(Await(1));
    vector.push_back(Tell(Pipe::kMte3, 2, 2));
  }
  const LaunchTime time = Replay(OneMixedBlock(cube, vector, vector), spec_);
  const double rounds = ToCycles(time.core_times[0].end) /
                        (2 * spec_.Value("sync.notify_us") * spec_.clock_mhz());
  EXPECT_GT(rounds, 30);
}

// Vector cores may meet among themselves, once more than with the cube core.
TEST_F(ReplayTest, MeetingsOfVectorCoresAndOfAll) {
  Record all = SyncRecord(Kind::kMeet, Pipe::kAll, Pipe::kAll);
  all.sync.by_queue = 1;
  Record vectors = SyncRecord(Kind::kMeet, Pipe::kAll, Pipe::kAll);
  Record late = all;
  late.scalar = 1;
  const LaunchTime time =
      Replay(OneMixedBlock({late}, {vectors, all}, {vectors, all}), spec_);
  EXPECT_EQ(time.core_times[0].end, time.core_times[1].end);
  EXPECT_EQ(time.core_times[0].end, time.core_times[2].end);
}

// Any program: requests reach memory in the order of their times (or Replay
// throws), every pipe's time is accounted for, bytes are conserved.
TEST_F(ReplayTest, RandomPrograms) {
  constexpr Pipe kPipes[] = {Pipe::kV, Pipe::kMte2, Pipe::kMte3};
  for (uint32_t seed = 1; seed <= 100; ++seed) {
    std::mt19937 random(seed);
    LaunchLog log;
    log.blocks = 1 + static_cast<int>(random() % 12);
    const int cores = 1 + static_cast<int>(random() % 8);
    const int meets = log.blocks <= cores ? static_cast<int>(random() % 3) : 0;
    for (const uint32_t simple : {10, 300, 5000}) {
      log.scalar.push_back({.simple = simple});
    }
    uint64_t read = 0;
    uint64_t written = 0;
    for (int block = 0; block < log.blocks; ++block) {
      BlockLog& to = log.logs.emplace_back();
      to.block = block;
      to.core = block % cores;
      std::vector<Record> open;
      // A turn that goes from block to block.
      if (seed % 2 == 0 && block > 0) {
        to.records.Append(SyncRecord(Kind::kAwait, Pipe::kS, Pipe::kS, 0, 0,
                                     static_cast<uint64_t>(block)));
      }
      for (int part = 0; part <= meets; ++part) {
        const size_t length = random() % 200;
        for (size_t i = 0; i < length; ++i) {
          Record record;
          const uint32_t bytes = 32 * (1 + random() % 600);
          const uint64_t address = kIn + random() % (1 << 24) / 32 * 32;
          switch (random() % 8) {
            case 0:
            case 1:
              record = VectorRecord(add_, random() % 100);
              break;
            case 2:
              record = MoveRecord(Pipe::kMte2, address, 1 + random() % 8, bytes,
                                  40000, random() % 2);
              read += uint64_t{record.move.bursts} * bytes;
              break;
            case 3:
              record =
                  MoveRecord(Pipe::kMte3, address, 1, bytes, 0, random() % 4);
              written += bytes;
              break;
            case 4: {
              const Pipe from = kPipes[random() % 3];
              const Pipe next = kPipes[random() % 3];
              if (from == next) continue;
              record = SetFlagRecord(from, next, random() % 3);
              open.push_back(record);
              break;
            }
            case 5:
              if (open.empty()) continue;
              record = open.back();
              open.pop_back();
              record.kind = Kind::kWaitFlag;
              break;
            case 6:
              record = SyncRecord(Kind::kBarrier,
                                  random() % 8 ? Pipe::kMte2 : Pipe::kAll,
                                  Pipe::kAll);
              break;
            default:
              record.kind = Kind::kGlobalScalar;
              record.global = {address, 4, random() % 2 == 0, 0};
              (record.global.write ? written : read) += 4;
              break;
          }
          record.scalar = random() % 4;
          to.records.Append(record);
        }
        if (part == 0) {
          to.records.Append(SyncRecord(Kind::kNotify, Pipe::kS, Pipe::kS, 0, 0,
                                       static_cast<uint64_t>(block) + 1));
        }
        if (part < meets) {
          to.records.Append(SyncRecord(Kind::kMeet, Pipe::kAll, Pipe::kAll));
        }
      }
      to.records.Close();
    }
    Kept kept;
    const LaunchTime time = Replay(log, spec_, {.sink = &kept});
    ExpectSame(time, Replay(log, spec_));
    EXPECT_EQ(Sum(time, &CoreTime::bytes_read), read) << "seed " << seed;
    EXPECT_EQ(Sum(time, &CoreTime::bytes_written), written);
    EXPECT_EQ(time.memory.payload, read + written);
    EXPECT_EQ(time.memory.hbm_read, time.memory.l2_read_misses);
    for (const CoreTime& core : time.core_times) {
      for (const PipeTime& pipe : core.pipes) {
        Ticks sum = pipe.busy;
        for (const Ticks stall : pipe.stalled) sum += stall;
        EXPECT_EQ(sum, core.end - core.begin) << "seed " << seed;
      }
    }
    if (HasFailure()) return;
  }
}

// The estimate of one core is the replay of that core alone.
TEST_F(ReplayTest, EstimateOfOneCore) {
  LaunchLog log = Stream(1, 1 << 20, 16384);
  const LaunchTime time = Replay(log, spec_);
  CoreEstimate estimate(spec_, false);
  Sequence::Cursor cursor(log.logs[0].records);
  Record record;
  Ticks before = 0;
  while (cursor.Next(record)) {
    estimate.Feed(record, log.scalar[record.scalar]);
    EXPECT_GE(estimate.Now(), before);
    before = estimate.Now();
  }
  estimate.Feed(SyncRecord(Kind::kBarrier, Pipe::kAll, Pipe::kAll), {});
  const double head = spec_.Value("launch.head_us") * spec_.clock_mhz();
  EXPECT_NEAR(
      ToCycles(estimate.Now()),
      ToCycles(time.core_times[0].end - time.core_times[0].begin) - head,
      ToCycles(estimate.Now()) * 0.001);
}

// 128 rows of 256 halves from L0C: 970 to 992 cycles.
TEST_F(ReplayTest, ResultsOfTheCube) {
  CoreEstimate estimate(spec_, true);
  estimate.Feed(MoveRecord(Pipe::kFix, kOut, 128, 512, 8192), {});
  estimate.Feed(SyncRecord(Kind::kBarrier, Pipe::kAll, Pipe::kAll), {});
  EXPECT_NEAR(ToCycles(estimate.Now()), 981, 981 * 0.04);
}

// Eight KB each way by one core: 701 cycles for two reads, 295 for a write.
TEST_F(ReplayTest, PublishedMovesOfOneCore) {
  const auto cycles = [&](const std::vector<Record>& records) {
    CoreEstimate estimate(spec_, false);
    for (const Record& record : records) estimate.Feed(record, {});
    estimate.Feed(SyncRecord(Kind::kBarrier, Pipe::kAll, Pipe::kAll), {});
    return ToCycles(estimate.Now());
  };
  EXPECT_NEAR(cycles({MoveRecord(Pipe::kMte2, kIn, 1, 8192),
                      MoveRecord(Pipe::kMte2, kOut, 1, 8192)}),
              701, 701 * 0.15);
  EXPECT_NEAR(cycles({MoveRecord(Pipe::kMte3, kOut, 1, 8192)}), 295,
              295 * 0.15);
}

TEST_F(ReplayTest, EstimateCountsThousandAdds) {
  CoreEstimate estimate(spec_, false);
  estimate.Feed(VectorRecord(add_, 64), {});
  estimate.Feed(SyncRecord(Kind::kBarrier, Pipe::kAll, Pipe::kAll), {});
  const Ticks begin = estimate.Now();
  for (int i = 0; i < 1000; ++i) estimate.Feed(VectorRecord(add_, 64), {});
  estimate.Feed(SyncRecord(Kind::kBarrier, Pipe::kAll, Pipe::kAll), {});
  EXPECT_NEAR(ToCycles(estimate.Now() - begin), 86000, 10);
}

}  // namespace
}  // namespace belay::clock::test_replay
