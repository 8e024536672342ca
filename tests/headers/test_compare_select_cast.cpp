// SPDX-License-Identifier: Apache-2.0
// Records of Cast, Compare, Compares and Select.

#include "expect_operand.h"

namespace belay::header_test {
namespace {

using namespace AscendC;

class CompareSelectCast : public Headers {
 protected:
  uint64_t mask_[2] = {0x55, 0xaa};
};

TEST_F(CompareSelectCast, CastStridesFollowTheWiderType) {
  Cast(InUb<float>(0), InUb<half>(4096), RoundMode::CAST_NONE, 100);
  ExpectFirst(OnlyRecord(), Op::kCast, 100);
  EXPECT_EQ(OnlyRecord().mode, static_cast<uint8_t>(abi::Round::kNone));
  ExpectOperand(OnlyRecord().dst, Ub(0), DType::kFloat, 1, 8);
  ExpectOperand(OnlyRecord().src0, Ub(4096), DType::kHalf, 1, 4);
  Forget();
  Cast(InUb<int8_t>(0), InUb<half>(4096), RoundMode::CAST_TRUNC, 100);
  EXPECT_EQ(OnlyRecord().mode, static_cast<uint8_t>(abi::Round::kTrunc));
  ExpectOperand(OnlyRecord().dst, Ub(0), DType::kInt8, 1, 4);
}

TEST_F(CompareSelectCast, CastMaskFollowsTheWiderType) {
  Cast(InUb<int32_t>(0), InUb<half>(4096), RoundMode::CAST_CEIL, 64, 4,
       {1, 1, 8, 4});
  ExpectContinuous(OnlyRecord(), Op::kCast, 64, 4);
  ExpectOperand(OnlyRecord().src0, Ub(4096), DType::kHalf, 1, 4);
  Forget();
  Cast(InUb<int32_t>(0), InUb<half>(4096), RoundMode::CAST_CEIL, mask_, 4,
       {1, 1, 8, 4});
  ExpectBitwise(OnlyRecord(), Op::kCast, 0x55, 0, 4);
  Forget();
  Cast(InUb<uint8_t>(0), InUb<half>(4096), RoundMode::CAST_RINT, mask_, 4,
       {1, 1, 4, 8});
  ExpectBitwise(OnlyRecord(), Op::kCast, 0x55, 0xaa, 4);
  Forget();
  Cast<int32_t, half, false>(InUb<int32_t>(0), InUb<half>(4096),
                             RoundMode::CAST_ROUND, MASK_PLACEHOLDER, 3,
                             {1, 1, 8, 4});
  ExpectRegister(OnlyRecord(), Op::kCast, 3);
}

TEST_F(CompareSelectCast, CastToInt4CountsElements) {
  Cast<int4b_t, half>(InUb<int4b_t>(0), InUb<half>(4096), RoundMode::CAST_CEIL,
                      128, 4, {1, 1, 2, 8});
  ExpectOperand(OnlyRecord().dst, Ub(0), DType::kInt4, 1, 2);
}

TEST_F(CompareSelectCast, CompareWritesBits) {
  const auto bits = InUb<uint8_t>(0);
  const auto a = InUb<half>(4096);
  const auto b = InUb<half>(8192);
  Compare(bits, a, b, CMPMODE::GT, 256);
  ExpectFirst(OnlyRecord(), Op::kCompare, 256);
  EXPECT_EQ(OnlyRecord().mode, static_cast<uint8_t>(abi::Compare::kGt));
  EXPECT_EQ(OnlyRecord().dst.address, Ub(0));
  ExpectOperand(OnlyRecord().src0, Ub(4096), DType::kHalf, 1, 8);
  ExpectOperand(OnlyRecord().src1, Ub(8192), DType::kHalf, 1, 8);
  Forget();
  Compare<half, uint8_t>(bits, a, b, CMPMODE::LE, 128, 2, {1, 1, 2, 8, 8, 16});
  ExpectContinuous(OnlyRecord(), Op::kCompare, 128, 2);
  ExpectOperand(OnlyRecord().src1, Ub(8192), DType::kHalf, 2, 16);
  Forget();
  Compare(bits, a, b, CMPMODE::EQ, mask_, 2, {1, 1, 1, 8, 8, 8});
  ExpectBitwise(OnlyRecord(), Op::kCompare, 0x55, 0xaa, 2);
}

TEST_F(CompareSelectCast, CompareToRegisterTakesOneRepeat) {
  const auto a = InUb<float>(4096);
  const auto b = InUb<float>(8192);
  Compare(a, b, CMPMODE::NE, 64, {1, 1, 2, 8, 8, 8});
  ExpectContinuous(OnlyRecord(), Op::kCompareToMask, 64, 1);
  EXPECT_EQ(OnlyRecord().mode, static_cast<uint8_t>(abi::Compare::kNe));
  EXPECT_EQ(OnlyRecord().dst.address, 0u);
  ExpectOperand(OnlyRecord().src1, Ub(8192), DType::kFloat, 2, 8);
  Forget();
  Compare(a, b, CMPMODE::LT, mask_, {1, 1, 1, 8, 8, 8});
  ExpectBitwise(OnlyRecord(), Op::kCompareToMask, 0x55, 0, 1);
}

TEST_F(CompareSelectCast, ComparesTakesAScalar) {
  const auto bits = InUb<uint8_t>(0);
  const auto a = InUb<float>(4096);
  Compares(bits, a, -1.0f, CMPMODE::GE, 64);
  ExpectFirst(OnlyRecord(), Op::kCompareScalar, 64);
  EXPECT_EQ(OnlyRecord().scalar, 0xbf800000u);
  EXPECT_EQ(OnlyRecord().mode, static_cast<uint8_t>(abi::Compare::kGe));
  ExpectOperand(OnlyRecord().src0, Ub(4096), DType::kFloat, 1, 8);
  Forget();
  CompareScalar(bits, a, 1.0f, CMPMODE::EQ, 64, 3, {1, 2, 8, 16});
  ExpectContinuous(OnlyRecord(), Op::kCompareScalar, 64, 3);
  ExpectOperand(OnlyRecord().src0, Ub(4096), DType::kFloat, 2, 16);
  Forget();
  CompareScalar(bits, a, 1.0f, CMPMODE::EQ, mask_, 3, {1, 1, 8, 8});
  ExpectBitwise(OnlyRecord(), Op::kCompareScalar, 0x55, 0, 3);
}

TEST_F(CompareSelectCast, ComparisonRegister) {
  GetCmpMask(InUb<uint8_t>(96));
  EXPECT_EQ(OnlyRecord().op, Op::kGetCmpMask);
  EXPECT_EQ(OnlyRecord().dst.address, Ub(96));
  Forget();
  SetCmpMask(InUb<uint64_t>(64));
  EXPECT_EQ(OnlyRecord().op, Op::kSetCmpMask);
  EXPECT_EQ(OnlyRecord().src0.address, Ub(64));
  EXPECT_EQ(OnlyRecord().src0.dtype, DType::kUint64);
}

TEST_F(CompareSelectCast, SelectOfTwoTensors) {
  const auto dst = InUb<half>(0);
  const auto bits = InUb<uint16_t>(2048);
  const auto a = InUb<half>(4096);
  const auto b = InUb<half>(8192);
  Select(dst, bits, a, b, SELMODE::VSEL_TENSOR_TENSOR_MODE, 256);
  ExpectFirst(OnlyRecord(), Op::kSelect, 256);
  EXPECT_EQ(OnlyRecord().mode,
            static_cast<uint8_t>(abi::Select::kTensorTensor));
  ExpectOperand(OnlyRecord().dst, Ub(0), DType::kHalf, 1, 8);
  ExpectOperand(OnlyRecord().src0, Ub(4096), DType::kHalf, 1, 8);
  ExpectOperand(OnlyRecord().src1, Ub(8192), DType::kHalf, 1, 8);
  EXPECT_EQ(OnlyRecord().src2.address, Ub(2048));
  EXPECT_EQ(OnlyRecord().src2.dtype, DType::kUint16);
  Forget();
  Select(dst, bits, a, b, SELMODE::VSEL_CMPMASK_SPR, 128, 2,
         {1, 2, 3, 4, 5, 6});
  ExpectContinuous(OnlyRecord(), Op::kSelect, 128, 2);
  ExpectOperand(OnlyRecord().dst, Ub(0), DType::kHalf, 1, 4);
  ExpectOperand(OnlyRecord().src0, Ub(4096), DType::kHalf, 2, 5);
  ExpectOperand(OnlyRecord().src1, Ub(8192), DType::kHalf, 3, 6);
  Forget();
  Select(dst, bits, a, b, SELMODE::VSEL_CMPMASK_SPR, mask_, 2,
         {1, 1, 1, 8, 8, 8});
  ExpectBitwise(OnlyRecord(), Op::kSelect, 0x55, 0xaa, 2);
}

TEST_F(CompareSelectCast, SelectOfATensorAndAScalar) {
  const auto dst = InUb<float>(0);
  const auto bits = InUb<uint8_t>(2048);
  const auto a = InUb<float>(4096);
  Select(dst, bits, a, 4.0f, SELMODE::VSEL_TENSOR_SCALAR_MODE, 64);
  ExpectFirst(OnlyRecord(), Op::kSelect, 64);
  EXPECT_EQ(OnlyRecord().mode,
            static_cast<uint8_t>(abi::Select::kTensorScalar));
  EXPECT_EQ(OnlyRecord().scalar, 0x40800000u);
  EXPECT_EQ(OnlyRecord().src1.address, 0u);
  EXPECT_EQ(OnlyRecord().src1.dtype, DType::kNone);
  EXPECT_EQ(OnlyRecord().src2.address, Ub(2048));
  Forget();
  Select(dst, bits, a, 4.0f, SELMODE::VSEL_TENSOR_SCALAR_MODE, 64, 2,
         {1, 1, 1, 8, 9, 8});
  ExpectContinuous(OnlyRecord(), Op::kSelect, 64, 2);
  ExpectOperand(OnlyRecord().src0, Ub(4096), DType::kFloat, 1, 9);
  Forget();
  Select(dst, bits, a, 4.0f, SELMODE::VSEL_TENSOR_SCALAR_MODE, mask_, 2,
         {1, 1, 1, 8, 8, 8});
  ExpectBitwise(OnlyRecord(), Op::kSelect, 0x55, 0, 2);
}

TEST_F(CompareSelectCast, SelectByTheComparisonRegister) {
  const auto dst = InUb<float>(0);
  const auto a = InUb<float>(4096);
  const auto b = InUb<float>(8192);
  Select<float, SELMODE::VSEL_CMPMASK_SPR>(dst, a, b, 4, {1, 1, 1, 8, 8, 8});
  ExpectRegister(OnlyRecord(), Op::kSelect, 4);
  EXPECT_EQ(OnlyRecord().mode,
            static_cast<uint8_t>(abi::Select::kCmpMaskRegister));
  EXPECT_EQ(OnlyRecord().src2.address, 0u);
  EXPECT_EQ(OnlyRecord().src1.address, Ub(8192));
  Forget();
  Select(dst, InUb<uint8_t>(2048), a, 4, {1, 1, 1, 8, 8, 8});
  ExpectRegister(OnlyRecord(), Op::kSelect, 4);
  EXPECT_EQ(OnlyRecord().mode,
            static_cast<uint8_t>(abi::Select::kTensorScalar));
  EXPECT_EQ(OnlyRecord().src1.address, 0u);
  EXPECT_EQ(OnlyRecord().src1.dtype, DType::kFloat);
  EXPECT_EQ(OnlyRecord().src2.address, Ub(2048));
}

}  // namespace
}  // namespace belay::header_test
