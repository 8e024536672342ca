// SPDX-License-Identifier: Apache-2.0
// racecheck between cores, and with the data caches between them.

#include "race_fixture.h"

namespace belay::check::test_race_cores {
namespace {

using abi::DType;
using abi::Op;
using abi::Pipe;

using Codes = std::vector<std::string>;

// --- between cores -----------------------------------------------------------

TEST_F(RaceTest, BlocksThatShareBytesNeedAMeeting) {
  Start(true, 2);
  CopyOut(0, 0, 10, 0);
  CopyIn(0, 0, 20, 1);
  ASSERT_EQ(Found(), Codes({"R104@20"}));
  const npu::Fault& fault = Only();
  EXPECT_EQ(fault.diagnostic.core, "aiv 1");
  EXPECT_NE(fault.diagnostic.message.find("aiv 0 (DataCopy on pipe MTE3)"),
            std::string::npos);
  EXPECT_NE(fault.diagnostic.fix.find("SyncAll"), std::string::npos);
}

TEST_F(RaceTest, SyncAllOrdersBlocks) {
  Start(true, 3);
  for (int i = 0; i < 3; ++i) CopyOut(i * 1024, 0, 10, i);
  Meet(3);
  for (int i = 0; i < 3; ++i) {
    CopyIn(0, (i + 1) % 3 * 1024, 20, i);
  }
  Meet(3);
  CopyOut(1024, 4096, 30, 0);
  EXPECT_EQ(Found(), Codes());
}

TEST_F(RaceTest, ReadersDoNotRaceButTheNextWriterDoes) {
  Start(true, 8);
  for (int i = 0; i < 8; ++i) CopyIn(0, 0, 10 + i, i);
  EXPECT_EQ(Found(), Codes());
  Order(Pipe::kMte2, Pipe::kMte3, 3);
  CopyOut(0, 0, 30, 3);
  EXPECT_EQ(Found().size(), 7u);
  for (const std::string& found : Found()) EXPECT_EQ(found, "R104@30");
}

TEST_F(RaceTest, IbSetOrdersThoseWhoWait) {
  Start(true, 3);
  CopyOut(0, 0, 10, 0);
  ASSERT_EQ(Issue(BlockSync(Op::kIbSet, 1, 0), 11, 0), "");
  const abi::Instruction wait = BlockSync(Op::kIbWait, 1, 0);
  ASSERT_EQ(Issue(wait, 12, 1), "");
  Waited(wait, 1);
  CopyIn(0, 0, 20, 1);
  EXPECT_EQ(Found(), Codes());
  CopyIn(0, 0, 30, 2);
  EXPECT_EQ(Found(), Codes({"R104@30"}));
}

TEST_F(RaceTest, TurnsOrderBlocks) {
  Start(true, 2);
  const abi::Instruction wait = BlockSync(Op::kWaitPreBlock);
  const abi::Instruction notify = BlockSync(Op::kNotifyNextBlock);
  for (int block = 0; block < 2; ++block) {
    ASSERT_EQ(Issue(wait, 5, block), "");
    Waited(wait, block);
    CopyOut(0, 0, 10, block);
    ASSERT_EQ(Issue(notify, 15, block), "");
  }
  ASSERT_EQ(Issue(wait, 5, 0), "");
  Waited(wait, 0);
  CopyOut(0, 0, 10, 0);
  EXPECT_EQ(Found(), Codes());
}

TEST_F(RaceTest, WaitingForABlockCompletesWhatTheCoreWasGiven) {
  Start(true, 2);
  CopyIn(0, 0, 10, 0);
  const abi::Instruction wait = BlockSync(Op::kWaitPreBlock);
  ASSERT_EQ(Issue(wait, 15, 0), "");
  Waited(wait, 0);
  CopyOut(4096, 0, 20, 0);
  EXPECT_EQ(Found(), Codes());
}

TEST_F(RaceTest, EqualAtomicsDoNotRace) {
  Start(true, 2);
  SetAtomic(abi::Atomic::kAdd, DType::kFloat, 0);
  SetAtomic(abi::Atomic::kAdd, DType::kFloat, 1);
  CopyOut(0, 0, 10, 0);
  CopyOut(0, 0, 20, 1);
  CopyOut(0, 0, 30, 0);
  EXPECT_EQ(Found(), Codes());
}

TEST_F(RaceTest, AtomicsRaceWithOthers) {
  Start(true, 3);
  SetAtomic(abi::Atomic::kAdd, DType::kFloat, 0);
  SetAtomic(abi::Atomic::kMax, DType::kFloat, 1);
  CopyOut(0, 0, 10, 0);
  CopyOut(0, 0, 20, 1);
  CopyIn(0, 0, 30, 2);
  const Codes found = Found();
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0], "R104@20");
  EXPECT_EQ(found[1], "R104@30");
  EXPECT_EQ(found[2], "R104@30");
}

