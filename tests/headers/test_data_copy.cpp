// SPDX-License-Identifier: Apache-2.0
// Records of moves between memories.

#include "expect_operand.h"

namespace belay::header_test {
namespace {

using namespace AscendC;

class Moves : public Headers {
 protected:
  template <typename T>
  GlobalTensor<T> InGm(uint64_t offset) {
    GlobalTensor<T> tensor;
    tensor.SetGlobalBuffer(reinterpret_cast<T*>(Gm(offset)), 4096);
    return tensor;
  }
  static uint64_t Gm(uint64_t offset) {
    return belay_memory_base(Memory::kGm) + offset;
  }
  const abi::Transfer& Transfer() { return OnlyRecord().transfer; }
};

TEST_F(Moves, CountFormPassesTheLengthOnExactly) {
  DataCopy(InUb<half>(32), InGm<half>(6), 17);
  EXPECT_EQ(OnlyRecord().op, Op::kDataCopy);
  EXPECT_EQ(OnlyRecord().count, 17u);
  ExpectOperand(OnlyRecord().dst, Ub(32), DType::kHalf, 1, 8);
  EXPECT_EQ(OnlyRecord().src0.address, Gm(6));
  EXPECT_EQ(OnlyRecord().src0.memory, Memory::kGm);
  EXPECT_EQ(OnlyRecord().src0.dtype, DType::kHalf);
  EXPECT_EQ(Transfer().block_count, 1u);
  EXPECT_EQ(Transfer().block_bytes, 34u);
  EXPECT_EQ(Transfer().source_gap, 0);
  EXPECT_EQ(Transfer().destination_gap, 0);
}

TEST_F(Moves, EveryDirection) {
  DataCopy(InGm<float>(0), InUb<float>(64), 8);
  EXPECT_EQ(OnlyRecord().dst.memory, Memory::kGm);
  EXPECT_EQ(OnlyRecord().src0.memory, Memory::kUb);
  Forget();
  DataCopy(InUb<float>(0), InUb<float>(64), 8);
  EXPECT_EQ(OnlyRecord().dst.memory, Memory::kUb);
  EXPECT_EQ(OnlyRecord().src0.address, Ub(64));
  Forget();
  DataCopy(LocalTensor<half>(TPosition::A1, 512, 64), InGm<half>(0), 64);
  EXPECT_EQ(OnlyRecord().dst.memory, Memory::kL1);
  EXPECT_EQ(OnlyRecord().dst.address, belay_memory_base(Memory::kL1) + 512);
}

TEST_F(Moves, LengthsThatDoNotFitSaturate) {
  DataCopy(InUb<float>(0), InGm<float>(0), uint64_t{1} << 32);
  EXPECT_EQ(Transfer().block_bytes, UINT32_MAX);
  Forget();
  DataCopy(InUb<float>(0), InGm<float>(0), -1);
  EXPECT_EQ(Transfer().block_bytes, UINT32_MAX);
}

TEST_F(Moves, BlockFormCountsIn32Bytes) {
  DataCopy(InUb<half>(0), InGm<half>(0), {2, 3, 1, 4});
  EXPECT_EQ(OnlyRecord().op, Op::kDataCopy);
  EXPECT_EQ(Transfer().block_count, 2u);
  EXPECT_EQ(Transfer().block_bytes, 96u);
  EXPECT_EQ(Transfer().source_gap, 32);
  EXPECT_EQ(Transfer().destination_gap, 128);
  Forget();
  DataCopyParams params;
  params.blockLen = 8;
  params.srcStride = 5;
  params.dstGap = 6;
  DataCopy(InGm<half>(0), InUb<half>(0), params);
  EXPECT_EQ(Transfer().block_count, 1u);
  EXPECT_EQ(Transfer().source_gap, 160);
  EXPECT_EQ(Transfer().destination_gap, 192);
  Forget();
  params.blockCount = 5000;
  params.blockLen = 70000;
  DataCopy(InUb<half>(0), InUb<half>(4096), params);
  EXPECT_EQ(Transfer().block_count, 5000u);
  EXPECT_EQ(Transfer().block_bytes, 70000u * 32);
}

TEST_F(Moves, PadInCountsBytesOnTheGmSideAndBlocksInUb) {
  DataCopyPad(InUb<float>(0), InGm<float>(4), DataCopyExtParams{3, 20, 7, 2, 0},
              DataCopyPadExtParams<float>{true, 1, 2, 1.0f});
  EXPECT_EQ(OnlyRecord().op, Op::kDataCopyPad);
  EXPECT_EQ(OnlyRecord().src0.address, Gm(4));
  EXPECT_EQ(Transfer().block_count, 3u);
  EXPECT_EQ(Transfer().block_bytes, 20u);
  EXPECT_EQ(Transfer().source_gap, 7);
  EXPECT_EQ(Transfer().destination_gap, 64);
  EXPECT_EQ(Transfer().is_pad, 1);
  EXPECT_EQ(Transfer().left_padding, 1);
  EXPECT_EQ(Transfer().right_padding, 2);
  EXPECT_EQ(Transfer().padding_value, 0x3f800000u);
}

TEST_F(Moves, PadOutCountsBlocksInUbAndBytesOnTheGmSide) {
  DataCopyPad(InGm<float>(4), InUb<float>(0),
              DataCopyExtParams{3, 20, 7, 2, 0});
  EXPECT_EQ(OnlyRecord().op, Op::kDataCopyPad);
  EXPECT_EQ(OnlyRecord().dst.memory, Memory::kGm);
  EXPECT_EQ(Transfer().source_gap, 224);
  EXPECT_EQ(Transfer().destination_gap, 2);
  EXPECT_EQ(Transfer().is_pad, 0);
}

TEST_F(Moves, PadWithTheOlderParameters) {
  DataCopyPad(InUb<half>(0), InGm<half>(0), DataCopyParams{2, 10, 3, 4},
              DataCopyPadParams{true, 0, 11, 0x3c00});
  EXPECT_EQ(Transfer().block_bytes, 10u);
  EXPECT_EQ(Transfer().source_gap, 3);
  EXPECT_EQ(Transfer().destination_gap, 128);
  EXPECT_EQ(Transfer().right_padding, 11);
  EXPECT_EQ(Transfer().padding_value, 0x3c00u);
  Forget();
  DataCopyPad(InGm<half>(0), InUb<half>(0), DataCopyParams{2, 10, 3, 4});
  EXPECT_EQ(Transfer().source_gap, 96);
  EXPECT_EQ(Transfer().destination_gap, 4);
}

TEST_F(Moves, PaddingThatDoesNotFitSaturates) {
  DataCopyPadExtParams<half> pad;
  pad.rightPadding = 300;
  DataCopyPad(InUb<half>(0), InGm<half>(0), {1, 2, 0, 0, 0}, pad);
  EXPECT_EQ(Transfer().right_padding, 255);
}

TEST_F(Moves, PaddingOfBfloat16IsGivenAsBits) {
  DataCopyPad(InUb<bfloat16_t>(0), InGm<bfloat16_t>(0), {1, 2, 0, 0, 0},
              {true, 0, 1, 0x3f80});
  EXPECT_EQ(Transfer().padding_value, 0x3f80u);
}

// The slice of the documentation's figure: rows 0 and 2 of a 3 x 87 matrix,
// in each two pieces of 24 floats, seven apart.
TEST_F(Moves, SlicesMoveRowByRow) {
  const SliceInfo from[] = {{16, 70, 7, 3, 87}, {0, 2, 1, 1, 3}};
  const SliceInfo to[] = {{0, 47, 0, 3, 48}, {0, 1, 0, 1, 2}};
  DataCopy(InUb<float>(0), InGm<float>(0), to, from, 2);
  ASSERT_EQ(Recorded().issued.size(), 2u);
  const abi::Instruction& first = Recorded().issued[0];
  EXPECT_EQ(first.op, Op::kDataCopyPad);
  EXPECT_EQ(first.src0.address, Gm(16 * 4));
  EXPECT_EQ(first.dst.address, Ub(0));
  EXPECT_EQ(first.transfer.block_count, 2u);
  EXPECT_EQ(first.transfer.block_bytes, 96u);
  EXPECT_EQ(first.transfer.source_gap, 28);
  EXPECT_EQ(first.transfer.destination_gap, 0);
  const abi::Instruction& second = Recorded().issued[1];
  EXPECT_EQ(second.src0.address, Gm((2 * 87 + 16) * 4));
  EXPECT_EQ(second.dst.address, Ub(48 * 4));
  Forget();
  const SliceInfo line[] = {{0, 15, 0, 1, 16}};
  DataCopy(InGm<half>(0), InUb<half>(64), line, line);
  EXPECT_EQ(OnlyRecord().transfer.block_count, 1u);
  EXPECT_EQ(OnlyRecord().transfer.block_bytes, 32u);
}

}  // namespace
}  // namespace belay::header_test
