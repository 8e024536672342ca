// SPDX-License-Identifier: Apache-2.0
// LocalTensor, GlobalTensor and LocalMemAllocator.

#include "expect_operand.h"

namespace belay::header_test {
namespace {

using namespace AscendC;

class Tensors : public Headers {};

TEST_F(Tensors, LocalTensorLiesInItsMemory) {
  const LocalTensor<half> in_ub(TPosition::VECIN, 64, 100);
  EXPECT_EQ(in_ub.GetPhyAddr(), Ub(64));
  EXPECT_EQ(in_ub.GetPhyAddr(3), Ub(70));
  EXPECT_EQ(in_ub.GetSize(), 100u);
  EXPECT_EQ(in_ub.GetLength(), 200u);
  EXPECT_EQ(in_ub.GetPosition(), static_cast<int32_t>(TPosition::VECIN));
  const std::pair<TPosition, Memory> places[] = {
      {TPosition::A1, Memory::kL1},      {TPosition::B1, Memory::kL1},
      {TPosition::A2, Memory::kL0a},     {TPosition::B2, Memory::kL0b},
      {TPosition::C1, Memory::kL1},      {TPosition::C2, Memory::kBt},
      {TPosition::CO1, Memory::kL0c},    {TPosition::VECOUT, Memory::kUb},
      {TPosition::TSCM, Memory::kL1},    {TPosition::C2PIPE2GM, Memory::kFb},
      {TPosition::VECCALC, Memory::kUb},
  };
  for (const auto& [position, memory] : places) {
    const LocalTensor<float> tensor(position, 512, 8);
    EXPECT_EQ(tensor.GetMemory(), memory);
    EXPECT_EQ(tensor.GetPhyAddr(), belay_memory_base(memory) + 512);
  }
}

TEST_F(Tensors, ElementsAreReadAndWrittenThroughTheLibrary) {
  const LocalTensor<float> tensor(TPosition::VECCALC, 0, 16);
  tensor.SetValue(3, 2);
  EXPECT_EQ(tensor.GetValue(3), 2.0f);
  EXPECT_EQ(tensor(3), 2.0f);
  tensor(4) = 5.0f;
  EXPECT_EQ(tensor.GetValue(4), 5.0f);
  EXPECT_EQ(*reinterpret_cast<float*>(Ub(12)), 2.0f);
  tensor(4) += 2;
  EXPECT_EQ(tensor.GetValue(4), 7.0f);
  EXPECT_EQ(Calls(), "set 4; get 4; get 4; set 4; get 4; get 4; set 4; get 4");
}

TEST_F(Tensors, SubscriptGivesTheRest) {
  const LocalTensor<int16_t> tensor(TPosition::VECCALC, 32, 64);
  const LocalTensor<int16_t> rest = tensor[16];
  EXPECT_EQ(rest.GetPhyAddr(), Ub(64));
  EXPECT_EQ(rest.GetSize(), 48u);
  EXPECT_EQ(tensor[1000].GetSize(), 0u);
}

TEST_F(Tensors, Int4TakesHalfAByte) {
  const LocalTensor<int8_t> bytes(TPosition::VECCALC, 0, 32);
  const auto nibbles = bytes.ReinterpretCast<int4b_t>();
  EXPECT_EQ(nibbles.GetSize(), 64u);
  EXPECT_EQ(nibbles[32].GetPhyAddr(), Ub(16));
  nibbles.SetValue(2, -3);
  nibbles.SetValue(3, 7);
  EXPECT_EQ(bytes.GetValue(1), 0x7d);
  EXPECT_EQ(nibbles.GetValue(2).pair, -3);
  EXPECT_EQ(nibbles.GetValue(3).pair, 7);
}

TEST_F(Tensors, ReinterpretCastKeepsBytesPositionAndTag) {
  LocalTensor<float> tensor(TPosition::VECOUT, 64, 8);
  tensor.SetUserTag(9);
  const auto halves = tensor.ReinterpretCast<half>();
  EXPECT_EQ(halves.GetPhyAddr(), Ub(64));
  EXPECT_EQ(halves.GetSize(), 16u);
  EXPECT_EQ(halves.GetPosition(), static_cast<int32_t>(TPosition::VECOUT));
  EXPECT_EQ(halves.GetUserTag(), 9);
}

TEST_F(Tensors, SizesCanBeSet) {
  LocalTensor<float> tensor(TPosition::VECCALC, 0, 8);
  tensor.SetSize(4);
  EXPECT_EQ(tensor.GetLength(), 16u);
  tensor.SetBufferLen(64);
  EXPECT_EQ(tensor.GetSize(), 16u);
  LocalTensor<half> other;
  other.SetAddrWithOffset(tensor, 8);
  EXPECT_EQ(other.GetPhyAddr(), Ub(32));
}

TEST_F(Tensors, ShapeTravelsWithTheTensor) {
  LocalTensor<float> tensor(TPosition::VECCALC, 0, 8);
  const uint32_t dims[] = {4, 2};
  tensor.SetShapeInfo(ShapeInfo(2, dims));
  const LocalTensor<float> copy = tensor;
  EXPECT_EQ(copy.GetShapeInfo().shapeDim, 2);
  EXPECT_EQ(copy.GetShapeInfo().originalShape[1], 2u);
  EXPECT_EQ(GetShapeSize(copy.GetShapeInfo()), 8);
}

TEST_F(Tensors, GlobalTensor) {
  float data[32] = {};
  GlobalTensor<float> tensor;
  tensor.SetGlobalBuffer(data, 32);
  EXPECT_EQ(tensor.GetSize(), 32u);
  EXPECT_EQ(tensor.GetPhyAddr(), data);
  EXPECT_EQ(tensor[4].GetPhyAddr(2), data + 6);
  tensor.SetValue(1, 3.0f);
  EXPECT_EQ(data[1], 3.0f);
  EXPECT_EQ(tensor.GetValue(1), 3.0f);
  tensor(2) = 4.0f;
  EXPECT_EQ(data[2], 4.0f);
  // Auto-sync knows GetValue and operator(), not SetValue.
  EXPECT_EQ(Calls(), "get 4; set 4");
  EXPECT_EQ(tensor.ReinterpretCast<half>().GetSize(), 64u);
  tensor.SetL2CacheHint(CacheMode::CACHE_MODE_DISABLE);
  tensor.SetGlobalBuffer(data + 1);
  EXPECT_EQ(tensor.GetSize(), 0u);
  EXPECT_EQ(tensor.GetPhyAddr(), data + 1);
}

TEST_F(Tensors, AllocatorHandsOutBlocksFromZero) {
  LocalMemAllocator<Hardware::UB> ub;
  EXPECT_EQ(ub.GetCurAddr(), 0u);
  const auto first = ub.Alloc<half, 17>();
  EXPECT_EQ(first.GetPhyAddr(), Ub(0));
  EXPECT_EQ(first.GetSize(), 17u);
  EXPECT_EQ(ub.GetCurAddr(), 64u);
  const auto second = ub.Alloc<TPosition::VECOUT, float>(8);
  EXPECT_EQ(second.GetPhyAddr(), Ub(64));
  EXPECT_EQ(second.GetPosition(), static_cast<int32_t>(TPosition::VECOUT));
  const auto third = ub.Alloc<float>(1);
  EXPECT_EQ(third.GetPhyAddr(), Ub(96));
  LocalMemAllocator<Hardware::L0C> l0c;
  const auto matrix = l0c.Alloc<TPosition::CO1, float, 256>();
  EXPECT_EQ(matrix.GetMemory(), Memory::kL0c);
  LocalMemAllocator by_default;
  EXPECT_EQ(by_default.Alloc<int8_t>(1).GetMemory(), Memory::kUb);
}

TEST_F(Tensors, BoundsTravelWithTheTensor) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> buffer;
  TQue<TPosition::VECIN, 1> queue;
  pipe.InitBuffer(buffer, 1024);
  pipe.InitBuffer(queue, 1, 512);
  const uint64_t start = buffer.Get<float>().GetPhyAddr();
  LocalTensor<float> part = buffer.GetWithOffset<float>(8, 64)[4];
  part.SetSize(1);
  part.SetBufferLen(8);
  LocalTensor<half> moved;
  moved.SetAddrWithOffset(part.ReinterpretCast<half>(), 2);
  EXPECT_EQ(moved.GetPhyAddr(), start + 64 + 16 + 4);
  EXPECT_EQ(moved.BufferStart(), start);
  EXPECT_EQ(moved.BufferBytes(), 1024u);

