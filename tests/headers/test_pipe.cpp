// SPDX-License-Identifier: Apache-2.0
// TPipe, TQue, TQueBind and TBuf forward to the library.

#include "expect_operand.h"

namespace belay::header_test {
namespace {

using namespace AscendC;

class Pipes : public Headers {};

TEST_F(Pipes, PipeLivesFromConstructionToDestruction) {
  {
    TPipe pipe;
    EXPECT_EQ(GetTPipePtr(), &pipe);
    pipe.Reset();
  }
  EXPECT_EQ(Calls(), "init; reset; destroy");
}

TEST_F(Pipes, PipeDestroyedByHandIsNotDestroyedAgain) {
  {
    TPipe pipe;
    pipe.Destroy();
    pipe.Init();
    pipe.Destroy();
  }
  EXPECT_EQ(Calls(), "init; destroy; init; destroy");
}

TEST_F(Pipes, EventIds) {
  TPipe pipe;
  Forget();
  EXPECT_EQ(pipe.AllocEventID<HardEvent::MTE2_V>(), 3);
  EXPECT_EQ(pipe.FetchEventID(HardEvent::V_S), 5);
  EXPECT_EQ(pipe.FetchEventID<HardEvent::S_MTE3>(), 5);
  pipe.ReleaseEventID<HardEvent::MTE2_V>(3);
  EXPECT_EQ(Calls(),
            "event alloc 4>1; event fetch 1>0; event fetch 0>5; "
            "event release 4>1 3");
}

TEST_F(Pipes, BaseAddress) {
  TPipe pipe;
  EXPECT_EQ(reinterpret_cast<uint64_t>(
                pipe.GetBaseAddr(static_cast<int8_t>(TPosition::A1))),
            belay_memory_base(Memory::kL1));
}

TEST_F(Pipes, QueueGoesAround) {
  TPipe pipe;
  TQue<QuePosition::VECIN, 2> queue;
  Forget();
  pipe.InitBuffer(queue, 2, 1024);
  EXPECT_EQ(Calls(), "buffers 0>9 depth 2 queue 2x1024");
  EXPECT_TRUE(queue.HasIdleBuffer());
  LocalTensor<half> first = queue.AllocTensor<half>();
  LocalTensor<half> second = queue.AllocTensor<half>();
  EXPECT_EQ(first.GetPhyAddr(), Ub(0));
  EXPECT_EQ(first.GetSize(), 512u);
  EXPECT_EQ(first.GetPosition(), static_cast<int32_t>(TPosition::VECIN));
  EXPECT_EQ(second.GetPhyAddr(), Ub(1024));
  EXPECT_FALSE(queue.HasIdleBuffer());
  EXPECT_FALSE(queue.HasTensorInQue());
  second.SetUserTag(4);
  Forget();
  EXPECT_TRUE(queue.EnQue(first));
  EXPECT_TRUE(queue.VacantInQue());
  EXPECT_TRUE(queue.EnQue(second));
  EXPECT_FALSE(queue.VacantInQue());
  EXPECT_FALSE(queue.EnQue(second));
  EXPECT_EQ(queue.GetTensorCountInQue(), 2);
  LocalTensor<half> out = queue.DeQue<half>();
  EXPECT_EQ(out.GetPhyAddr(), Ub(0));
  EXPECT_EQ(out.GetUserTag(), 0);
  queue.FreeTensor(out);
  EXPECT_EQ(queue.DeQue<half>().GetUserTag(), 4);
  queue.FreeAllEvent();
  EXPECT_EQ(Calls(),
            "enque 0>9 0; enque 0>9 1; enque 0>9 1; deque 0>9; free 0>9 0; "
            "deque 0>9; free all events 0>9");
}

TEST_F(Pipes, QueueOfDepthZeroFillsTheCallersTensor) {
  TPipe pipe;
  TQue<TPosition::VECOUT, 0> queue;
  pipe.InitBuffer(queue, 1, 256);
  LocalTensor<float> tensor;
  queue.AllocTensor(tensor);
  EXPECT_EQ(tensor.GetPhyAddr(), Ub(0));
  EXPECT_EQ(tensor.GetSize(), 64u);
  EXPECT_EQ(tensor.GetPosition(), static_cast<int32_t>(TPosition::VECOUT));
  queue.EnQue(tensor);
  LocalTensor<float> out;
  queue.DeQue(out);
  EXPECT_EQ(out.GetPhyAddr(), Ub(0));
}

TEST_F(Pipes, BoundQueueServesTheMoveItIsAskedFor) {
  TPipe pipe;
  TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> queue;
  pipe.InitBuffer(queue, 1, 256);
  LocalTensor<half> tensor = queue.AllocTensor<half>();
  Forget();
  queue.EnQue<TPosition::GM, TPosition::VECIN, half>(tensor);
  tensor = queue.DeQue<TPosition::GM, TPosition::VECIN, half>();
  queue.EnQue<TPosition::VECOUT, TPosition::GM, half>(tensor);
  tensor = queue.DeQue<TPosition::VECOUT, TPosition::GM, half>();
  queue.FreeTensor(tensor);
  EXPECT_EQ(Calls(),
            "enque 0>9 0; deque 0>9; enque 10>0 0; deque 10>0; free 9>10 0");
}

// Source and destination of every queue position.
TEST_F(Pipes, QueuePositions) {
  TPipe pipe;
  Forget();
  TQue<TPosition::VECOUT, 1> vecout;
  TQue<TPosition::A1, 1> a1;
  TQue<TPosition::A2, 1> a2;
  TQue<TPosition::B2, 1> b2;
  TQue<TPosition::C2, 1> c2;
  TQue<TPosition::CO1, 1> co1;
  TSCM<TPosition::VECIN, 1> tscm;
  TBuf<> buf;
  pipe.InitBuffer(vecout, 1, 32);
  pipe.InitBuffer(a1, 1, 32);
  pipe.InitBuffer(a2, 1, 32);
  pipe.InitBuffer(b2, 1, 32);
  pipe.InitBuffer(c2, 1, 32);
  pipe.InitBuffer(co1, 1, 32);
  pipe.InitBuffer(tscm, 1, 32);
  pipe.InitBuffer(buf, 96);
  EXPECT_EQ(Calls(),
            "buffers 10>0 depth 1 queue 1x32; buffers 0>1 depth 1 queue 1x32; "
            "buffers 1>2 depth 1 queue 1x32; buffers 3>4 depth 1 queue 1x32; "
            "buffers 5>6 depth 1 queue 1x32; buffers 7>0 depth 1 queue 1x32; "
            "buffers 9>13 depth 1 queue 1x32; buffers 11>11 depth 0 buf 1x96");
}

TEST_F(Pipes, BufGivesItsMemory) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> buf;
  pipe.InitBuffer(buf, 1024);
  EXPECT_EQ(buf.Get<float>().GetSize(), 256u);
  EXPECT_EQ(buf.Get<half>(10).GetSize(), 10u);
  const auto part = buf.GetWithOffset<half>(16, 128);
  EXPECT_EQ(part.GetPhyAddr(), Ub(128));
  EXPECT_EQ(part.GetSize(), 16u);
}

TEST_F(Pipes, NegativeLengthIsNotHidden) {
  TPipe pipe;
  TQue<TPosition::VECIN, 1> queue;
  Forget();
  pipe.InitBuffer(queue, 1, -32);
  EXPECT_EQ(Calls(), "buffers 0>9 depth 1 queue 1x4294967264");
}

}  // namespace
}  // namespace belay::header_test
