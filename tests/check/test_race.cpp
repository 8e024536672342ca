// SPDX-License-Identifier: Apache-2.0
// racecheck inside a core, situation by situation: what lacks an order is
// found, with the flag that would bring it; what has one is not.

#include "race_fixture.h"

namespace belay::check::test_race {
namespace {

using abi::Op;
using abi::Pipe;

using Codes = std::vector<std::string>;

TEST_F(RaceTest, VectorReadsWhatIsStillCopiedIn) {
  Start();
  CopyIn(0, 0, 10);
  Add(4096, 0, 0, 20);
  ASSERT_EQ(Found(), Codes({"R101@20"}));
  const npu::Fault& fault = Only();
  EXPECT_EQ(fault.diagnostic.severity, Severity::kError);
  EXPECT_EQ(fault.diagnostic.core, "aiv 0");
  EXPECT_EQ(fault.diagnostic.pipe, "V");
  EXPECT_EQ(fault.diagnostic.message,
            "[Add] src0 reads bytes 0 to 1024 of UB on pipe V while DataCopy "
            "on pipe MTE2 may still be writing them: no flag makes V wait for "
            "MTE2");
  EXPECT_NE(fault.diagnostic.fix.find("SetFlag<HardEvent::MTE2_V>"),
            std::string::npos);
  ASSERT_EQ(fault.notes.size(), 1u);
  EXPECT_EQ(fault.notes[0].pc, 10u);
}

TEST_F(RaceTest, AFlagOrdersThem) {
  Start();
  CopyIn(0, 0, 10);
  Order(Pipe::kMte2, Pipe::kV);
  Add(4096, 0, 0, 20);
  Order(Pipe::kV, Pipe::kMte3);
  CopyOut(0, 4096, 30);
  EXPECT_EQ(Found(), Codes());
}

TEST_F(RaceTest, AFlagOrdersOnlyWhatCameBeforeIt) {
  Start();
  Set(Pipe::kMte2, Pipe::kV);
  CopyIn(0, 0, 10);
  Wait(Pipe::kMte2, Pipe::kV);
  Add(4096, 0, 0, 20);
  EXPECT_EQ(Found(), Codes({"R101@20"}));
}

TEST_F(RaceTest, AFlagCarriesWhatItsPipeWaitedFor) {
  Start();
  CopyIn(0, 0, 10);
  Order(Pipe::kMte2, Pipe::kV);
  Order(Pipe::kV, Pipe::kMte3);
  CopyOut(8192, 0, 30);
  EXPECT_EQ(Found(), Codes());
}

TEST_F(RaceTest, ReusedBufferIsOverwrittenWhileRead) {
  Start();
  CopyIn(0, 0, 10);
  Order(Pipe::kMte2, Pipe::kV);
  Add(4096, 0, 0, 20);
  CopyIn(0, 1024, 30);
  ASSERT_EQ(Found(), Codes({"R102@30"}));
  EXPECT_NE(Only().diagnostic.fix.find("V_MTE2"), std::string::npos);
  EXPECT_EQ(Only().notes[0].pc, 20u);
}

TEST_F(RaceTest, CopiedOutBufferNeedsMte3Mte2BeforeItIsCopiedInto) {
  Start();
  CopyOut(0, 0, 10);
  CopyIn(0, 4096, 20);
  ASSERT_EQ(Found(), Codes({"R102@20"}));
  EXPECT_NE(Only().diagnostic.fix.find("MTE3_MTE2"), std::string::npos);
}

TEST_F(RaceTest, BarrierOfAllPipesOrdersEverything) {
  Start(false);
  CopyIn(0, 0, 10);
  Barrier(Pipe::kAll);
  Add(0, 0, 0, 20);
  Barrier(Pipe::kAll);
  CopyOut(0, 0, 30);
  Barrier(Pipe::kAll);
  Load(Ub(0), 4, 40);
  EXPECT_EQ(Found(), Codes());
}

TEST_F(RaceTest, VectorInstructionsOverlapWithoutAutoSync) {
  Start(false);
  Add(1024, 0, 0, 10);
  Add(2048, 1024, 0, 20);
  ASSERT_EQ(Found(), Codes({"R101@20"}));
  EXPECT_EQ(Only().diagnostic.fix, "PipeBarrier<PIPE_V>() between the two");
}

TEST_F(RaceTest, BarrierOfVectorPipeOrdersThem) {
  Start(false);
  Add(1024, 0, 0, 10);
  Barrier(Pipe::kV);
  Add(2048, 1024, 0, 20);
  EXPECT_EQ(Found(), Codes());
}

TEST_F(RaceTest, AutoSyncOrdersVectorInstructionsOnTensors) {
  Start();
  Add(1024, 0, 0, 10);
  Add(2048, 1024, 0, 20);
  Add(1024, 0, 0, 30);
  EXPECT_EQ(Found(), Codes());
  const std::vector<AutoSyncEdge> edges = checker_->auto_sync_log().Edges();
  ASSERT_EQ(edges.size(), 2u);
  EXPECT_EQ(edges[0].from, Pipe::kV);
  EXPECT_EQ(edges[0].to, Pipe::kV);
  EXPECT_EQ(edges[0].earlier_pc, 10u);
  EXPECT_EQ(edges[0].later_pc, 20u);
  EXPECT_EQ(edges[1].later_pc, 30u);
}

TEST_F(RaceTest, AutoSyncDoesNotSeeInstructionsOnAddresses) {
  Start();
  abi::Operand raw = At(1024);
  raw.raw = true;
  ASSERT_EQ(Issue(Unary(Op::kAbs, raw, At(0), 64), 10), "");
  Add(2048, 1024, 0, 20);
  EXPECT_EQ(Found(), Codes({"R101@20"}));
}

TEST_F(RaceTest, AnInstructionInPlaceDoesNotRaceWithItself) {
  Start(false);
  Add(0, 0, 0, 10);
  EXPECT_EQ(Found(), Codes());
  Add(0, 0, 0, 10);
  EXPECT_EQ(Found(), Codes({"R101@10"}));
}

TEST_F(RaceTest, InterleavedBlocksDoNotTouchEachOther) {
  Start(false);
  abi::Instruction even = Unary(Op::kAbs, At(0), At(65536), 64);
  even.form = abi::Form::kContinuous;
  even.repeat = 100;
  even.dst.block_stride = 2;
  even.dst.repeat_stride = 16;
  abi::Instruction odd = even;
  odd.dst.address += 32;
  ASSERT_EQ(Issue(even, 10), "");
  ASSERT_EQ(Issue(odd, 20), "");
  EXPECT_EQ(Found(), Codes());
  // One block further they meet the even ones.
  odd.dst.address += 32;
  ASSERT_EQ(Issue(odd, 30), "");
  EXPECT_EQ(Found(), Codes({"R103@30"}));
}

TEST_F(RaceTest, MaskedLanesAreExact) {
  Start(false);
  abi::Instruction even = Unary(Op::kAbs, At(0), At(8192), 0);
  even.form = abi::Form::kBitwise;
  even.mask[0] = 0x5555555555555555u;
  abi::Instruction odd = even;
  odd.mask[0] = 0xaaaaaaaaaaaaaaaau;
  ASSERT_EQ(Issue(even, 10), "");
  ASSERT_EQ(Issue(odd, 20), "");
  EXPECT_EQ(Found(), Codes());
  odd.mask[0] = 1;
  ASSERT_EQ(Issue(odd, 30), "");
  EXPECT_EQ(Found(), Codes({"R103@30"}));
}

TEST_F(RaceTest, ScalarReadNeedsVSWithoutAutoSync) {
  Start(false);
  Add(0, 1024, 1024, 10);
  Load(Ub(4), 4, 20);
  ASSERT_EQ(Found(), Codes({"R101@20"}));
  EXPECT_NE(Only().diagnostic.message.find("[GetValue] reads bytes 4 to 8"),
            std::string::npos);
  EXPECT_NE(Only().diagnostic.fix.find("V_S"), std::string::npos);
}

TEST_F(RaceTest, AutoSyncOrdersGetValueAndSetValue) {
  Start();
  Add(0, 1024, 1024, 10);
  Load(Ub(4), 4, 20);
  Store(Ub(8), 4, 30);
  Add(2048, 0, 0, 40);
  Barrier(Pipe::kAll);
  CopyIn(4096, 0, 50);
  Load(Ub(4096), 4, 60);
  Store(Ub(4096), 4, 70);
  CopyOut(4096, 4096, 80);
  EXPECT_EQ(Found(), Codes());
  const std::vector<AutoSyncEdge> edges = checker_->auto_sync_log().Edges();
  ASSERT_EQ(edges.size(), 4u);
  EXPECT_EQ(edges[0].to, Pipe::kS);
  EXPECT_EQ(edges[0].later_pc, 20u);
  EXPECT_EQ(edges[1].from, Pipe::kS);
  EXPECT_EQ(edges[1].later_pc, 40u);
  EXPECT_EQ(edges[2].from, Pipe::kMte2);
  EXPECT_EQ(edges[2].later_pc, 60u);
  EXPECT_EQ(edges[3].to, Pipe::kMte3);
  EXPECT_EQ(edges[3].later_pc, 80u);
}

TEST_F(RaceTest, AutoSyncDoesNotSeeRawPointers) {
  Start();
  Add(0, 1024, 1024, 10);
  Load(Ub(4), 4, 20, /*ordered=*/false);
  EXPECT_EQ(Found(), Codes({"R101@20"}));
}

TEST_F(RaceTest, AutoSyncDoesNotSeeGlobalSetValue) {
  Start();
  Store(gm_, 4, 10);
  CopyIn(0, 0, 20);
  ASSERT_EQ(Found(), Codes({"R101@20"}));
  EXPECT_NE(Only().diagnostic.message.find("SetValue"), std::string::npos);
}

TEST_F(RaceTest, AutoSyncNeverOrdersMovesAndVectorInstructions) {
  Start();
  Add(0, 1024, 1024, 10);
  CopyOut(0, 0, 20);
  EXPECT_EQ(Found(), Codes({"R101@20"}));
}

TEST_F(RaceTest, WhatTheScalarUnitWaitedForIsCompleteForAllItIssues) {
  Start(false);
  CopyIn(0, 0, 10);
  Order(Pipe::kMte2, Pipe::kS);
  Add(4096, 0, 0, 20);
  EXPECT_EQ(Found(), Codes());
}

TEST_F(RaceTest, ScalarStoreIsNotCompleteWhenTheNextInstructionStarts) {
  Start(false);
  Store(Ub(0), 4, 10);
  Add(4096, 0, 0, 20);
  EXPECT_EQ(Found(), Codes({"R101@20"}));
}

TEST_F(RaceTest, DataSyncBarrierCompletesScalarStores) {
  Start(false);
  Store(Ub(0), 4, 10);
  abi::Instruction barrier{};
  barrier.op = Op::kDataSyncBarrier;
  ASSERT_EQ(Issue(barrier, 15), "");
  Add(4096, 0, 0, 20);
  EXPECT_EQ(Found(), Codes());
}

TEST_F(RaceTest, ResultRegistersNeedVSWithoutAutoSync) {
  Start(false);
  abi::Instruction sum = Unary(Op::kReduceSum, At(0), At(4096), 64);
  ASSERT_EQ(Issue(sum, 10), "");
  ASSERT_EQ(Issue(sum, 11), "") << "registers are written in order";
  findings_.Clear();
  chip_.NotifyRegister(Core(), abi::Register::kReducedSum, 20);
  ASSERT_EQ(Found(), Codes({"R101@20"}));
  EXPECT_EQ(Only().diagnostic.message,
            "[register read] reads the register of the result on pipe S while "
            "ReduceSum on pipe V may still be writing them: no flag makes S "
            "wait for V");
  Order(Pipe::kV, Pipe::kS);
  chip_.NotifyRegister(Core(), abi::Register::kReducedSum, 30);
  EXPECT_EQ(Found(), Codes({"R101@20"}));
}

TEST_F(RaceTest, AutoSyncOrdersReadsOfResultRegisters) {
  Start();
  abi::Instruction sum = Unary(Op::kReduceSum, At(0), At(4096), 64);
  ASSERT_EQ(Issue(sum, 10), "");
  chip_.NotifyRegister(Core(), abi::Register::kReducedSum, 20);
  EXPECT_EQ(Found(), Codes());
  EXPECT_EQ(checker_->auto_sync_log().Edges().size(), 1u);
}

TEST_F(RaceTest, MovesToOnePlaceNeedABarrierOfTheirPipe) {
  Start();
  CopyOut(0, 0, 10);
  CopyOut(0, 4096, 20);
  ASSERT_EQ(Found(), Codes({"R103@20"}));
  EXPECT_EQ(Only().diagnostic.fix, "PipeBarrier<PIPE_MTE3>() between the two");
  EXPECT_NE(Only().diagnostic.message.find("bytes 0 to 1024 of an allocation"),
            std::string::npos);
}

TEST_F(RaceTest, GlobalMemoryReadBackNeedsMte3Mte2) {
  Start();
  CopyOut(0, 0, 10);
  CopyIn(4096, 0, 20);
  EXPECT_EQ(Found(), Codes({"R101@20"}));
}

TEST_F(RaceTest, QueueTrafficIsOrderedByItsFlags) {
  Start();
  for (uint64_t tile = 0; tile < 4; ++tile) {
    if (tile > 0) Wait(Pipe::kV, Pipe::kMte2);  // AllocTensor
    CopyIn(0, tile * 1024, 10);
    Set(Pipe::kMte2, Pipe::kV);                 // EnQue
    Wait(Pipe::kMte2, Pipe::kV);                // DeQue
    if (tile > 0) Wait(Pipe::kMte3, Pipe::kV);  // AllocTensor
    Add(4096, 0, 0, 20);
    Set(Pipe::kV, Pipe::kMte2);   // FreeTensor
    Set(Pipe::kV, Pipe::kMte3);   // EnQue
    Wait(Pipe::kV, Pipe::kMte3);  // DeQue
    CopyOut(8192 + tile * 1024, 4096, 30);
    Set(Pipe::kMte3, Pipe::kV);  // FreeTensor
  }
  EXPECT_EQ(Found(), Codes());
}

TEST_F(RaceTest, RepeatsAreCounted) {
  Start();
  for (int i = 0; i < 5; ++i) {
    CopyIn(0, 0, 10);
    Add(4096, 0, 0, 20);
    Barrier(Pipe::kAll);
  }
  EXPECT_EQ(Found(), Codes({"R101@20+4"}));
}

}  // namespace
}  // namespace belay::check::test_race