  const LocalTensor<float> taken = queue.AllocTensor<float>();
  EXPECT_EQ(taken[16].BufferStart(), taken.GetPhyAddr());
  EXPECT_EQ(taken[16].BufferBytes(), 512u);

  Forget();
  Exp(moved, moved, 4);
  const abi::Instruction& record = OnlyRecord();
  EXPECT_EQ(record.dst.buffer, start);
  EXPECT_EQ(record.dst.buffer_bytes, 1024u);

  // Placed by hand: what was declared, in whole blocks.
  const LocalTensor<float> placed(TPosition::VECCALC, 64, 10);
  EXPECT_EQ(placed.BufferStart(), Ub(64));
  EXPECT_EQ(placed.BufferBytes(), 64u);
}

TEST_F(Tensors, BoundsOfGlobalTensors) {
  float data[64] = {};
  const auto start = reinterpret_cast<uint64_t>(data);
  GlobalTensor<float> tensor;
  tensor.SetGlobalBuffer(data, 10);
  const GlobalTensor<half> part = tensor[4].ReinterpretCast<half>();
  EXPECT_EQ(reinterpret_cast<uint64_t>(part.GetPhyAddr()), start + 16);
  EXPECT_EQ(part.BufferStart(), start);
  EXPECT_EQ(part.BufferBytes(), 40u);
  EXPECT_EQ(part.GetSize(), 20u);

  tensor.SetValue(9, 1.0f);
  EXPECT_EQ(Calls(), "");
  tensor.SetValue(10, 1.0f);
  EXPECT_EQ(Calls(), "outside 4 of 40");
  Forget();
  tensor.SetGlobalBuffer(data);
  tensor.SetValue(10, 1.0f);
  EXPECT_EQ(Calls(), "");
}

}  // namespace
}  // namespace belay::header_test
