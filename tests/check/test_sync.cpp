// SPDX-License-Identifier: Apache-2.0
// synccheck: each rule, and right uses beside it that must stay silent.

#include "check/sync.h"
#include "support.h"

namespace belay::check::test_sync {
namespace {

using abi::Op;
using abi::Pipe;
using abi::Position;
using Texts = std::vector<std::string>;

class SyncCheckerTest : public CheckTest {
 protected:
  SyncCheckerTest() : checker_(chip_, findings_) {
    chip_.AddObserver(&checker_);
    Launch();
  }

  void Set(Pipe from, Pipe to, uint32_t id, uint64_t pc,
           bool by_queue = false) {
    EXPECT_EQ(Issue(Flag(Op::kSetFlag, from, to, id, by_queue), pc), "");
  }
  void Wait(Pipe from, Pipe to, uint32_t id, uint64_t pc,
            bool by_queue = false) {
    EXPECT_EQ(Issue(Flag(Op::kWaitFlag, from, to, id, by_queue), pc), "");
  }

  abi::QueueState in_ = MakeQueue(Position::kGm, Position::kVecIn);
  SyncChecker checker_;
};

TEST_F(SyncCheckerTest, PairedFlagsAreFine) {
  Set(Pipe::kMte2, Pipe::kV, 0, 1);
  Wait(Pipe::kMte2, Pipe::kV, 0, 2);
  Set(Pipe::kV, Pipe::kMte3, 0, 3, true);
  Wait(Pipe::kV, Pipe::kMte3, 0, 4, true);
  EndLaunch();
  EXPECT_EQ(Found(), (Texts{}));
}

TEST_F(SyncCheckerTest, FlagLeftSet) {
  Set(Pipe::kMte3, Pipe::kMte2, 2, 1);
  EndLaunch();
  EXPECT_EQ(Found(), (Texts{"S106@1"}));
  EXPECT_NE(Only().diagnostic.message.find("flag 2 of MTE3_MTE2"),
            std::string::npos);
  EXPECT_EQ(Only().diagnostic.severity, Severity::kError);
}

TEST_F(SyncCheckerTest, KernelTakesAQueuesFlag) {
  Set(Pipe::kMte2, Pipe::kV, 0, 1, true);
  Wait(Pipe::kMte2, Pipe::kV, 0, 2);
  EXPECT_EQ(Found(), (Texts{"S107@2"}));
  EXPECT_EQ(Only().notes[0].pc, 1u);
}

TEST_F(SyncCheckerTest, QueueTakesAKernelsFlag) {
  Set(Pipe::kMte2, Pipe::kV, 0, 1);
  Wait(Pipe::kMte2, Pipe::kV, 0, 2, true);
  EXPECT_EQ(Found(), (Texts{"S107@2"}));
}

TEST_F(SyncCheckerTest, IdReusedInTurnIsFine) {
  Set(Pipe::kMte2, Pipe::kV, 0, 1, true);
  Wait(Pipe::kMte2, Pipe::kV, 0, 2, true);
  Set(Pipe::kMte2, Pipe::kV, 0, 3);
  Wait(Pipe::kMte2, Pipe::kV, 0, 4);
  Set(Pipe::kMte2, Pipe::kV, 0, 5, true);
  Wait(Pipe::kMte2, Pipe::kV, 0, 6, true);
  EndLaunch();
  EXPECT_EQ(Found(), (Texts{}));
}

TEST_F(SyncCheckerTest, KeptIds) {
  Set(Pipe::kMte2, Pipe::kV, 7, 1);
  Wait(Pipe::kMte2, Pipe::kV, 7, 2);
  EXPECT_EQ(Found(), (Texts{"S108@1"}));
  EXPECT_EQ(Only().diagnostic.severity, Severity::kWarning);
}

TEST_F(SyncCheckerTest, KeptIdsAfterAllOthersComeFromAllocEventId) {
  for (uint32_t id = 0; id < 8; ++id) Set(Pipe::kMte2, Pipe::kV, id, 1 + id);
  for (uint32_t id = 0; id < 8; ++id) Wait(Pipe::kMte2, Pipe::kV, id, 10);
  EndLaunch();
  EXPECT_EQ(Found(), (Texts{}));
}

TEST_F(SyncCheckerTest, PairsOfAVectorCore) {
  const Pipe own[] = {Pipe::kS, Pipe::kV, Pipe::kMte2, Pipe::kMte3};
  uint64_t pc = 1;
  int pairs = 0;
  for (const Pipe from : own) {
    for (const Pipe to : own) {
      if (from == to && from != Pipe::kV) continue;
      Set(from, to, 0, pc++);
      Wait(from, to, 0, pc++);
      ++pairs;
    }
  }
  EXPECT_EQ(pairs, 13);
  EXPECT_EQ(Found(), (Texts{}));
  Set(Pipe::kMte1, Pipe::kM, 0, 100);
  Wait(Pipe::kMte1, Pipe::kM, 0, 101);
  Set(Pipe::kMte2, Pipe::kMte2, 0, 102);
  Wait(Pipe::kMte2, Pipe::kMte2, 0, 103);
  EXPECT_EQ(Found(), (Texts{"S109@100", "S109@102"}));
}

TEST_F(SyncCheckerTest, BarrierOnTheScalarPipe) {
  Issue(Flag(Op::kPipeBarrier, Pipe::kV, Pipe::kV, 0), 1);
  Issue(Flag(Op::kPipeBarrier, Pipe::kAll, Pipe::kAll, 0), 2);
  EXPECT_EQ(Found(), (Texts{}));
  Issue(Flag(Op::kPipeBarrier, Pipe::kS, Pipe::kS, 0), 3);
  EXPECT_EQ(Found(), (Texts{"S110@3"}));
}

TEST_F(SyncCheckerTest, QueueProtocol) {
  Init(in_, 2, 1024, 0, 1);
  for (int round = 0; round < 2; ++round) {
    Queue(Op::kAllocTensor, in_, 0, 2);
    Queue(Op::kEnQue, in_, 0, 3);
    Queue(Op::kDeQue, in_, 0, 4);
    Queue(Op::kEnQue, in_, 0, 5);  // on to a second consumer
    Queue(Op::kDeQue, in_, 0, 6);
    Queue(Op::kFreeTensor, in_, 0, 7);
  }
  EndLaunch();
  EXPECT_EQ(Found(), (Texts{}));
}

TEST_F(SyncCheckerTest, EnQueTwice) {
  Init(in_, 2, 1024, 0, 1);
  Queue(Op::kAllocTensor, in_, 0, 2);
  Queue(Op::kEnQue, in_, 0, 3);
  Queue(Op::kEnQue, in_, 0, 4);
  EXPECT_EQ(Found(), (Texts{"S111@4"}));
  EXPECT_EQ(Only().notes[0].pc, 3u);
  EXPECT_EQ(Only().name_pc, 1u);
}

TEST_F(SyncCheckerTest, EnQueOfAFreeTensor) {
  Init(in_, 2, 1024, 0, 1);
  Queue(Op::kEnQue, in_, 1, 2);
  Queue(Op::kDeQue, in_, 1, 3);
  Queue(Op::kFreeTensor, in_, 1, 4);
  Queue(Op::kEnQue, in_, 1, 5);
  EXPECT_EQ(Found(), (Texts{"S111@2", "S111@5"}));
  EXPECT_TRUE(findings_.entries()[0].fault.notes.empty());
  EXPECT_EQ(findings_.entries()[1].fault.notes[0].pc, 4u);
}

TEST_F(SyncCheckerTest, FreeOfAQueuedTensor) {
  Init(in_, 1, 1024, 0, 1);
  Queue(Op::kAllocTensor, in_, 0, 2);
  Queue(Op::kEnQue, in_, 0, 3);
  Queue(Op::kFreeTensor, in_, 0, 4);
  EXPECT_EQ(Found(), (Texts{"S112@4"}));
}

TEST_F(SyncCheckerTest, NineTensorsAtOnePosition) {
  abi::QueueState queues[3] = {in_, in_, in_};
  abi::QueueState out = MakeQueue(Position::kVecOut, Position::kGm);
  Init(queues[0], 4, 1024, 0, 1);
  Init(queues[1], 4, 1024, 4096, 2);
  Init(queues[2], 1, 1024, 8192, 3);
  Init(out, 1, 1024, 16384, 4);
  for (int q = 0; q < 2; ++q) {
    for (int i = 0; i < 4; ++i) Queue(Op::kAllocTensor, queues[q], i, 10);
  }
  Queue(Op::kAllocTensor, out, 0, 11);
  EXPECT_EQ(Found(), (Texts{}));
  Queue(Op::kFreeTensor, queues[0], 0, 12);
  Queue(Op::kAllocTensor, queues[0], 0, 13);
  EXPECT_EQ(Found(), (Texts{}));
  Queue(Op::kAllocTensor, queues[2], 0, 14);
  EXPECT_EQ(Found(), (Texts{"S113@14"}));
  EXPECT_EQ(Only().name_pc, 3u);
}

}  // namespace
}  // namespace belay::check::test_sync
