// SPDX-License-Identifier: Apache-2.0
// Checkers over cube and vector cores together: order by the flags between
// them, and what is wrong with the flags themselves.

#include <cstring>

#include "check/cross_core.h"
#include "check/race.h"
#include "support.h"

namespace belay::check::test_cross_core {
namespace {

using abi::Memory;
using abi::Op;
using abi::Pipe;
using Codes = std::vector<std::string>;

// Cores are named as in a launch: cube core b and vector cores 2b, 2b + 1 make
// block b.
class CrossCoreTest : public CheckTest {
 protected:
  static constexpr uint64_t kGmBytes = 1 << 16;

  void Start(int blocks, int vectors = 2, bool has_scheduler = true) {
    if (race_ == nullptr) {
      race_ = std::make_unique<RaceChecker>(chip_, findings_);
      flags_ = std::make_unique<CrossCoreChecker>(findings_);
      chip_.AddObserver(race_.get());
      chip_.AddObserver(flags_.get());
    }
    gm_ = chip_.global().Allocate(kGmBytes);
    std::memset(reinterpret_cast<void*>(gm_), 0, kGmBytes);
    const npu::LaunchEvent event{"kernel", blocks,  0,
                                 cubes_,   vectors, has_scheduler};
    for (npu::Observer* observer : chip_.observers()) observer->OnLaunch(event);
    for (int i = 0; i < blocks; ++i) {
      if (cubes_ > 0) Begin(chip_.CubeCore(i), i);
      for (int j = 0; j < vectors; ++j) {
        Begin(chip_.VectorCore(i * vectors + j), i * vectors + j);
      }
    }
  }

  void End() {
    for (npu::Observer* observer : chip_.observers()) {
      for (npu::Core* core : begun_) observer->OnBlockEnd(*core);
      observer->OnLaunchEnd();
    }
  }

  void Do(npu::Core& core, abi::Instruction instruction, uint64_t pc) {
    instruction.pc = pc;
    ASSERT_NO_THROW(chip_.Issue(core, instruction));
  }

  void Set(npu::Core& core, uint32_t mode, uint32_t id, Pipe pipe,
           uint64_t pc = 800) {
    abi::Instruction set{};
    set.op = Op::kCrossCoreSetFlag;
    set.mode = static_cast<uint8_t>(mode);
    set.sync = {pipe, Pipe::kAll, id, 0};
    Do(core, set, pc);
  }
  void Wait(npu::Core& core, uint32_t id, uint64_t pc = 801) {
    abi::Instruction wait{};
    wait.op = Op::kCrossCoreWaitFlag;
    wait.sync = {Pipe::kAll, Pipe::kAll, id, 0};
    Do(core, wait, pc);
    wait.pc = pc;
    chip_.NotifyWaited(core, wait);
  }
  void Meet(bool with_cubes, const std::vector<npu::Core*>& cores) {
    abi::Instruction all{};
    all.op = Op::kSyncAll;
    all.mode = with_cubes ? 1 : 0;
    all.sync = {Pipe::kAll, Pipe::kAll, 0, 0};
    for (npu::Core* core : cores) Do(*core, all, 802);
    for (npu::Core* core : cores) chip_.NotifyWaited(*core, all);
  }

  // 1 KB from and to the on-chip memory that talks to global memory: on MTE2
  // into L1 or UB, on MTE3 out of UB.
  void Read(npu::Core& core, uint64_t offset, uint64_t pc) {
    Do(core, Move(Local(core), Gm(gm_ + offset), 1024), pc);
  }
  void Write(npu::Core& core, uint64_t offset, uint64_t pc) {
    Do(core, Move(Gm(gm_ + offset), Local(core), 1024), pc);
  }

  npu::Core& Cube(int i = 0) { return chip_.CubeCore(i); }
  npu::Core& Vector(int i = 0) { return chip_.VectorCore(i); }

  int cubes_ = 1;

 private:
  void Begin(npu::Core& core, int block) {
    core.block = block;
    core.flags = npu::FlagTable{};
    begun_.push_back(&core);
    for (npu::Observer* observer : chip_.observers()) {
      observer->OnBlockBegin(core);
    }
  }
  abi::Operand Local(npu::Core& core) {
    const Memory memory =
        core.type == npu::CoreType::kCube ? Memory::kL1 : Memory::kUb;
    // A place that no other move of the test uses.
    moved_ += 1024;
    return {chip_.on_chip().Base(core.slot, memory) + moved_, 0, 0,
            abi::DType::kFloat, memory};
  }

