// SPDX-License-Identifier: Apache-2.0
// What the recorder makes of each kind of instruction and access.

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "belay/scalar_work.h"
#include "clock/recorder.h"
#include "npu/names.h"
#include "support.h"

namespace belay::clock::test_recorder {
namespace {

using abi::Op;
using abi::Pipe;

class RecorderTest : public check::CheckTest {
 protected:
  void Start(int blocks = 1) {
    RecorderOptions options;
    options.counters = {&budget_, &offset_, counters_};
    recorder_ = std::make_unique<Recorder>(
        chip_, LoadClockSpec(chip_.spec().name), options);
    recorder_->SetModuleBase(kBase);
    chip_.AddObserver(recorder_.get());
    gm_ = chip_.global().Allocate(kGmBytes);
    std::memset(reinterpret_cast<void*>(gm_), 0, kGmBytes);
    Launch(blocks);
  }

  LaunchLog Finish() {
    EndLaunch();
    std::vector<LaunchLog> logs = recorder_->TakeLaunches();
    EXPECT_EQ(logs.size(), 1u);
    return logs.empty() ? LaunchLog{} : std::move(logs.front());
  }

  static std::vector<Record> RecordsOf(const LaunchLog& log, size_t block = 0) {
    std::vector<Record> records;
    Sequence::Cursor cursor(log.logs.at(block).records);
    for (Record record; cursor.Next(record);) records.push_back(record);
    return records;
  }

  // Of all records but those of buffers, which every first touch makes.
  static std::vector<Record> WithoutBuffers(std::vector<Record> records) {
    std::erase_if(records, [](const Record& record) {
      return record.kind == Kind::kBuffer;
    });
    return records;
  }

  static std::string Kinds(const std::vector<Record>& records) {
    static const char* const kNames[] = {
        "scalar", "vector",  "move",   "load",  "mmad",   "set",
        "wait",   "barrier", "order",  "meet",  "notify", "await",
        "global", "clean",   "buffer", "clock", "tell",   "await_cores"};
    std::string text;
    for (const Record& record : records) {
      if (!text.empty()) text += " ";
      text += kNames[static_cast<int>(record.kind)];
    }
    return text;
  }

  void CopyIn(uint64_t ub, uint64_t gm, uint64_t pc = kBase + 1) {
    ASSERT_EQ(Issue(Move(At(ub), Gm(gm_ + gm), 1024), pc), "");
  }
  void CopyOut(uint64_t gm, uint64_t ub, uint64_t pc = kBase + 2) {
    ASSERT_EQ(Issue(Move(Gm(gm_ + gm), At(ub), 1024), pc), "");
  }
  void Add(uint64_t dst, uint64_t src0, uint64_t src1,
           uint64_t pc = kBase + 3) {
    ASSERT_EQ(Issue(Binary(Op::kAdd, At(dst), At(src0), At(src1), 256), pc),
              "");
  }
  void Barrier(Pipe pipe) {
    abi::Instruction barrier{};
    barrier.op = Op::kPipeBarrier;
    barrier.sync = {pipe, pipe, 0, 0};
    ASSERT_EQ(Issue(barrier, kBase + 4), "");
  }
  void Work(abi::ScalarClass which, uint64_t count) {
    budget_ -= static_cast<int64_t>(count);
    if (which == abi::ScalarClass::kSimple) return;
    counters_[abi::ScalarWordOf(which)] += count << abi::ScalarShiftOf(which);
  }

