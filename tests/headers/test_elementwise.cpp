// SPDX-License-Identifier: Apache-2.0
// Records of the elementwise families, in every form.

#include "expect_operand.h"

namespace belay::header_test {
namespace {

using namespace AscendC;

class Elementwise : public Headers {
 protected:
  uint64_t mask_[2] = {0x55, 0xaa};
};

// One unary operation: all three forms, and the mask left to the register.
#define UNARY_TEST(name, T, dtype)                                            \
  TEST_F(Elementwise, name##Of##T) {                                          \
    const auto dst = InUb<T>(0);                                              \
    const auto src = InUb<T>(4096);                                           \
    name(dst, src, 100);                                                      \
    ExpectFirst(OnlyRecord(), Op::k##name, 100);                              \
    ExpectOperand(OnlyRecord().dst, Ub(0), DType::dtype, 1, 8);               \
    ExpectOperand(OnlyRecord().src0, Ub(4096), DType::dtype, 1, 8);           \
    Forget();                                                                 \
    name(dst, src, 60, 3, {2, 4, 9, 7});                                      \
    ExpectContinuous(OnlyRecord(), Op::k##name, 60, 3);                       \
    ExpectOperand(OnlyRecord().dst, Ub(0), DType::dtype, 2, 9);               \
    ExpectOperand(OnlyRecord().src0, Ub(4096), DType::dtype, 4, 7);           \
    Forget();                                                                 \
    name(dst, src, mask_, 5, {1, 1, 8, 8});                                   \
    ExpectBitwise(OnlyRecord(), Op::k##name, 0x55, sizeof(T) == 2 ? 0xaa : 0, \
                  5);                                                         \
    Forget();                                                                 \
    name<T, false>(dst, src, MASK_PLACEHOLDER, 2, {1, 1, 8, 8});              \
    ExpectRegister(OnlyRecord(), Op::k##name, 2);                             \
  }

UNARY_TEST(Abs, half, kHalf)
UNARY_TEST(Abs, float, kFloat)
UNARY_TEST(Exp, half, kHalf)
UNARY_TEST(Exp, float, kFloat)
UNARY_TEST(Ln, float, kFloat)
UNARY_TEST(Not, int16_t, kInt16)
UNARY_TEST(Not, uint16_t, kUint16)
UNARY_TEST(Reciprocal, half, kHalf)
UNARY_TEST(Relu, int32_t, kInt32)
UNARY_TEST(Rsqrt, float, kFloat)
UNARY_TEST(Sqrt, half, kHalf)

TEST_F(Elementwise, AbsTakesInt16OnlyInItsCountForm) {
  Abs(InUb<int16_t>(0), InUb<int16_t>(64), 32);
  EXPECT_EQ(OnlyRecord().src0.dtype, DType::kInt16);
}

#define BINARY_TEST(name, T, dtype)                                           \
  TEST_F(Elementwise, name##Of##T) {                                          \
    const auto dst = InUb<T>(0);                                              \
    const auto src0 = InUb<T>(4096);                                          \
    const auto src1 = InUb<T>(8192);                                          \
    name(dst, src0, src1, 100);                                               \
    ExpectFirst(OnlyRecord(), Op::k##name, 100);                              \
    ExpectOperand(OnlyRecord().dst, Ub(0), DType::dtype, 1, 8);               \
    ExpectOperand(OnlyRecord().src0, Ub(4096), DType::dtype, 1, 8);           \
    ExpectOperand(OnlyRecord().src1, Ub(8192), DType::dtype, 1, 8);           \
    Forget();                                                                 \
    name(dst, src0, src1, 64, 4, {1, 2, 3, 4, 5, 6});                         \
    ExpectContinuous(OnlyRecord(), Op::k##name, 64, 4);                       \
    ExpectOperand(OnlyRecord().dst, Ub(0), DType::dtype, 1, 4);               \
    ExpectOperand(OnlyRecord().src0, Ub(4096), DType::dtype, 2, 5);           \
    ExpectOperand(OnlyRecord().src1, Ub(8192), DType::dtype, 3, 6);           \
    Forget();                                                                 \
    name(dst, src0, src1, mask_, 5, BinaryRepeatParams());                    \
    ExpectBitwise(OnlyRecord(), Op::k##name, 0x55, sizeof(T) == 2 ? 0xaa : 0, \
                  5);                                                         \
    ExpectOperand(OnlyRecord().src1, Ub(8192), DType::dtype, 1, 8);           \
    Forget();                                                                 \
    name<T, false>(dst, src0, src1, MASK_PLACEHOLDER, 2, {1, 1, 1, 8, 8, 8}); \
    ExpectRegister(OnlyRecord(), Op::k##name, 2);                             \
  }

BINARY_TEST(Add, half, kHalf)
BINARY_TEST(Add, int16_t, kInt16)
BINARY_TEST(Add, int32_t, kInt32)
BINARY_TEST(Add, float, kFloat)
BINARY_TEST(AddRelu, float, kFloat)
BINARY_TEST(And, uint16_t, kUint16)
BINARY_TEST(Div, half, kHalf)
BINARY_TEST(Max, int32_t, kInt32)
BINARY_TEST(Min, half, kHalf)
BINARY_TEST(Mul, float, kFloat)
BINARY_TEST(Or, int16_t, kInt16)
BINARY_TEST(Sub, float, kFloat)
BINARY_TEST(SubRelu, int16_t, kInt16)

TEST_F(Elementwise, AndCountFormTakesAnyType) {
  And(InUb<uint8_t>(0), InUb<uint8_t>(64), InUb<uint8_t>(128), 32);
  EXPECT_EQ(OnlyRecord().dst.dtype, DType::kUint8);
}

#define SCALAR_TEST(name, T, dtype, value, bits)                              \
  TEST_F(Elementwise, name##Of##T) {                                          \
    const auto dst = InUb<T>(0);                                              \
    const auto src = InUb<T>(4096);                                           \
    name(dst, src, static_cast<T>(value), 100);                               \
    ExpectFirst(OnlyRecord(), Op::k##name, 100);                              \
    EXPECT_EQ(OnlyRecord().scalar, bits);                                     \
    ExpectOperand(OnlyRecord().dst, Ub(0), DType::dtype, 1, 8);               \
    ExpectOperand(OnlyRecord().src0, Ub(4096), DType::dtype, 1, 8);           \
    Forget();                                                                 \
    name(dst, src, static_cast<T>(value), 64, 4, {1, 2, 3, 4});               \
    ExpectContinuous(OnlyRecord(), Op::k##name, 64, 4);                       \
    EXPECT_EQ(OnlyRecord().scalar, bits);                                     \
    ExpectOperand(OnlyRecord().dst, Ub(0), DType::dtype, 1, 3);               \
    ExpectOperand(OnlyRecord().src0, Ub(4096), DType::dtype, 2, 4);           \
    Forget();                                                                 \
    name(dst, src, static_cast<T>(value), mask_, 5, {1, 1, 8, 8});            \
    ExpectBitwise(OnlyRecord(), Op::k##name, 0x55, sizeof(T) == 2 ? 0xaa : 0, \
                  5);                                                         \
    Forget();                                                                 \
    name<T, false>(dst, src, static_cast<T>(value), 1);                       \
    ExpectRegister(OnlyRecord(), Op::k##name, 1);                             \
    Forget();                                                                 \
    name<T, false>(dst, src, static_cast<T>(value), MASK_PLACEHOLDER, 2,      \
                   {1, 1, 8, 8});                                             \
    ExpectRegister(OnlyRecord(), Op::k##name, 2);                             \
  }

SCALAR_TEST(Adds, half, kHalf, 1.5f, 0x3e00u)
SCALAR_TEST(Adds, int16_t, kInt16, -2, 0xfffeu)
SCALAR_TEST(LeakyRelu, float, kFloat, 0.25f, 0x3e800000u)
SCALAR_TEST(Maxs, int32_t, kInt32, -1, 0xffffffffu)
SCALAR_TEST(Mins, float, kFloat, 2.0f, 0x40000000u)
SCALAR_TEST(Muls, half, kHalf, -2.0f, 0xc000u)
SCALAR_TEST(ShiftLeft, uint32_t, kUint32, 3, 3u)
SCALAR_TEST(ShiftRight, int16_t, kInt16, 4, 4u)

TEST_F(Elementwise, ShiftRightSaysWhetherItRounds) {
  const auto tensor = InUb<int32_t>(0);
  ShiftRight(tensor, tensor, 2, 64, 1, {1, 1, 8, 8}, true);
  EXPECT_EQ(OnlyRecord().mode, 1);
  Forget();
  ShiftRight(tensor, tensor, 2, mask_, 1, {1, 1, 8, 8});
  EXPECT_EQ(OnlyRecord().mode, 0);
}

TEST_F(Elementwise, AxpyMayWidenToFloat) {
  Axpy(InUb<float>(0), InUb<half>(4096), half(2.0f), 96);
  ExpectFirst(OnlyRecord(), Op::kAxpy, 96);
  EXPECT_EQ(OnlyRecord().scalar, 0x4000u);
  ExpectOperand(OnlyRecord().dst, Ub(0), DType::kFloat, 1, 8);
  ExpectOperand(OnlyRecord().src0, Ub(4096), DType::kHalf, 1, 4);
  Forget();
  // Float lanes: one mask word.
  Axpy(InUb<float>(0), InUb<half>(4096), half(2.0f), mask_, 2, {1, 1, 8, 4});
  ExpectBitwise(OnlyRecord(), Op::kAxpy, 0x55, 0, 2);
  Forget();
  Axpy(InUb<half>(0), InUb<half>(4096), half(2.0f), 128, 2, {1, 1, 8, 8});
  ExpectContinuous(OnlyRecord(), Op::kAxpy, 128, 2);
}

TEST_F(Elementwise, ParametersThatDoNotFitArriveWhole) {
  const auto tensor = InUb<half>(0);
  Exp(tensor, tensor, 128, 256, {1, 1, 8, 8});
  EXPECT_EQ(OnlyRecord().repeat, 256u);
  Forget();
  Exp(tensor, tensor, 128, -1, {1, 1, 8, 8});
  EXPECT_EQ(OnlyRecord().repeat, UINT32_MAX);
  Forget();
  UnaryRepeatParams params;
  params.dstRepStride = 256;
  params.srcBlkStride = 70000;
  Exp(tensor, tensor, 128, 1, params);
  EXPECT_EQ(OnlyRecord().dst.repeat_stride, 256u);
  EXPECT_EQ(OnlyRecord().src0.block_stride, 70000u);
  Forget();
  Exp(tensor, tensor, -5);
  EXPECT_EQ(OnlyRecord().count, static_cast<uint64_t>(int64_t{-5}));
}

TEST_F(Elementwise, OperatorsCoverTheWholeOfDst) {
  LocalTensor<float> dst = InUb<float>(0, 48);
  const auto a = InUb<float>(4096, 64);
  const auto b = InUb<float>(8192, 64);
  dst = a + b;
  ExpectFirst(OnlyRecord(), Op::kAdd, 48);
  ExpectOperand(OnlyRecord().src1, Ub(8192), DType::kFloat, 1, 8);
  EXPECT_EQ(dst.GetPhyAddr(), Ub(0));
  Forget();
  dst = a - b;
  EXPECT_EQ(OnlyRecord().op, Op::kSub);
  Forget();
  dst = a * b;
  EXPECT_EQ(OnlyRecord().op, Op::kMul);
  Forget();
  dst = a / b;
  EXPECT_EQ(OnlyRecord().op, Op::kDiv);
}

TEST_F(Elementwise, LogicOperators) {
  LocalTensor<uint16_t> dst = InUb<uint16_t>(0, 32);
  const auto a = InUb<uint16_t>(64, 32);
  dst = a & a;
  ExpectFirst(OnlyRecord(), Op::kAnd, 32);
  Forget();
  dst = a | a;
  EXPECT_EQ(OnlyRecord().op, Op::kOr);
}

TEST_F(Elementwise, ComparisonOperatorsCoverTheSource) {
  LocalTensor<uint8_t> dst = InUb<uint8_t>(0, 32);
  const auto a = InUb<float>(4096, 64);
  const auto b = InUb<float>(8192, 64);
  dst = a < b;
  ExpectFirst(OnlyRecord(), Op::kCompare, 64);
  EXPECT_EQ(OnlyRecord().mode, static_cast<uint8_t>(CMPMODE::LT));
  EXPECT_EQ(OnlyRecord().dst.dtype, DType::kUint8);
  Forget();
  dst = a >= b;
  EXPECT_EQ(OnlyRecord().mode, static_cast<uint8_t>(CMPMODE::GE));
  Forget();
  dst = a != b;
  EXPECT_EQ(OnlyRecord().mode, static_cast<uint8_t>(CMPMODE::NE));
}

}  // namespace
}  // namespace belay::header_test