  std::unique_ptr<RaceChecker> race_;
  std::unique_ptr<CrossCoreChecker> flags_;
  std::vector<npu::Core*> begun_;
  uint64_t gm_ = 0;
  uint64_t moved_ = 0;
};

// --- order ------------------------------------------------------------------

TEST_F(CrossCoreTest, ExchangeWithoutAFlagIsARace) {
  Start(1);
  Write(Vector(0), 0, 10);
  Read(Cube(), 0, 20);
  ASSERT_EQ(Found(), Codes({"R104@20"}));
  const npu::Fault& fault = Only();
  EXPECT_EQ(fault.diagnostic.core, "aic 0");
  ASSERT_EQ(fault.notes.size(), 1u);
  EXPECT_EQ(fault.notes[0].pc, 10u);
  EXPECT_EQ(fault.diagnostic.fix,
            "CrossCoreSetFlag<2, PIPE_MTE3>(id) after the DataCopy on aiv 0, "
            "CrossCoreWaitFlag(id) before the DataCopy on aic 0");
}

TEST_F(CrossCoreTest, FlagsOfAllVectorCoresOrderTheCubeCore) {
  Start(1);
  Write(Vector(0), 0, 10);
  Set(Vector(0), 2, 1, Pipe::kMte3);
  Write(Vector(1), 1024, 11);
  Set(Vector(1), 2, 1, Pipe::kMte3);
  Wait(Cube(), 1);
  Read(Cube(), 0, 20);
  Read(Cube(), 1024, 21);
  EXPECT_EQ(Found(), Codes());
  // What came after the set is not covered.
  Write(Vector(0), 0, 30);
  EXPECT_EQ(Found(), Codes({"R104@30"}));
}

TEST_F(CrossCoreTest, TheSetMustNameThePipeThatMoves) {
  Start(1, 1);
  Write(Vector(0), 0, 10);
  Set(Vector(0), 2, 1, Pipe::kMte2);
  Wait(Cube(), 1);
  Read(Cube(), 0, 20);
  EXPECT_EQ(Found(), Codes({"R104@20"}));
}

TEST_F(CrossCoreTest, KnowledgeTravelsThroughTheMiddleman) {
  // aiv 2 of block 1 learns from aiv 0 of block 0 by way of both cube cores.
  Start(2);
  Write(Vector(0), 0, 10);
  Set(Vector(0), 2, 1, Pipe::kMte3);
  Set(Vector(1), 2, 1, Pipe::kMte3);
  Wait(Cube(0), 1);
  for (int i = 0; i < 2; ++i) Set(Cube(i), 0, 2, Pipe::kMte2);
  for (int i = 0; i < 2; ++i) Wait(Cube(i), 2);
  Set(Cube(1), 2, 3, Pipe::kMte2);
  Wait(Vector(2), 3);
  Wait(Vector(3), 3);
  Read(Vector(2), 0, 20);
  EXPECT_EQ(Found(), Codes());
}

TEST_F(CrossCoreTest, StepsOfACounterAreTakenInOrder) {
  Start(1, 1);
  Write(Vector(0), 0, 10);
  Set(Vector(0), 2, 1, Pipe::kMte3);
  Write(Vector(0), 1024, 11);
  Set(Vector(0), 2, 1, Pipe::kMte3);
  Wait(Cube(), 1);
  Read(Cube(), 0, 20);
  EXPECT_EQ(Found(), Codes());
  Read(Cube(), 1024, 21);
  EXPECT_EQ(Found(), Codes({"R104@21"}));
}

TEST_F(CrossCoreTest, VectorCoresOfABlockTellEachOther) {
  Start(2);
  for (int i = 0; i < 4; ++i) Write(Vector(i), i * 1024, 10);
  for (int i = 0; i < 2; ++i) Set(Vector(i), 1, 4, Pipe::kMte3);
  for (int i = 0; i < 2; ++i) Wait(Vector(i), 4);
  Read(Vector(0), 1024, 20);
  Read(Vector(1), 0, 21);
  EXPECT_EQ(Found(), Codes());
  Read(Vector(1), 2048, 22);
  EXPECT_EQ(Found(), Codes({"R104@22"}));
}

TEST_F(CrossCoreTest, MeetingsOfVectorCoresDoNotOrderCubeCores) {
  Start(1);
  Write(Vector(0), 0, 10);
  Meet(false, {&Vector(0), &Vector(1)});
  Read(Vector(1), 0, 20);
  EXPECT_EQ(Found(), Codes());
  Read(Cube(), 0, 21);
  EXPECT_EQ(Found(), Codes({"R104@21"}));
}

TEST_F(CrossCoreTest, MeetingsOfAllOrderAll) {
  Start(2);
  // Vector cores have met once more than cube cores.
  Meet(false, {&Vector(0), &Vector(1), &Vector(2), &Vector(3)});
  Write(Vector(3), 0, 10);
  Meet(true,
       {&Vector(0), &Cube(0), &Vector(1), &Vector(2), &Cube(1), &Vector(3)});
  Read(Cube(0), 0, 20);
  Read(Vector(0), 0, 21);
  EXPECT_EQ(Found(), Codes());
}

// --- the flags themselves ---------------------------------------------------

TEST_F(CrossCoreTest, PairsLeaveNothing) {
  Start(1);
  for (int i = 0; i < 20; ++i) {
    Set(Cube(), 2, 3, Pipe::kFix);
    Wait(Vector(0), 3);
    Wait(Vector(1), 3);
  }
  End();
  EXPECT_EQ(Found(), Codes());
}

TEST_F(CrossCoreTest, CountersLeftOver) {
  Start(1);
  Set(Cube(), 2, 3, Pipe::kFix, 10);
  Wait(Vector(0), 3);
  End();
  ASSERT_EQ(Found(), Codes({"S132@10"}));
  EXPECT_EQ(Only().diagnostic.core, "aiv 1");
  EXPECT_NE(Only().diagnostic.message.find("its counter is 1"),
            std::string::npos);
}

TEST_F(CrossCoreTest, SetsThatRaisedNothing) {
  Start(1);
  Set(Vector(0), 2, 3, Pipe::kMte3, 10);
  End();
  ASSERT_EQ(Found(), Codes({"S132@10"}));
  EXPECT_NE(Only().diagnostic.message.find("in mode 2 once more often"),
            std::string::npos)
      << Only().diagnostic.message;
}

TEST_F(CrossCoreTest, LaunchesThatFailedLeaveWhatTheyLike) {
  Start(1);
  Set(Cube(), 2, 3, Pipe::kFix, 10);
  for (npu::Observer* observer : chip_.observers()) observer->OnLaunchEnd();
  EXPECT_EQ(Found(), Codes());
}

TEST_F(CrossCoreTest, ACounterThatMayOverflow) {
  Start(1, 1);
  for (int i = 0; i < 15; ++i) Set(Cube(), 2, 3, Pipe::kFix, 10);
  EXPECT_EQ(Found(), Codes());
  Set(Cube(), 2, 3, Pipe::kFix, 10);
  EXPECT_EQ(Found(), Codes({"S135@10"}));
}

TEST_F(CrossCoreTest, IdsOutOfRangeAndOfTheLibrary) {
  Start(1, 1);
  Set(Cube(), 2, 18, Pipe::kFix, 10);
  Wait(Vector(0), 2, 11);
  EXPECT_EQ(Found(), Codes({"S133@10"}));
  findings_.Clear();
  Set(Cube(), 2, 12, Pipe::kFix, 20);
  Wait(Vector(0), 12, 21);
  EXPECT_EQ(Found(), Codes());
  Meet(true, {&Cube(), &Vector(0)});
  Set(Cube(), 2, 12, Pipe::kFix, 22);
  Wait(Vector(0), 12, 23);
  EXPECT_EQ(Found(), Codes({"S134@22"}));
  findings_.Clear();
  // A Matmul object uses flag 1.
  Set(Cube(), npu::kOneVectorCore, 1, Pipe::kFix, 30);
  Set(Cube(), 2, 1, Pipe::kFix, 31);
  EXPECT_EQ(Found(), Codes({"S134@31"}));
}

TEST_F(CrossCoreTest, PipesThatCannotSet) {
  Start(1, 1);
  Set(Cube(), 2, 1, Pipe::kAll, 10);
  Set(Cube(), 2, 1, Pipe::kS, 11);
  EXPECT_EQ(Found(), Codes({"S136@10", "S136@11"}));
}

TEST_F(CrossCoreTest, NobodyPassesItOnOrGetsIt) {
  cubes_ = 0;
  Start(2, 1, /*has_scheduler=*/false);
  Set(Vector(0), 0, 1, Pipe::kMte3, 10);
  EXPECT_EQ(Found(), Codes({"S131@10"}));
  findings_.Clear();
  Start(2, 1, /*has_scheduler=*/true);
  Set(Vector(0), 0, 1, Pipe::kMte3, 11);
  EXPECT_EQ(Found(), Codes());
  Set(Vector(0), 2, 1, Pipe::kMte3, 12);
  EXPECT_EQ(Found(), Codes({"S131@12"}));
}

}  // namespace
}  // namespace belay::check::test_cross_core