  static constexpr uint64_t kBase = 0x5000;
  static constexpr uint64_t kGmBytes = 1 << 16;
  int64_t budget_ = 1000;
  uint64_t offset_ = 1000;
  uint64_t counters_[2] = {0, 0};
  uint64_t gm_ = 0;
  std::unique_ptr<Recorder> recorder_;
};

TEST_F(RecorderTest, LaunchSaysWhatItIs) {
  Start(3);
  chip_.global().SetLabel(gm_, {"input 'x'"});
  const LaunchLog log = Finish();
  EXPECT_EQ(log.chip, "ascend910b1");
  EXPECT_EQ(log.blocks, 3);
  ASSERT_EQ(log.logs.size(), 3u);
  EXPECT_EQ(log.logs[2].block, 2);
  EXPECT_EQ(log.logs[2].core, 2);
  EXPECT_FALSE(log.logs[2].cube);
  ASSERT_EQ(log.allocations.size(), 1u);
  EXPECT_EQ(log.allocations[0].address, gm_);
  EXPECT_EQ(log.allocations[0].bytes, kGmBytes);
}

TEST_F(RecorderTest, MovesAndVectorWork) {
  Start();
  CopyIn(0, 512);
  Add(4096, 0, 1024);
  CopyOut(2048, 4096);
  const auto records = WithoutBuffers(RecordsOf(Finish()));
  ASSERT_EQ(Kinds(records), "move vector move");
  EXPECT_EQ(records[0].pipe, Pipe::kMte2);
  EXPECT_EQ(records[0].place, 1u);
  EXPECT_EQ(records[0].move.address, gm_ + 512);
  EXPECT_EQ(records[0].move.bursts, 1u);
  EXPECT_EQ(records[0].move.burst_bytes, 1024u);
  EXPECT_EQ(records[0].move.memory, abi::Memory::kUb);
  EXPECT_EQ(records[0].move.flags, 0);
  EXPECT_EQ(records[1].pipe, Pipe::kV);
  EXPECT_EQ(records[1].op, Op::kAdd);
  EXPECT_EQ(records[1].vector.repeats, 4u);
  EXPECT_EQ(records[1].vector.elements, 256u);
  EXPECT_EQ(records[2].pipe, Pipe::kMte3);
  EXPECT_EQ(records[2].move.local_offset, 4096u);
}

TEST_F(RecorderTest, StridedMovesKeepTheirBurstsInGlobalMemory) {
  Start();
  ASSERT_EQ(Issue(Move(At(0), Gm(gm_), 64, 5, 192, 32), kBase), "");
  ASSERT_EQ(Issue(Move(Gm(gm_), At(0), 64, 5, 0, 448), kBase), "");
  const auto records = WithoutBuffers(RecordsOf(Finish()));
  ASSERT_EQ(Kinds(records), "move move");
  EXPECT_EQ(records[0].move.bursts, 5u);
  EXPECT_EQ(records[0].move.burst_bytes, 64u);
  EXPECT_EQ(records[0].move.stride, 256);
  EXPECT_EQ(records[1].move.stride, 512);
}

TEST_F(RecorderTest, MovesPastL2AndAtomicOnesAreMarked) {
  Start();
  abi::Instruction in = Move(At(0), Gm(gm_), 1024);
  in.src0.past_l2 = 1;
  ASSERT_EQ(Issue(in, kBase), "");
  abi::Instruction out = Move(Gm(gm_), At(0), 1024);
  out.dst.past_l2 = 1;  // reads only
  ASSERT_EQ(Issue(out, kBase), "");
  out.dst.past_l2 = 2;
  ASSERT_EQ(Issue(out, kBase), "");
  abi::Instruction set{};
  set.op = Op::kSetAtomic;
  set.mode = static_cast<uint8_t>(abi::Atomic::kAdd);
  set.dst.dtype = abi::DType::kFloat;
  ASSERT_EQ(Issue(set, kBase), "");
  out.dst.past_l2 = 0;
  ASSERT_EQ(Issue(out, kBase), "");
  const auto records = WithoutBuffers(RecordsOf(Finish()));
  ASSERT_EQ(Kinds(records), "move move move scalar move");
  EXPECT_EQ(records[0].move.flags, MoveWork::kBypassL2);
  EXPECT_EQ(records[1].move.flags, 0);
  EXPECT_EQ(records[2].move.flags, MoveWork::kBypassL2);
  EXPECT_EQ(records[3].op, Op::kSetAtomic);
  EXPECT_EQ(records[4].move.flags, MoveWork::kAtomic);
}

TEST_F(RecorderTest, MovesInsideUbAreVectorWork) {
  Start();
  ASSERT_EQ(Issue(Move(At(4096), At(0), 1024), kBase), "");
  const auto records = WithoutBuffers(RecordsOf(Finish()));
  ASSERT_EQ(Kinds(records), "vector");
  EXPECT_EQ(records[0].pipe, Pipe::kV);
  EXPECT_EQ(records[0].op, Op::kDataCopy);
}

TEST_F(RecorderTest, FlagsAndBarriers) {
  Start();
  ASSERT_EQ(Issue(Flag(Op::kSetFlag, Pipe::kMte2, Pipe::kV, 3, true), kBase),
            "");
  ASSERT_EQ(Issue(Flag(Op::kWaitFlag, Pipe::kMte2, Pipe::kV, 3), kBase), "");
  Barrier(Pipe::kV);
  Barrier(Pipe::kAll);
  abi::Instruction sync{};
  sync.op = Op::kDataSyncBarrier;
  ASSERT_EQ(Issue(sync, kBase), "");
  const auto records = RecordsOf(Finish());
  ASSERT_EQ(Kinds(records), "set wait barrier barrier barrier");
  EXPECT_EQ(records[0].pipe, Pipe::kMte2);
  EXPECT_EQ(records[0].sync.to, Pipe::kV);
  EXPECT_EQ(records[0].sync.id, 3u);
  EXPECT_EQ(records[0].sync.by_queue, 1);
  EXPECT_EQ(records[1].pipe, Pipe::kV);
  EXPECT_EQ(records[1].sync.by_queue, 0);
  EXPECT_EQ(records[2].sync.from, Pipe::kV);
  EXPECT_EQ(records[3].sync.from, Pipe::kAll);
  EXPECT_EQ(records[4].sync.from, Pipe::kAll);
}

TEST_F(RecorderTest, BlocksThatWaitForEachOther) {
  Start(2);
  const auto sync = [&](Op op, uint32_t id, uint32_t block) {
    abi::Instruction record{};
    record.op = op;
    record.dst = Gm(gm_, abi::DType::kInt32);
    record.sync = {Pipe::kAll, Pipe::kAll, id, block};
    return record;
  };
  // Block 1 begins to wait before block 0 tells it.
  const abi::Instruction wait = sync(Op::kIbWait, 5, 0);
  ASSERT_EQ(Issue(wait, kBase, 1), "");
  ASSERT_EQ(Issue(sync(Op::kIbSet, 4, 0), kBase, 0), "");
  ASSERT_EQ(Issue(sync(Op::kIbSet, 5, 0), kBase, 0), "");
  chip_.NotifyWaited(Core(1), wait);
  // Turns: nobody has to tell block 0 of its first.
  const abi::Instruction turn = sync(Op::kWaitPreBlock, 0, 0);
  ASSERT_EQ(Issue(turn, kBase, 0), "");
  chip_.NotifyWaited(Core(0), turn);
  ASSERT_EQ(Issue(sync(Op::kNotifyNextBlock, 0, 0), kBase, 0), "");
  ASSERT_EQ(Issue(turn, kBase, 1), "");
  chip_.NotifyWaited(Core(1), turn);
  const abi::Instruction meet = sync(Op::kSyncAll, 0, 0);
  for (int core = 0; core < 2; ++core) ASSERT_EQ(Issue(meet, kBase, core), "");
  for (int core = 0; core < 2; ++core) chip_.NotifyWaited(Core(core), meet);

  const LaunchLog log = Finish();
  const auto first = RecordsOf(log, 0);
  const auto second = RecordsOf(log, 1);
  ASSERT_EQ(Kinds(first), "notify notify await notify meet");
  ASSERT_EQ(Kinds(second), "await await meet");
  EXPECT_NE(first[0].sync.token, first[1].sync.token);
  EXPECT_EQ(second[0].sync.token, first[1].sync.token);
  EXPECT_EQ(first[2].sync.token, 0u);
  EXPECT_EQ(second[1].sync.token, first[3].sync.token);
}

TEST_F(RecorderTest, FlagsBetweenCores) {
  Start(2);
  for (int core = 0; core < 2; ++core) {
    abi::Instruction set{};
    set.op = Op::kCrossCoreSetFlag;
    set.sync = {Pipe::kMte3, Pipe::kAll, 5, 0};
    ASSERT_EQ(Issue(set, kBase, core), "");
    abi::Instruction wait{};
    wait.op = Op::kCrossCoreWaitFlag;
    wait.sync = {Pipe::kAll, Pipe::kAll, 5, 0};
    ASSERT_EQ(Issue(wait, kBase, core), "");
    chip_.NotifyWaited(Core(core), wait);
  }
  const LaunchLog log = Finish();
  const auto records = RecordsOf(log, 1);
  ASSERT_EQ(Kinds(records), "tell await_cores");
  EXPECT_EQ(records[0].pipe, Pipe::kMte3);
  EXPECT_EQ(records[0].sync.id, 5u);
  EXPECT_EQ(records[0].sync.distance, 0u);
  EXPECT_EQ(records[1].sync.id, 5u);
}

TEST_F(RecorderTest, ScalarWorkComesBeforeTheRecordItLeadsTo) {
  Start();
  Work(abi::ScalarClass::kSimple, 7);
  Work(abi::ScalarClass::kFloating, 2);
  Work(abi::ScalarClass::kDivide, 1);
  Barrier(Pipe::kV);
  Barrier(Pipe::kV);
  Work(abi::ScalarClass::kStackLoad, 4);
  Work(abi::ScalarClass::kStackStore, 3);
  Work(abi::ScalarClass::kMultiply, 5);
  const LaunchLog log = Finish();
  const auto records = RecordsOf(log);
  ASSERT_EQ(Kinds(records), "barrier barrier scalar");
  ScalarWork work;
  work.simple = 7;
  work.floating = 2;
  work.divide = 1;
  EXPECT_EQ(log.scalar[records[0].scalar], work);
  EXPECT_EQ(records[1].scalar, 0u);
  work = ScalarWork{};
  work.stack_load = 4;
  work.stack_store = 3;
  work.multiply = 5;
  EXPECT_EQ(log.scalar[records[2].scalar], work);
}

TEST_F(RecorderTest, WorkIsBookedToTheBlockThatDidIt) {
  Start(2);
  Work(abi::ScalarClass::kSimple, 10);
  recorder_->OnYield(Core(0));
  Work(abi::ScalarClass::kSimple, 20);
  recorder_->OnYield(Core(1));
  ASSERT_EQ(Issue(Flag(Op::kSetFlag, Pipe::kV, Pipe::kS, 0), kBase, 0), "");
  ASSERT_EQ(Issue(Flag(Op::kSetFlag, Pipe::kV, Pipe::kS, 0), kBase, 1), "");
  const LaunchLog log = Finish();
  EXPECT_EQ(log.scalar[RecordsOf(log, 0)[0].scalar].simple, 10u);
  EXPECT_EQ(log.scalar[RecordsOf(log, 1)[0].scalar].simple, 20u);
}

TEST_F(RecorderTest, ElementAccessesAreCountedByMemory) {
  Start();
  Load(Ub(0), 4, kBase);
  Load(Ub(4), 4, kBase);
  Store(Ub(8), 4, kBase);
  Barrier(Pipe::kV);
  const LaunchLog log = Finish();
  const auto records = RecordsOf(log);
  ASSERT_EQ(Kinds(records), "barrier");
  ScalarWork work;
  work.local_load = 2;
  work.local_store = 1;
  EXPECT_EQ(log.scalar[records[0].scalar], work);
}

TEST_F(RecorderTest, LoopsOverElementsHaveTheirOwnPlace) {
  Start();
  for (int i = 0; i < 100; ++i) Load(Ub(i * 4), 4, kBase + 77);
  Barrier(Pipe::kV);
  const LaunchLog log = Finish();
  const auto records = RecordsOf(log);
  ASSERT_EQ(Kinds(records), "scalar barrier");
  EXPECT_EQ(records[0].place, 77u);
  EXPECT_EQ(log.scalar[records[0].scalar].local_load, 100u);
  EXPECT_EQ(records[1].scalar, 0u);
}

TEST_F(RecorderTest, RawPointersAreNotCountedTwice) {
  Start();
  // Compiled code counts each access through a pointer as one to its own
  // variables.
  Work(abi::ScalarClass::kStackLoad, 3);
  Load(Ub(0), 4, kBase, /*ordered=*/false);
  Load(Ub(4), 4, kBase, /*ordered=*/false);
  Barrier(Pipe::kV);
  const LaunchLog log = Finish();
  const ScalarWork& work = log.scalar[RecordsOf(log)[0].scalar];
  EXPECT_EQ(work.local_load, 2u);
  EXPECT_EQ(work.stack_load, 1u);
}

TEST_F(RecorderTest, GlobalAccessesMissOncePerLine) {
  Start();
  for (int i = 0; i < 32; ++i) Load(gm_ + i * 4, 4, kBase + i);
  Store(gm_ + 4, 4, kBase + 40);
  const LaunchLog log = Finish();
  const auto records = RecordsOf(log);
  ASSERT_EQ(Kinds(records), "global global clean");
  EXPECT_EQ(records[0].global.address, gm_);
  EXPECT_EQ(records[0].global.bytes, 4u);
  EXPECT_EQ(records[0].global.write, 0);
  EXPECT_EQ(records[0].global.direct, 0);
  EXPECT_EQ(records[1].global.address, gm_ + 64);
  EXPECT_EQ(log.scalar[records[1].scalar].cached_load, 15u);
  // The block's end writes the line back.
  EXPECT_EQ(records[2].lines, 1u);
  EXPECT_EQ(log.scalar[records[2].scalar].cached_load, 15u);
  EXPECT_EQ(log.scalar[records[2].scalar].cached_store, 1u);
}

TEST_F(RecorderTest, CleaningCountsDirtyLines) {
  Start();
  for (int i = 0; i < 3; ++i) Store(gm_ + i * 64, 4, kBase);
  abi::Instruction clean{};
  clean.op = Op::kDataCacheCleanAndInvalid;
  clean.cache = {gm_ + 64, 0};
  ASSERT_EQ(Issue(clean, kBase), "");
  ASSERT_EQ(Issue(clean, kBase), "");
  clean.cache = {0, 1};
  ASSERT_EQ(Issue(clean, kBase), "");
  const auto records = RecordsOf(Finish());
  ASSERT_EQ(Kinds(records), "global global global clean clean clean");
  EXPECT_EQ(records[3].lines, 1u);
  EXPECT_EQ(records[4].lines, 0u);
  EXPECT_EQ(records[5].lines, 2u);
}

TEST_F(RecorderTest, ScalarUnitWaitsForTheResultsItReads) {
  Start();
  Add(4096, 0, 1024);
  Load(Ub(8192), 4, kBase);       // not touched by the Add
  Load(Ub(4096), 4, kBase + 9);   // its result
  Load(Ub(4100), 4, kBase + 10);  // complete by now
  CopyIn(0, 0);
  Load(Ub(512), 4, kBase + 11);
  const auto records = WithoutBuffers(RecordsOf(Finish()));
  ASSERT_EQ(Kinds(records), "vector order move order scalar");
  EXPECT_EQ(records[1].sync.from, Pipe::kV);
  EXPECT_EQ(records[1].sync.to, Pipe::kS);
  EXPECT_EQ(records[1].sync.distance, 1u);
  EXPECT_EQ(records[1].place, 9u);
  EXPECT_EQ(records[3].sync.from, Pipe::kMte2);
  EXPECT_EQ(records[3].place, 11u);
}

TEST_F(RecorderTest, ReadsOfWhatIsOnlyReadWaitForNothing) {
  Start();
  Add(4096, 0, 1024);
  Load(Ub(0), 4, kBase);
  EXPECT_EQ(Kinds(WithoutBuffers(RecordsOf(Finish()))), "vector scalar");
}

TEST_F(RecorderTest, PipesWaitForTheScalarUnit) {
  Start();
  Store(Ub(0), 4, kBase);
  Add(4096, 0, 1024);
  Add(4096, 0, 1024);  // has waited already
  CopyOut(0, 0);       // another pipe
  const auto records = WithoutBuffers(RecordsOf(Finish()));
  ASSERT_EQ(Kinds(records), "order vector vector order move");
  EXPECT_EQ(records[0].sync.from, Pipe::kS);
  EXPECT_EQ(records[0].sync.to, Pipe::kV);
  EXPECT_EQ(records[3].sync.from, Pipe::kS);
  EXPECT_EQ(records[3].sync.to, Pipe::kMte3);
}

TEST_F(RecorderTest, PointersAreNotOrdered) {
  Start();
  Add(4096, 0, 1024);
  Load(Ub(4096), 4, kBase, /*ordered=*/false);
  Store(Ub(0), 4, kBase, /*ordered=*/false);
  abi::Instruction add = Binary(Op::kAdd, At(4096), At(0), At(1024), 256);
  add.dst.raw = true;
  Store(Ub(1024), 4, kBase);
  ASSERT_EQ(Issue(add, kBase), "");
  const std::string kinds = Kinds(WithoutBuffers(RecordsOf(Finish())));
  // The store through a tensor waits for the Add that reads the bytes.
  EXPECT_EQ(kinds, "vector order vector");
}

TEST_F(RecorderTest, FlagsOfTheKernelMakeWaitsNeedless) {
  Start();
  Add(4096, 0, 1024);
  ASSERT_EQ(Issue(Flag(Op::kSetFlag, Pipe::kV, Pipe::kS, 2), kBase), "");
  ASSERT_EQ(Issue(Flag(Op::kWaitFlag, Pipe::kV, Pipe::kS, 2), kBase), "");
  Load(Ub(4096), 4, kBase);
  Add(8192, 0, 1024);
  Barrier(Pipe::kAll);
  Load(Ub(8192), 4, kBase);
  EXPECT_EQ(Kinds(WithoutBuffers(RecordsOf(Finish()))),
            "vector set wait vector barrier scalar");
}

TEST_F(RecorderTest, RegistersOfReductionsWaitForTheVectorUnit) {
  Start();
  abi::Instruction reduce = Unary(Op::kReduceSum, At(4096), At(0), 64);
  reduce.src1 = At(8192);
  ASSERT_EQ(Issue(reduce, kBase), "");
  chip_.NotifyRegister(Core(), abi::Register::kControl, kBase);
  chip_.NotifyRegister(Core(), abi::Register::kReducedSum, kBase);
  chip_.NotifyRegister(Core(), abi::Register::kReducedSum, kBase);
  EXPECT_EQ(Kinds(WithoutBuffers(RecordsOf(Finish()))), "vector order");
}

TEST_F(RecorderTest, BuffersInUse) {
  Start();
  abi::QueueState queue = MakeQueue(abi::Position::kGm, abi::Position::kVecIn);
  Init(queue, 2, 4096, 0, kBase);
  Add(0, 1024, 2048);      // inside the buffers
  Add(16384, 1024, 2048);  // placed by address
  abi::Instruction reset{};
  reset.op = Op::kResetBuffers;
  ASSERT_EQ(Issue(reset, kBase), "");
  const auto records = RecordsOf(Finish());
  ASSERT_EQ(Kinds(records), "buffer buffer vector buffer vector buffer");
  EXPECT_EQ(records[0].buffer.bytes_in_use, 4096u);
  EXPECT_EQ(records[1].buffer.bytes_in_use, 8192u);
  EXPECT_EQ(records[1].buffer.memory, abi::Memory::kUb);
  EXPECT_EQ(records[3].buffer.bytes_in_use, 16384u + 1024);
  EXPECT_EQ(records[5].buffer.bytes_in_use, 0u);
}

TEST_F(RecorderTest, LaunchThatFailsIsDropped) {
  Start(2);
  EndBlock(0);
  recorder_->OnLaunchEnd();  // block 1 did not end
  EXPECT_TRUE(recorder_->TakeLaunches().empty());
  EXPECT_EQ(recorder_->dropped().size(), 1u);
}

TEST_F(RecorderTest, LoopOfAKernelFolds) {
  Start();
  for (int i = 0; i < 2000; ++i) {
    Work(abi::ScalarClass::kSimple, 12);
    CopyIn(i % 2 * 1024, i % 32 * 1024);
    ASSERT_EQ(Issue(Flag(Op::kSetFlag, Pipe::kMte2, Pipe::kV, 0), kBase), "");
    ASSERT_EQ(Issue(Flag(Op::kWaitFlag, Pipe::kMte2, Pipe::kV, 0), kBase), "");
    Add(8192 + i % 2 * 1024, i % 2 * 1024, 4096);
    CopyOut(i % 32 * 1024, 8192 + i % 2 * 1024);
  }
  const LaunchLog log = Finish();
  EXPECT_GE(log.logs[0].records.size(), 10000u);
  EXPECT_LE(log.logs[0].records.folded_size(), 60u);
}

TEST_F(RecorderTest, ClockIsReadFromTheCoresOwnWork) {
  Start();
  const int64_t before = recorder_->ReadClock(Core(), kBase + 50);
  for (int i = 0; i < 1000; ++i) {
    Add(65536, 0, 512);  // 4 repeats, no bank twice
    Barrier(Pipe::kAll);
  }
  const int64_t after = recorder_->ReadClock(Core(), kBase + 51);
  // At least the vector unit's time: 22 cycles to start and 4 to work.
  const npu::ChipSpec& spec = chip_.spec();
  const int64_t least = 1000 * 26 * spec.counter_mhz / spec.clock_mhz;
  EXPECT_GE(after - before, least);
  EXPECT_LE(after - before, 3 * least);
  const auto records = WithoutBuffers(RecordsOf(Finish()));
  EXPECT_EQ(records.front().kind, Kind::kReadClock);
  EXPECT_EQ(records.back().kind, Kind::kReadClock);
  EXPECT_EQ(records.back().place, 51u);
}

}  // namespace
}  // namespace belay::clock::test_recorder
