// SPDX-License-Identifier: Apache-2.0
// Pools of on-chip memory, pools of the kernel's own, buffers at chosen
// places, memory set aside in GM, and what is left of a memory.

#include "expect_operand.h"

namespace belay::header_test {
namespace {

using namespace AscendC;

class Pools : public Headers {};

TEST_F(Pools, PipeAndPoolsDivideMemory) {
  TPipe pipe;
  TBufPool<TPosition::VECCALC> outer;
  TBufPool<TPosition::VECCALC, 8> inner;
  TBufPool<TPosition::VECCALC> shared;
  TQue<TPosition::VECIN, 1> queue;
  TBuf<TPosition::VECCALC> buffer;
  Forget();
  pipe.InitBufPool(outer, 4096);
  outer.InitBufPool(inner, 1024);
  outer.InitBufPool(shared, 1024, inner);
  inner.InitBuffer(queue, 2, 256);
  inner.InitBuffer(buffer, 128);
  inner.Reset();
  EXPECT_EQ(Calls(),
            "pool 11 4096; pool 11 1024 nested; pool 11 1024 nested shared; "
            "pool buffers 0>9 2x256 at 1024 of 1024; "
            "pool buffers 11>11 1x128 at 1536 of 1024; pool reset");
  EXPECT_EQ(queue.AllocTensor<half>().GetPhyAddr(), Ub(1024));
  EXPECT_EQ(buffer.Get<half>().GetPhyAddr(), Ub(1536));
}

// As the documentation's example of a pool of one's own.
class OwnPool {
 public:
  OwnPool() { Init(); }

  template <class T>
  bool InitBuffer(T& que, uint8_t num, uint32_t len) {
    auto handle = this->GetBufHandle(this->GetCurBufSize());
    const uint32_t start = this->GetCurAddr();
    que.InitStartBufHandle(handle, num, len);
    // Every other stretch of `len` bytes.
    for (uint32_t i = 0; i < num; ++i) {
      que.InitBufHandle(this, i, handle, start + 2 * i * len, len);
    }
    this->SetCurAddr(start + 2 * num * len);
    this->SetCurBufSize(this->GetCurBufSize() + num);
    return true;
  }
  EXTERN_IMPL_BUFPOOL(OwnPool, AscendC::TPosition::VECCALC, 16);
};

TEST_F(Pools, OwnPoolPlacesBuffersWhereItWants) {
  TPipe pipe;
  OwnPool pool;
  TQue<TPosition::VECIN, 2> queue;
  TBuf<TPosition::VECCALC> buffer;
  Forget();
  pipe.InitBufPool(pool, 2048);
  pool.InitBuffer(queue, 2, 256);
  EXPECT_EQ(Calls(), "pool 11 2048; pool buffers 0>9 2x256 at 1024 of 2048");
  EXPECT_EQ(pool.GetCurAddr(), 1024u + 4 * 256);
  EXPECT_EQ(pool.GetCurBufSize(), 2);
  LocalTensor<half> first = queue.AllocTensor<half>();
  LocalTensor<half> second = queue.AllocTensor<half>();
  EXPECT_EQ(first.GetPhyAddr(), Ub(1024));
  EXPECT_EQ(second.GetPhyAddr(), Ub(1536));
  Forget();
  // What is left of the pool from there on.
  pool.InitBuffer(buffer, 1, 32);
  EXPECT_EQ(Calls(), "pool buffers 11>11 1x32 at 2048 of 1024");
  pool.Reset();
  EXPECT_EQ(pool.GetCurAddr(), 1024u);
}

TEST_F(Pools, BuffersAtChosenPlaces) {
  TPipe pipe;
  TQue<TPosition::VECIN, 1> queue;
  Forget();
  pipe.InitBuffer(queue, Std::make_tuple(512, 128), Std::make_tuple(4096, 128));
  EXPECT_EQ(queue.AllocTensor<half>().GetPhyAddr(), Ub(512));
  EXPECT_EQ(queue.AllocTensor<half>().GetPhyAddr(), Ub(4096));
}

TEST_F(Pools, TensorsAreSetAsideInGlobalMemory) {
  TPipe pipe;
  float memory[256] = {};
  GlobalTensor<float> workspace;
  workspace.SetGlobalBuffer(memory, 256);
  pipe.InitSpmBuffer(workspace, 1024);
  Forget();
  pipe.WriteSpmBuffer(InUb<half>(64), 128, 32);
  EXPECT_EQ(OnlyRecord().op, Op::kDataCopy);
  EXPECT_EQ(OnlyRecord().dst.address, reinterpret_cast<uint64_t>(memory) + 32);
  EXPECT_EQ(OnlyRecord().src0.address, Ub(64));
  EXPECT_EQ(OnlyRecord().transfer.block_bytes, 128u);
  Forget();
  pipe.ReadSpmBuffer(InUb<half>(0), DataCopyParams{2, 1, 3, 0}, 64);
  EXPECT_EQ(OnlyRecord().src0.address, reinterpret_cast<uint64_t>(memory) + 64);
  EXPECT_EQ(OnlyRecord().transfer.block_count, 2u);
  EXPECT_EQ(OnlyRecord().transfer.source_gap, 96);
}

TEST_F(Pools, StackBufferIsTheRest) {
  LocalTensor<uint8_t> rest;
  Recorded().pipe = nullptr;
  EXPECT_FALSE((PopStackBuffer<uint8_t, TPosition::LCM>(rest)));
  TPipe pipe;
  TBuf<TPosition::VECCALC> buffer;
  pipe.InitBuffer(buffer, 1024);
  ASSERT_TRUE((PopStackBuffer<uint8_t, TPosition::LCM>(rest)));
  EXPECT_EQ(rest.GetPhyAddr(), Ub(1024));
  EXPECT_EQ(rest.GetSize(), belay_memory_bytes(Memory::kUb) - 1024 - 8192);
  TBuf<TPosition::VECCALC> all;
  pipe.InitBuffer(all, belay_memory_bytes(Memory::kUb) - 1024 - 8192);
  EXPECT_FALSE((PopStackBuffer<uint8_t, TPosition::LCM>(rest)));
}

// 100 elements fit, so one move is enough; then none before it is done.
TEST_F(Pools, GlobalMemoryIsFilledThroughTheRest) {
  TPipe pipe;
  int32_t memory[128];
  GlobalTensor<int32_t> tensor;
  tensor.SetGlobalBuffer(memory, 128);
  Recorded().issued.clear();
  InitOutput<int32_t>(tensor, 100, 7);
  ASSERT_EQ(Recorded().issued.size(), 6u);
  ExpectFirst(Recorded().issued[0], Op::kDuplicate, 100);
  EXPECT_EQ(Recorded().issued[0].scalar, 7u);
  EXPECT_EQ(Recorded().issued[2].op, Op::kWaitFlag);
  EXPECT_EQ(Recorded().issued[3].op, Op::kDataCopyPad);
  EXPECT_EQ(Recorded().issued[3].transfer.block_bytes, 400u);
  EXPECT_EQ(Recorded().issued[5].op, Op::kWaitFlag);
}

}  // namespace
}  // namespace belay::header_test
