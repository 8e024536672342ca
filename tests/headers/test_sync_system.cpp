// SPDX-License-Identifier: Apache-2.0
// Flags, barriers, masks, atomics, questions about the core, printing.

#include <string>

#include "expect_operand.h"

namespace belay::header_test {
namespace {

using namespace AscendC;
using abi::Pipe;

class SyncSystem : public Headers {
 protected:
  void ExpectSync(Op op, Pipe from, Pipe to, uint32_t id) {
    EXPECT_EQ(OnlyRecord().op, op);
    EXPECT_EQ(OnlyRecord().sync.from, from);
    EXPECT_EQ(OnlyRecord().sync.to, to);
    EXPECT_EQ(OnlyRecord().sync.id, id);
    Forget();
  }
};

TEST_F(SyncSystem, Flags) {
  SetFlag<HardEvent::MTE2_V>(EVENT_ID3);
  ExpectSync(Op::kSetFlag, Pipe::kMte2, Pipe::kV, 3);
  WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
  ExpectSync(Op::kWaitFlag, Pipe::kV, Pipe::kMte3, 0);
  SetFlag<HardEvent::S_MTE2>(9);
  ExpectSync(Op::kSetFlag, Pipe::kS, Pipe::kMte2, 9);
  SetFlag<HardEvent::M_FIX>(-1);
  ExpectSync(Op::kSetFlag, Pipe::kM, Pipe::kFix, UINT32_MAX);
  set_flag(PIPE_MTE3, PIPE_MTE2, EVENT_ID2);
  ExpectSync(Op::kSetFlag, Pipe::kMte3, Pipe::kMte2, 2);
  wait_flag(PIPE_MTE3, PIPE_MTE2, EVENT_ID2);
  ExpectSync(Op::kWaitFlag, Pipe::kMte3, Pipe::kMte2, 2);
  TQueSync<PIPE_V, PIPE_S> sync;
  sync.SetFlag(1);
  ExpectSync(Op::kSetFlag, Pipe::kV, Pipe::kS, 1);
  sync.WaitFlag(1);
  ExpectSync(Op::kWaitFlag, Pipe::kV, Pipe::kS, 1);
}

// Every event's name is its pipes' names.
TEST_F(SyncSystem, EventsAreNamedByTheirPipes) {
  const std::pair<HardEvent, std::pair<Pipe, Pipe>> events[] = {
      {HardEvent::MTE2_MTE1, {Pipe::kMte2, Pipe::kMte1}},
      {HardEvent::MTE1_M, {Pipe::kMte1, Pipe::kM}},
      {HardEvent::V_V, {Pipe::kV, Pipe::kV}},
      {HardEvent::MTE3_S, {Pipe::kMte3, Pipe::kS}},
      {HardEvent::FIX_MTE2, {Pipe::kFix, Pipe::kMte2}},
      {HardEvent::FIX_FIX, {Pipe::kFix, Pipe::kFix}},
  };
  for (const auto& [event, pipes] : events) {
    EXPECT_EQ(api::FromOf(event), pipes.first);
    EXPECT_EQ(api::ToOf(event), pipes.second);
  }
}

TEST_F(SyncSystem, Barriers) {
  PipeBarrier<PIPE_V>();
  ExpectSync(Op::kPipeBarrier, Pipe::kV, Pipe::kV, 0);
  PipeBarrier<PIPE_ALL>();
  ExpectSync(Op::kPipeBarrier, Pipe::kAll, Pipe::kAll, 0);
  pipe_barrier(PIPE_MTE2);
  ExpectSync(Op::kPipeBarrier, Pipe::kMte2, Pipe::kMte2, 0);
}

constexpr SyncAllConfig kAfterMte3 = {PIPE_MTE3, PIPE_ALL};

TEST_F(SyncSystem, SyncAll) {
  AscendC::SyncAll();
  EXPECT_EQ(OnlyRecord().mode, 0);
  ExpectSync(Op::kSyncAll, Pipe::kAll, Pipe::kAll, 0);
  AscendC::SyncAll<false>();
  EXPECT_EQ(OnlyRecord().mode, 1);
  ExpectSync(Op::kSyncAll, Pipe::kAll, Pipe::kAll, 0);
  AscendC::SyncAll<true, kAfterMte3>();
  ExpectSync(Op::kSyncAll, Pipe::kMte3, Pipe::kAll, 0);
  AscendC::SyncAll(GlobalTensor<int32_t>(), InUb<int32_t>(0), 8);
  ExpectSync(Op::kSyncAll, Pipe::kAll, Pipe::kAll, 8);
}

TEST_F(SyncSystem, FlagsBetweenCores) {
  const auto expect_set = [this](uint8_t mode, Pipe pipe, uint32_t id,
                                 uint32_t is_c_call) {
    EXPECT_EQ(OnlyRecord().mode, mode);
    EXPECT_EQ(OnlyRecord().sync.block, is_c_call);
    ExpectSync(Op::kCrossCoreSetFlag, pipe, Pipe::kAll, id);
  };
  CrossCoreSetFlag<2, PIPE_FIX>(3);
  expect_set(2, Pipe::kFix, 3, 0);
  CrossCoreSetFlag<0, PIPE_MTE3>(0);
  expect_set(0, Pipe::kMte3, 0, 0);
  CrossCoreWaitFlag(7);
  ExpectSync(Op::kCrossCoreWaitFlag, Pipe::kAll, Pipe::kAll, 7);
  CrossCoreWaitFlag<2, PIPE_MTE2>(8);
  ExpectSync(Op::kCrossCoreWaitFlag, Pipe::kAll, Pipe::kAll, 8);
  ffts_cross_core_sync(PIPE_MTE3, 1 | 2 << 4 | 9 << 8);
  expect_set(2, Pipe::kMte3, 9, 1);
  wait_flag_dev(9);
  ExpectSync(Op::kCrossCoreWaitFlag, Pipe::kAll, Pipe::kAll, 9);
  asc_sync_inter_arrive(PIPE_S, 1);
  expect_set(0, Pipe::kS, 1, 1);
  asc_sync_subblock_arrive(PIPE_MTE3, 2);
  expect_set(1, Pipe::kMte3, 2, 1);
  asc_sync_block_arrive(PIPE_FIX, 3);
  expect_set(2, Pipe::kFix, 3, 1);
  asc_sync_block_wait(PIPE_S, 3);
  ExpectSync(Op::kCrossCoreWaitFlag, Pipe::kAll, Pipe::kAll, 3);
}

TEST_F(SyncSystem, MaskRegister) {
  SetMaskCount();
  EXPECT_EQ(OnlyRecord().op, Op::kSetMaskCount);
  Forget();
  SetMaskNorm();
  EXPECT_EQ(OnlyRecord().op, Op::kSetMaskNorm);
  Forget();
  ResetMask();
  EXPECT_EQ(OnlyRecord().op, Op::kResetMask);
  Forget();
  SetVectorMask<half>(0x12, 0x34);
  EXPECT_EQ(OnlyRecord().op, Op::kSetVectorMask);
  EXPECT_EQ(OnlyRecord().form, Form::kBitwise);
  EXPECT_EQ(OnlyRecord().mask[0], 0x34u);
  EXPECT_EQ(OnlyRecord().mask[1], 0x12u);
  EXPECT_EQ(OnlyRecord().dst.dtype, DType::kHalf);
  Forget();
  SetVectorMask<half, MaskMode::COUNTER>(0, 300);
  EXPECT_EQ(OnlyRecord().form, Form::kCount);
  EXPECT_EQ(OnlyRecord().mask[0], 300u);
  EXPECT_EQ(OnlyRecord().mask[1], 0u);
  Forget();
  SetVectorMask<half, MaskMode::COUNTER>(301);
  EXPECT_EQ(OnlyRecord().form, Form::kCount);
  EXPECT_EQ(OnlyRecord().mask[0], 301u);
}

TEST_F(SyncSystem, ContinuousMaskBecomesBits) {
  const struct {
    int32_t lanes;
    uint64_t low;
    uint64_t high;
  } cases[] = {
      {0, 0, 0},      {1, 1, 0},           {63, ~0ull >> 1, 0}, {64, ~0ull, 0},
      {65, ~0ull, 1}, {128, ~0ull, ~0ull}, {200, ~0ull, ~0ull}, {-1, 0, 0},
  };
  for (const auto& [lanes, low, high] : cases) {
    Forget();
    SetVectorMask<half>(lanes);
    EXPECT_EQ(OnlyRecord().form, Form::kContinuous);
    EXPECT_EQ(OnlyRecord().mask[0], low) << lanes;
    EXPECT_EQ(OnlyRecord().mask[1], high) << lanes;
  }
}

TEST_F(SyncSystem, Atomics) {
  const auto expect = [](abi::Atomic operation, DType dtype) {
    EXPECT_EQ(OnlyRecord().op, Op::kSetAtomic);
    EXPECT_EQ(OnlyRecord().mode, static_cast<uint8_t>(operation));
    EXPECT_EQ(OnlyRecord().dst.dtype, dtype);
    Forget();
  };
  SetAtomicAdd<float>();
  expect(abi::Atomic::kAdd, DType::kFloat);
  SetAtomicMax<bfloat16_t>();
  expect(abi::Atomic::kMax, DType::kBfloat16);
  SetAtomicMin<int8_t>();
  expect(abi::Atomic::kMin, DType::kInt8);
  SetAtomicType<half>();
  expect(abi::Atomic::kAdd, DType::kHalf);
  SetAtomicNone();
  expect(abi::Atomic::kNone, DType::kNone);
  DisableDmaAtomic();
  expect(abi::Atomic::kNone, DType::kNone);
}

TEST_F(SyncSystem, InitSocStateResetsTheRegisters) {
  InitSocState();
  ASSERT_EQ(Recorded().issued.size(), 3u);
  EXPECT_EQ(Recorded().issued[0].op, Op::kSetAtomic);
  EXPECT_EQ(Recorded().issued[0].mode, 0);
  EXPECT_EQ(Recorded().issued[1].op, Op::kSetMaskNorm);
  EXPECT_EQ(Recorded().issued[2].op, Op::kResetMask);
}

TEST_F(SyncSystem, QuestionsAboutTheCore) {
  EXPECT_EQ(GetBlockIdx(), 7);
  EXPECT_EQ(GetBlockNum(), 48);
  EXPECT_EQ(GetSubBlockIdx(), 1);
  EXPECT_EQ(GetSubBlockNum(), 2);
  EXPECT_EQ(GetTaskRation(), 2);
  EXPECT_EQ(GetTaskRatio(), 2);
  EXPECT_EQ(GetSystemCycle(), 1234);
  // Both vector cores of a block have the same.
  EXPECT_EQ(block_idx * 3, 9);
  EXPECT_EQ(block_num + 0u, 48);
  EXPECT_EQ(get_block_num(), 48);
  uint32_t version = 0;
  GetArchVersion(version);
  EXPECT_EQ(version, 0x2201u);
  EXPECT_EQ(g_coreType, AIV);
  bool is_vector = false;
  if ASCEND_IS_AIV {
    is_vector = true;
  }
  if ASCEND_IS_AIC {
    is_vector = false;
  }
  EXPECT_TRUE(is_vector);
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
}

TEST_F(SyncSystem, Workspace) {
  auto* memory = reinterpret_cast<uint8_t*>(0x200000000000);
  SetSysWorkspace(memory);
  EXPECT_EQ(GetSysWorkSpacePtr(), memory);
  EXPECT_EQ(GetUserWorkspace(memory), memory + (16 << 20));
}

TEST_F(SyncSystem, PrintfTakesHalfAndBfloat16) {
  AscendC::printf("%d %.2f %.1f %s|", 7, half(1.5f), ToBfloat16(-2.0f), "text");
  PRINTF("%ld", block_idx);
  EXPECT_EQ(Recorded().printed, "7 1.50 -2.0 text|3");
}

TEST_F(SyncSystem, Assertions) {
  ascendc_assert(1 + 1 == 2);
  ascendc_assert(true, "never %d", 1);
  EXPECT_EQ(Recorded().printed, "");
  try {
    ascendc_assert(1 > 2, "one is %d", 1);
    FAIL() << "the assertion held";
  } catch (const std::string& what) {
    EXPECT_EQ(what, "assert 1 > 2");
  }
  EXPECT_EQ(Recorded().printed, "one is 1");
  EXPECT_THROW(Trap(), std::string);
}

}  // namespace
}  // namespace belay::header_test