TEST_F(RaceTest, AtomicsAndInitialisationNeedAMeeting) {
  Start(true, 2);
  CopyOut(0, 0, 10, 0);
  SetAtomic(abi::Atomic::kAdd, DType::kFloat, 1);
  CopyOut(0, 0, 20, 1);
  EXPECT_EQ(Found(), Codes({"R104@20"}));
}

TEST_F(RaceTest, EqualBytesAreOnlyANote) {
  Start(true, 2);
  for (int i = 0; i < 2; ++i) {
    std::memset(reinterpret_cast<void*>(Ub(0, i)), 7, 1024);
  }
  CopyOut(0, 0, 10, 0);
  CopyOut(512, 0, 20, 1);
  ASSERT_EQ(Found(), Codes({"R105@20"}));
  EXPECT_EQ(Only().diagnostic.severity, Severity::kNote);
  std::memset(reinterpret_cast<void*>(Ub(100, 1)), 8, 1);
  CopyOut(512, 0, 30, 0);
  CopyOut(512, 0, 40, 1);
  EXPECT_EQ(Found().back(), "R104@40");
}

TEST_F(RaceTest, TheNextBlockOnACoreComesAfterTheLast) {
  Start(true, 1);
  CopyOut(0, 0, 10);
  EndBlock();
  for (npu::Observer* observer : chip_.observers()) {
    observer->OnBlockBegin(Core());
  }
  CopyIn(0, 0, 20);
  EXPECT_EQ(Found(), Codes());
}

TEST_F(RaceTest, LaunchesFollowEachOther) {
  Start(true, 2);
  CopyOut(0, 0, 10, 0);
  EndLaunch();
  Launch(2);
  CopyIn(0, 0, 20, 1);
  EXPECT_EQ(Found(), Codes());
}

// --- the data cache ----------------------------------------------------------

TEST_F(RaceTest, MovesDoNotSeeStoresInTheDataCache) {
  Start();
  Store(gm_, 4, 10);
  Order(Pipe::kS, Pipe::kMte2);
  CopyIn(0, 0, 20);
  ASSERT_EQ(Found(), Codes({"R106@20"}));
  EXPECT_NE(Only().diagnostic.fix.find("DataCacheCleanAndInvalid"),
            std::string::npos);
}

TEST_F(RaceTest, CleanedStoresAreSeen) {
  Start(true, 2);
  Store(gm_, 4, 10);
  CleanLine(gm_);
  Order(Pipe::kS, Pipe::kMte2);
  CopyIn(0, 0, 20);
  Meet(2);
  CopyIn(0, 0, 30, 1);
  Load(gm_, 4, 40, true, 1);
  EXPECT_EQ(Found(), Codes());
}

TEST_F(RaceTest, TheCleanMustBeOrderedToo) {
  Start();
  Store(gm_, 4, 10);
  Order(Pipe::kS, Pipe::kMte2);
  CleanLine(gm_);
  CopyIn(0, 0, 20);
  EXPECT_EQ(Found(), Codes({"R106@20"}));
}

