// SPDX-License-Identifier: Apache-2.0
// Records of reductions, Duplicate, Brcb and Gather.

#include "expect_operand.h"

namespace belay::header_test {
namespace {

using namespace AscendC;

class ReduceFillGather : public Headers {
 protected:
  uint64_t mask_[2] = {0x55, 0xaa};
};

TEST_F(ReduceFillGather, ReduceSum) {
  const auto dst = InUb<float>(0);
  const auto src = InUb<float>(4096);
  const auto work = InUb<float>(8192);
  ReduceSum(dst, src, work, 100);
  ExpectFirst(OnlyRecord(), Op::kReduceSum, 100);
  ExpectOperand(OnlyRecord().dst, Ub(0), DType::kFloat, 1, 8);
  ExpectOperand(OnlyRecord().src0, Ub(4096), DType::kFloat, 1, 8);
  EXPECT_EQ(OnlyRecord().src1.address, Ub(8192));
  EXPECT_EQ(OnlyRecord().mode, 0);
  Forget();
  ReduceSum<float, false>(dst, src, work, 1);
  ExpectRegister(OnlyRecord(), Op::kReduceSum, 1);
  Forget();
  // More repeats than other instructions take.
  ReduceSum(dst, src, work, 64, 300, 9);
  ExpectContinuous(OnlyRecord(), Op::kReduceSum, 64, 300);
  ExpectOperand(OnlyRecord().src0, Ub(4096), DType::kFloat, 1, 9);
  Forget();
  ReduceSum(dst, src, work, mask_, 3, 8);
  ExpectBitwise(OnlyRecord(), Op::kReduceSum, 0x55, 0, 3);
}

TEST_F(ReduceFillGather, ReduceExtremaSayWhetherTheIndexIsWanted) {
  const auto dst = InUb<half>(0);
  const auto src = InUb<half>(4096);
  const auto work = InUb<half>(8192);
  ReduceMax(dst, src, work, 100, true);
  ExpectFirst(OnlyRecord(), Op::kReduceMax, 100);
  EXPECT_EQ(OnlyRecord().mode, 1);
  Forget();
  ReduceMin(dst, src, work, 100);
  ExpectFirst(OnlyRecord(), Op::kReduceMin, 100);
  EXPECT_EQ(OnlyRecord().mode, 0);
  Forget();
  ReduceMax(dst, src, work, 128, 2, 16, true);
  ExpectContinuous(OnlyRecord(), Op::kReduceMax, 128, 2);
  EXPECT_EQ(OnlyRecord().src0.repeat_stride, 16u);
  EXPECT_EQ(OnlyRecord().mode, 1);
  Forget();
  ReduceMin(dst, src, work, mask_, 2, 8);
  ExpectBitwise(OnlyRecord(), Op::kReduceMin, 0x55, 0xaa, 2);
  EXPECT_EQ(OnlyRecord().mode, 0);
}

TEST_F(ReduceFillGather, ReduceRepeat) {
  const auto dst = InUb<half>(0);
  const auto src = InUb<half>(4096);
  ReduceRepeat<ReduceType::MAX>(dst, src, 128, 4, 1, 2, 8,
                                ReduceOrder::ORDER_ONLY_INDEX);
  ExpectContinuous(OnlyRecord(), Op::kWholeReduceMax, 128, 4);
  ExpectOperand(OnlyRecord().dst, Ub(0), DType::kHalf, 1, 1);
  ExpectOperand(OnlyRecord().src0, Ub(4096), DType::kHalf, 2, 8);
  EXPECT_EQ(OnlyRecord().mode,
            static_cast<uint8_t>(abi::ReduceOrder::kOnlyIndex));
  Forget();
  ReduceRepeat<ReduceType::SUM, half, half>(dst, src, mask_, 4, 1, 1, 8);
  ExpectBitwise(OnlyRecord(), Op::kWholeReduceSum, 0x55, 0xaa, 4);
  EXPECT_EQ(OnlyRecord().mode,
            static_cast<uint8_t>(abi::ReduceOrder::kOnlyValue));
  Forget();
  ReduceRepeat<ReduceType::MIN, half, half, false>(
      dst, src, static_cast<int32_t>(MASK_PLACEHOLDER), 4, 1, 1, 8);
  ExpectRegister(OnlyRecord(), Op::kWholeReduceMin, 4);
  EXPECT_EQ(OnlyRecord().mode,
            static_cast<uint8_t>(abi::ReduceOrder::kValueIndex));
}

TEST_F(ReduceFillGather, WholeReduceIsTheOlderName) {
  const auto dst = InUb<float>(0);
  const auto src = InUb<float>(4096);
  WholeReduceSum(dst, src, 64, 5, 1, 2, 9);
  ExpectContinuous(OnlyRecord(), Op::kWholeReduceSum, 64, 5);
  ExpectOperand(OnlyRecord().dst, Ub(0), DType::kFloat, 1, 1);
  ExpectOperand(OnlyRecord().src0, Ub(4096), DType::kFloat, 2, 9);
  Forget();
  WholeReduceMax(dst, src, mask_, 5, 1, 1, 8, ReduceOrder::ORDER_ONLY_VALUE);
  ExpectBitwise(OnlyRecord(), Op::kWholeReduceMax, 0x55, 0, 5);
  EXPECT_EQ(OnlyRecord().mode,
            static_cast<uint8_t>(abi::ReduceOrder::kOnlyValue));
  Forget();
  WholeReduceMin<float, false>(dst, src, MASK_PLACEHOLDER, 5, 1, 1, 8);
  ExpectRegister(OnlyRecord(), Op::kWholeReduceMin, 5);
  Forget();
  RepeatReduceSum(dst, src, 5, 64, 3, 2, 1, 9);
  ExpectContinuous(OnlyRecord(), Op::kWholeReduceSum, 64, 5);
  ExpectOperand(OnlyRecord().dst, Ub(0), DType::kFloat, 1, 1);
  ExpectOperand(OnlyRecord().src0, Ub(4096), DType::kFloat, 2, 9);
}

TEST_F(ReduceFillGather, BlocksAndPairs) {
  const auto dst = InUb<half>(0);
  const auto src = InUb<half>(4096);
  ReduceDataBlock<ReduceType::MAX>(dst, src, 128, 3, 1, 2, 8);
  ExpectContinuous(OnlyRecord(), Op::kBlockReduceMax, 128, 3);
  ExpectOperand(OnlyRecord().src0, Ub(4096), DType::kHalf, 2, 8);
  Forget();
  BlockReduceSum(dst, src, 3, 100, 1, 2, 8);
  ExpectContinuous(OnlyRecord(), Op::kBlockReduceSum, 100, 3);
  Forget();
  BlockReduceMin(dst, src, 3, mask_, 1, 1, 8);
  ExpectBitwise(OnlyRecord(), Op::kBlockReduceMin, 0x55, 0xaa, 3);
  Forget();
  BlockReduceMax<half, false>(dst, src, 3, MASK_PLACEHOLDER, 1, 1, 8);
  ExpectRegister(OnlyRecord(), Op::kBlockReduceMax, 3);
  Forget();
  ReducePairElem<ReduceType::SUM>(dst, src, mask_, 3, 1, 1, 8);
  ExpectBitwise(OnlyRecord(), Op::kPairReduceSum, 0x55, 0xaa, 3);
  Forget();
  PairReduceSum(dst, src, 3, 128, 1, 1, 8);
  ExpectContinuous(OnlyRecord(), Op::kPairReduceSum, 128, 3);
}

TEST_F(ReduceFillGather, Duplicate) {
  AscendC::Duplicate(InUb<float>(32), 1.0f, 100);
  ExpectFirst(OnlyRecord(), Op::kDuplicate, 100);
  EXPECT_EQ(OnlyRecord().scalar, 0x3f800000u);
  ExpectOperand(OnlyRecord().dst, Ub(32), DType::kFloat, 1, 8);
  Forget();
  AscendC::Duplicate(InUb<bfloat16_t>(0), ToBfloat16(-2.0f), 128, 2, 3, 24);
  ExpectContinuous(OnlyRecord(), Op::kDuplicate, 128, 2);
  EXPECT_EQ(OnlyRecord().scalar, 0xc000u);
  ExpectOperand(OnlyRecord().dst, Ub(0), DType::kBfloat16, 3, 24);
  Forget();
  AscendC::Duplicate(InUb<uint16_t>(0), uint16_t{9}, mask_, 2, 1, 8);
  ExpectBitwise(OnlyRecord(), Op::kDuplicate, 0x55, 0xaa, 2);
  Forget();
  AscendC::Duplicate<uint32_t, false>(InUb<uint32_t>(0), 7u, MASK_PLACEHOLDER,
                                      1, 1, 8);
  ExpectRegister(OnlyRecord(), Op::kDuplicate, 1);
  EXPECT_EQ(OnlyRecord().scalar, 7u);
}

TEST_F(ReduceFillGather, Brcb) {
  AscendC::Brcb(InUb<half>(0), InUb<half>(4096), 2, {2, 16});
  EXPECT_EQ(OnlyRecord().op, Op::kBrcb);
  EXPECT_EQ(OnlyRecord().repeat, 2u);
  ExpectOperand(OnlyRecord().dst, Ub(0), DType::kHalf, 2, 16);
  EXPECT_EQ(OnlyRecord().src0.address, Ub(4096));
}

TEST_F(ReduceFillGather, GatherOffsetsLieWithoutGaps) {
  const auto dst = InUb<half>(0);
  const auto table = InUb<half>(4096);
  const auto offsets = InUb<uint32_t>(8192);
  Gather(dst, table, offsets, 64, 100);
  ExpectFirst(OnlyRecord(), Op::kGather, 100);
  EXPECT_EQ(OnlyRecord().scalar, 64u);
  ExpectOperand(OnlyRecord().dst, Ub(0), DType::kHalf, 1, 8);
  EXPECT_EQ(OnlyRecord().src0.address, Ub(4096));
  ExpectOperand(OnlyRecord().src1, Ub(8192), DType::kUint32, 1, 16);
  Forget();
  Gather(dst, table, offsets, 0u, 128, 4, 9);
  ExpectContinuous(OnlyRecord(), Op::kGather, 128, 4);
  EXPECT_EQ(OnlyRecord().dst.repeat_stride, 9u);
  Forget();
  Gather(InUb<float>(0), InUb<float>(4096), offsets, 0u, mask_, 4, 8);
  ExpectBitwise(OnlyRecord(), Op::kGather, 0x55, 0, 4);
  EXPECT_EQ(OnlyRecord().src1.repeat_stride, 8u);
}

}  // namespace
}  // namespace belay::header_test