TEST_F(RaceTest, CleaningACleanLineChangesNothing) {
  Start(true, 2);
  Store(gm_, 4, 10);
  CleanLine(gm_);
  Meet(2);
  CleanLine(gm_);
  CopyIn(0, 0, 20, 1);
  EXPECT_EQ(Found(), Codes());
}

TEST_F(RaceTest, SyncAllDoesNotCleanTheDataCache) {
  Start(true, 2);
  Store(gm_, 4, 10);
  Meet(2);
  Load(gm_, 4, 20, true, 1);
  EXPECT_EQ(Found(), Codes({"R106@20"}));
}

TEST_F(RaceTest, LoadsFindOldLinesInTheDataCache) {
  Start(true, 2);
  Load(gm_, 4, 10);
  Meet(2);
  std::memset(reinterpret_cast<void*>(Ub(0, 1)), 9, 1024);
  CopyOut(0, 0, 20, 1);
  Meet(2);
  Load(gm_, 4, 30);
  ASSERT_EQ(Found(), Codes({"R107@30"}));
  CleanLine(gm_);
  Load(gm_, 4, 40);
  EXPECT_EQ(Found(), Codes({"R107@30"}));
}

TEST_F(RaceTest, TwoCoresStoreIntoOneLine) {
  Start(true, 2);
  Store(gm_, 4, 10, true, 0);
  EndBlock(0);
  Store(gm_ + 32, 4, 20, true, 1);
  ASSERT_EQ(Found(), Codes({"R108@20"}));
  EXPECT_EQ(Only().notes[0].pc, 10u);
}

TEST_F(RaceTest, CoresWithLinesOfTheirOwnAreRight) {
  Start(true, 2);
  Store(gm_, 4, 10, true, 0);
  Store(gm_ + 64, 4, 20, true, 1);
  EXPECT_EQ(Found(), Codes());
}

TEST_F(RaceTest, StoreAndMoveIntoOneLine) {
  Start();
  CopyOut(0, 0, 10);
  Store(gm_ + 1024, 4, 20);
  EXPECT_EQ(Found(), Codes()) << "the next line";
  Store(gm_ + 2048 + 4, 4, 30);
  ASSERT_EQ(Issue(Move(Gm(gm_ + 2048 + 32), At(8192), 32), 40), "");
  EXPECT_EQ(Found(), Codes({"R108@40"}));
}

TEST_F(RaceTest, AccessesPastTheCachePassOrderOn) {
  Start(true, 2);
  const auto direct = [&](uint64_t at, bool write, uint64_t pc, int core) {
    chip_.AccessDirect(Core(core), at, 4, write, pc);
  };
  CopyOut(1024, 0, 10, 0);
  Order(Pipe::kMte3, Pipe::kS, 0);
  direct(gm_, true, 20, 0);
  direct(gm_, false, 30, 1);
  CopyIn(0, 1024, 40, 1);
  EXPECT_EQ(Found(), Codes());
}

TEST_F(RaceTest, CleanedAndDroppedLinesPassOrderOn) {
  Start(true, 2);
  // Block 1 looks for a flag before and after block 0 raises it.
  CleanLine(gm_, 1);
  Load(gm_, 4, 5, true, 1);
  CopyOut(1024, 0, 10, 0);
  Order(Pipe::kMte3, Pipe::kS, 0);
  Store(gm_, 4, 20, true, 0);
  CleanLine(gm_, 0);
  CleanLine(gm_, 1);
  Load(gm_, 4, 30, true, 1);
  CopyIn(0, 1024, 40, 1);
  EXPECT_EQ(Found(), Codes());
}

TEST_F(RaceTest, LoadingALineThatWasNotDroppedPassesNothingOn) {
  Start(true, 2);
  Store(gm_, 4, 20, true, 0);
  CleanLine(gm_, 0);
  Load(gm_, 4, 30, true, 1);
  EXPECT_EQ(Found(), Codes({"R104@30"}));
}

}  // namespace
}  // namespace belay::check::test_race_cores
