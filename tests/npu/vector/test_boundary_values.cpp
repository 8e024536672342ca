// SPDX-License-Identifier: Apache-2.0
// Special values, as the page of boundary values of the vector interfaces lists
// them for this chip: the default mode and saturation mode side by side.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "workbench.h"

namespace belay::npu::test_boundary_values {
namespace {

using abi::DType;
using abi::Op;
using enum abi::Op;

constexpr long double kInf = std::numeric_limits<long double>::infinity();
constexpr long double kNan = std::numeric_limits<long double>::quiet_NaN();
constexpr long double kTop = 65504;  // of half
constexpr long double kMaxFloat = 0x1.fffffep127L;
constexpr DType kHalf = DType::kHalf;
constexpr DType kFloat = DType::kFloat;
constexpr DType kInt16 = DType::kInt16;
constexpr DType kInt32 = DType::kInt32;
constexpr long double kMin16 = -32768;
constexpr long double kMax16 = 32767;
constexpr long double kMin32 = -2147483648.0L;
constexpr long double kMax32 = 2147483647;

struct Row {
  Op op;
  DType dtype;
  long double a;
  long double b;  // second tensor, or scalar
  long double plain;
  long double saturated;
};

const Row kRows[] = {
    {kExp, kHalf, -kTop, 0, 0, 0},
    {kExp, kHalf, kTop, 0, kInf, kTop},
    {kExp, kHalf, 0, 0, 1, 1},
    {kExp, kHalf, -0.0L, 0, 1, 1},
    {kExp, kHalf, kNan, 0, kNan, 0},
    {kExp, kHalf, kInf, 0, kInf, kTop},
    {kExp, kHalf, -kInf, 0, 0, 0},
    {kExp, kFloat, -kMaxFloat, 0, 0, 0},
    {kExp, kFloat, kMaxFloat, 0, kInf, kInf},
    {kExp, kFloat, -0.0L, 0, 1, 1},
    {kExp, kFloat, kNan, 0, kNan, kNan},
    {kExp, kFloat, -kInf, 0, 0, 0},
    {kLn, kHalf, -kTop, 0, kNan, 0},
    {kLn, kHalf, 0, 0, -kInf, -kTop},
    {kLn, kHalf, -0.0L, 0, -kInf, -kTop},
    {kLn, kHalf, kNan, 0, kNan, 0},
    {kLn, kHalf, kInf, 0, kInf, kTop},
    {kLn, kHalf, -kInf, 0, kNan, 0},
    {kLn, kFloat, -kMaxFloat, 0, kNan, kNan},
    {kLn, kFloat, -0.0L, 0, -kInf, -kInf},
    {kLn, kFloat, kInf, 0, kInf, kInf},
    {kAbs, kHalf, -kTop, 0, kTop, kTop},
    {kAbs, kHalf, -0.0L, 0, 0, 0},
    {kAbs, kHalf, kNan, 0, kNan, 0},
    {kAbs, kHalf, -kInf, 0, kInf, kTop},
    {kAbs, kFloat, -kInf, 0, kInf, kInf},
    {kReciprocal, kHalf, 0, 0, kInf, kTop},
    {kReciprocal, kHalf, -0.0L, 0, -kInf, -kTop},
    {kReciprocal, kHalf, kNan, 0, kNan, 0},
    {kReciprocal, kHalf, kInf, 0, 0, 0},
    {kReciprocal, kHalf, -kInf, 0, -0.0L, -0.0L},
    {kReciprocal, kFloat, kMaxFloat, 0, 0x1p-128L, 0x1p-128L},
    {kReciprocal, kFloat, -kMaxFloat, 0, -0x1p-128L, -0x1p-128L},
    {kReciprocal, kFloat, -0.0L, 0, -kInf, -kInf},
    {kSqrt, kHalf, -kTop, 0, kNan, 0},
    // The page prints 256 for the next row; IEEE's root is just below the
    // middle of 255.875 and 256.
    {kSqrt, kHalf, kTop, 0, 255.875L, 255.875L},
    {kSqrt, kHalf, -0.0L, 0, -0.0L, -0.0L},
    {kSqrt, kHalf, kInf, 0, kInf, kTop},
    {kSqrt, kHalf, -kInf, 0, kNan, 0},
    {kSqrt, kFloat, -0.0L, 0, -0.0L, -0.0L},
    {kRsqrt, kHalf, -kTop, 0, kNan, 0},
    {kRsqrt, kHalf, kTop, 0, 0x1p-8L, 0x1p-8L},
    {kRsqrt, kHalf, 0, 0, kInf, kTop},
    {kRsqrt, kHalf, -0.0L, 0, -kInf, -kTop},
    {kRsqrt, kHalf, kInf, 0, 0, 0},
    {kRsqrt, kHalf, -kInf, 0, kNan, 0},
    {kRsqrt, kFloat, kMaxFloat, 0, 0x1p-64L, 0x1p-64L},
    {kRsqrt, kFloat, -0.0L, 0, -kInf, -kInf},
    {kRelu, kHalf, -kTop, 0, 0, 0},
    {kRelu, kHalf, -0.0L, 0, 0, 0},
    {kRelu, kHalf, kNan, 0, kNan, 0},
    {kRelu, kHalf, kInf, 0, kInf, kTop},
    {kRelu, kFloat, -kInf, 0, 0, 0},
    {kRelu, kInt32, kMin32, 0, 0, 0},
    {kRelu, kInt32, kMax32, 0, kMax32, kMax32},
    {kAdd, kHalf, -kTop, -kTop, -kInf, -kTop},
    {kAdd, kHalf, -kTop, kTop, 0, 0},
    {kAdd, kHalf, kTop, kTop, kInf, kTop},
    {kAdd, kHalf, kTop, -kInf, -kInf, -kTop},
    {kAdd, kHalf, 0, -0.0L, 0, 0},
    {kAdd, kHalf, -0.0L, -0.0L, -0.0L, -0.0L},
    {kAdd, kHalf, kInf, -kInf, kNan, 0},
    {kAdd, kFloat, kMaxFloat, kMaxFloat, kInf, kInf},
    {kAdd, kFloat, kInf, -kInf, kNan, kNan},
    {kAdd, kInt16, kMin16, kMin16, 0, kMin16},
    {kAdd, kInt16, kMin16, kMax16, -1, -1},
    {kAdd, kInt16, kMax16, kMax16, -2, kMax16},
    {kAdd, kInt32, kMin32, kMin32, 0, kMin32},
    {kAdd, kInt32, kMax32, kMax32, -2, kMax32},
    {kSub, kHalf, kTop, -kTop, kInf, kTop},
    {kSub, kHalf, -0.0L, 0, -0.0L, -0.0L},
    {kSub, kHalf, -0.0L, -0.0L, 0, 0},
    {kSub, kHalf, kInf, kInf, kNan, 0},
    {kSub, kInt16, kMin16, kMax16, 1, kMin16},
    {kSub, kInt16, kMax16, kMin16, -1, kMax16},
    {kSub, kInt32, kMin32, kMax32, 1, kMin32},
    {kSub, kInt32, kMax32, kMin32, -1, kMax32},
    {kMul, kHalf, -kTop, kTop, -kInf, -kTop},
    {kMul, kHalf, -kTop, 0, -0.0L, -0.0L},
    {kMul, kHalf, 0, kInf, kNan, 0},
    {kMul, kFloat, -kMaxFloat, -0.0L, 0, 0},
    {kMul, kInt16, kMin16, kMin16, 0, kMax16},
    {kMul, kInt16, kMin16, kMax16, kMin16, kMin16},
    {kMul, kInt16, kMax16, kMax16, 1, kMax16},
    {kMul, kInt32, kMin32, kMin32, 0, kMax32},
    {kMul, kInt32, kMin32, kMax32, kMin32, kMin32},
    {kMul, kInt32, kMax32, kMax32, 1, kMax32},
    {kDiv, kHalf, -kTop, kTop, -1, -1},
    {kDiv, kHalf, -kTop, -0.0L, kInf, kTop},
    {kDiv, kHalf, kTop, -kInf, -0.0L, -0.0L},
    {kDiv, kHalf, 0, -0.0L, kNan, 0},
    {kDiv, kHalf, -kInf, kTop, -kInf, -kTop},
    {kDiv, kHalf, kInf, kInf, kNan, 0},
    {kDiv, kFloat, kMaxFloat, 0, kInf, kInf},
    {kMax, kHalf, -kTop, -kInf, -kTop, -kTop},
    {kMax, kHalf, -kTop, -0.0L, -0.0L, -0.0L},
    {kMax, kHalf, -kTop, kNan, kNan, 0},
    {kMax, kHalf, 0, -0.0L, 0, 0},
    {kMax, kHalf, kNan, kInf, kNan, 0},
    {kMax, kHalf, -kInf, -kInf, -kInf, -kTop},
    {kMax, kFloat, kNan, -kInf, kNan, kNan},
    {kMax, kInt16, kMin16, kMax16, kMax16, kMax16},
    {kMin, kHalf, kTop, -0.0L, -0.0L, -0.0L},
    {kMin, kHalf, 0, -0.0L, -0.0L, -0.0L},
    {kMin, kHalf, kInf, kInf, kInf, kTop},
    {kMin, kHalf, -0.0L, kNan, kNan, 0},
    {kMin, kInt32, kMin32, kMax32, kMin32, kMin32},
    {kAdds, kHalf, kTop, kTop, kInf, kTop},
    {kAdds, kInt16, kMax16, kMax16, -2, kMax16},
    {kMuls, kHalf, -0.0L, -kInf, kNan, 0},
    {kMuls, kInt32, kMax32, kMax32, 1, kMax32},
    {kMaxs, kFloat, -0.0L, 0, 0, 0},
    {kMins, kFloat, 0, -0.0L, -0.0L, -0.0L},
    {kLeakyRelu, kHalf, -kTop, -kTop, kInf, kTop},
    {kLeakyRelu, kHalf, -kTop, 0, -0.0L, -0.0L},
    {kLeakyRelu, kHalf, kTop, kNan, kTop, kTop},
    {kLeakyRelu, kHalf, 0, kNan, 0, 0},
    {kLeakyRelu, kHalf, -0.0L, -kTop, 0, 0},
    {kLeakyRelu, kHalf, -0.0L, kTop, -0.0L, -0.0L},
    {kLeakyRelu, kHalf, -0.0L, kInf, kNan, 0},
    {kLeakyRelu, kHalf, kInf, kNan, kInf, kTop},
    {kLeakyRelu, kHalf, -kInf, 0, kNan, 0},
    {kLeakyRelu, kFloat, -kInf, -kInf, kInf, kInf},
    {kAddRelu, kHalf, -0.0L, -0.0L, 0, 0},
    {kAddRelu, kHalf, kTop, kTop, kInf, kTop},
    {kAddRelu, kHalf, -kTop, -kTop, 0, 0},
    {kAddRelu, kHalf, kInf, -kInf, kNan, 0},
    {kSubRelu, kHalf, -0.0L, 0, 0, 0},
    {kSubRelu, kHalf, kTop, -kInf, kInf, kTop},
    {kSubRelu, kHalf, -kInf, -kInf, kNan, 0},
};

void ExpectBits(uint64_t actual, long double value, DType dtype,
                const std::string& where) {
  EXPECT_EQ(actual, Workbench::BitsOf(value, dtype)) << where;
}

TEST(BoundaryValues, Elementwise) {
  int number = 0;
  for (const Row& row : kRows) {
    for (const bool saturate : {false, true}) {
      Workbench bench;
      bench.state.saturate = saturate;
      bench.Put(Workbench::kSrc0, row.dtype, {row.a});
      bench.Put(Workbench::kSrc1, row.dtype, {row.b});
      abi::Instruction i = bench.Instruction(row.op, row.dtype, 1);
      i.scalar = Workbench::BitsOf(row.b, row.dtype);
      bench.Run(i);
      ExpectBits(
          bench.Bits(Workbench::kDst, row.dtype, 0),
          saturate ? row.saturated : row.plain, row.dtype,
          "row " + std::to_string(number) + (saturate ? ", saturating" : ""));
    }
    ++number;
  }
}

// src * scalar, then + dst: the product overflows on its own.
TEST(BoundaryValues, Axpy) {
  struct AxpyRow {
    long double a, scalar, dst, plain, saturated;
  };
  const AxpyRow rows[] = {
      {kTop, kTop, -kTop, kInf, 0},     {kTop, kTop, kNan, kNan, 0},
      {kTop, kTop, -kInf, kNan, -kTop}, {-kTop, kTop, kTop, -kInf, 0},
      {0, kInf, kTop, kNan, kTop},      {kNan, 1, -kTop, kNan, -kTop},
      {0, 0, kInf, kInf, kTop},         {kTop, 1, -kTop, 0, 0},
      {-kTop, 1, -kTop, -kInf, -kTop},  {0, -kTop, -0.0L, -0.0L, -0.0L},
  };
  for (const AxpyRow& row : rows) {
    for (const bool saturate : {false, true}) {
      Workbench bench;
      bench.state.saturate = saturate;
      bench.Put(Workbench::kSrc0, kHalf, {row.a});
      bench.Put(Workbench::kDst, kHalf, {row.dst});
      abi::Instruction i = bench.Instruction(Op::kAxpy, kHalf, 1);
      i.scalar = Workbench::BitsOf(row.scalar, kHalf);
      bench.Run(i);
      ExpectBits(bench.Bits(Workbench::kDst, kHalf, 0),
                 saturate ? row.saturated : row.plain, kHalf, "Axpy");
    }
  }
}

TEST(BoundaryValues, Casts) {
  struct CastRow {
    DType from, to;
    long double in, plain, saturated;
  };
  const CastRow rows[] = {
      {DType::kUint8, kHalf, 255, 255, 255},
      {DType::kInt8, kHalf, -128, -128, -128},
      {kHalf, DType::kInt8, kTop, 127, 127},
      {kHalf, DType::kInt8, -kInf, -128, -128},
      {kHalf, DType::kInt8, kNan, 0, 0},
      {kHalf, DType::kUint8, kTop, 255, 255},
      {kHalf, DType::kUint8, -kTop, 0, 0},
      {kHalf, kInt32, kTop, kTop, kTop},
      {kHalf, kInt32, kInf, kMax32, kMax32},
      {kHalf, kInt32, -kInf, kMin32, kMin32},
      {kHalf, kFloat, kNan, kNan, kNan},
      {kHalf, kFloat, -kInf, -kInf, -kInf},
      {kInt16, kHalf, kMax16, 32768, 32768},
      {kInt16, kFloat, kMin16, kMin16, kMin16},
      {DType::kBfloat16, kInt32, 3.3895314e+38L, kMax32, kMax32},
      {DType::kBfloat16, kInt32, kNan, 0, 0},
      {kInt32, kInt16, kMax32, kMax16, kMax16},
      {kInt32, kInt16, kMin32, kMin16, kMin16},
      {kInt32, DType::kInt64, kMin32, kMin32, kMin32},
      {kFloat, kInt16, kMaxFloat, kMax16, kMax16},
      {kFloat, kInt16, -kInf, kMin16, kMin16},
      {kFloat, kInt16, kNan, 0, 0},
      {kFloat, DType::kBfloat16, kMaxFloat, kInf, 0x1.fep127L},
      {kFloat, DType::kBfloat16, kNan, kNan, 0},
      {kFloat, kHalf, kMaxFloat, kInf, kTop},
      {kFloat, kHalf, -kInf, -kInf, -kTop},
      {kFloat, kHalf, kNan, kNan, 0},
      {kFloat, kInt32, -kMaxFloat, kMin32, kMin32},
      {kFloat, kInt32, kNan, 0, 0},
      {kFloat, kFloat, kMaxFloat, kMaxFloat, kMaxFloat},
      {kFloat, kFloat, -0.0L, 0, 0},
      {kFloat, kFloat, kNan, kNan, kNan},
      {kFloat, DType::kInt64, kInf, 9223372036854775807.0L,
       9223372036854775807.0L},
      {kFloat, DType::kInt64, kNan, 0, 0},
      {DType::kInt64, kInt32, 9223372036854775807.0L, kMax32, kMax32},
      {DType::kInt64, kInt32, 2147483648.0L, kMax32, kMax32},
      {DType::kInt64, kFloat, 9223372036854775807.0L, 0x1p63L, 0x1p63L},
      {kInt32, kHalf, 65504, kTop, kTop},
      {kInt32, kHalf, kMax32, kInf, kTop},
      {kInt32, kHalf, kMin32, -kInf, -kTop},
  };
  int number = 0;
  for (const CastRow& row : rows) {
    for (const bool saturate : {false, true}) {
      Workbench bench;
      bench.state.saturate = saturate;
      bench.Put(Workbench::kSrc0, row.from, {row.in});
      abi::Instruction i = bench.Instruction(Op::kCast, row.from, row.to, 1);
      i.mode = static_cast<uint8_t>(abi::Round::kRint);
      bench.Run(i);
      ExpectBits(bench.Bits(Workbench::kDst, row.to, 0),
                 saturate ? row.saturated : row.plain, row.to,
                 "cast row " + std::to_string(number));
    }
    ++number;
  }
}

// Not equal is false with NaN on either side, unlike IEEE's.
TEST(BoundaryValues, Comparisons) {
  const std::vector<long double> values = {-kTop, kTop, 0,    -0.0L,
                                           kNan,  kInf, -kInf};
  const char* const kExpected[6][7] = {
      // src0 = -MAX, MAX, +0, -0, NaN, +inf, -inf against each of these.
      {"0111010", "0000010", "0100010", "0100010", "0000000", "0000000",
       "1111010"},  // LT
      {"0000001", "1011001", "1000001", "1000001", "0000000", "1111001",
       "0000000"},  // GT
      {"1000000", "0100000", "0011000", "0011000", "0000000", "0000010",
       "0000001"},  // EQ
      {"1111010", "0100010", "0111010", "0111010", "0000000", "0000010",
       "1111011"},  // LE
      {"1000001", "1111001", "1011001", "1011001", "0000000", "1111011",
       "0000001"},  // GE
      {"0111011", "1011011", "1100011", "1100011", "0000000", "1111001",
       "1111010"},  // NE
  };
  for (const DType dtype : {kHalf, kFloat}) {
    for (uint8_t mode = 0; mode < 6; ++mode) {
      for (size_t first = 0; first < values.size(); ++first) {
        Workbench bench;
        bench.Put(Workbench::kSrc0, dtype,
                  std::vector<long double>(7, values[first]));
        bench.Put(Workbench::kSrc1, dtype, values);
        abi::Instruction i =
            bench.Instruction(Op::kCompare, dtype, DType::kUint8, 128);
        i.mode = mode;
        bench.Run(i);
        std::string bits;
        for (int lane = 0; lane < 7; ++lane) {
          bits += bench.ub().data()[0] >> lane & 1 ? '1' : '0';
        }
        EXPECT_EQ(bits, kExpected[mode][first])
            << "mode " << int{mode} << " first " << first;
      }
    }
  }
}

struct ReduceRow {
  Op op;
  std::vector<long double> lead;  // the rest are ones
  size_t count;
  long double plain, saturated;
};

TEST(BoundaryValues, Reductions) {
  const ReduceRow rows[] = {
      {kWholeReduceSum, {kInf}, 128, kInf, kTop},
      {kWholeReduceSum, {-kInf}, 128, -kInf, -65376},
      {kWholeReduceSum, {kNan}, 128, kNan, 126},
      {kWholeReduceSum, std::vector<long double>(128, kTop), 128, kInf, kTop},
      {kWholeReduceSum, std::vector<long double>(128, -0.0L), 128, -0.0L,
       -0.0L},
      {kWholeReduceMax, {kInf}, 128, kInf, kTop},
      {kWholeReduceMax, {-kInf}, 128, 1, 1},
      {kWholeReduceMax, {kNan}, 128, kNan, 0},
      {kWholeReduceMin, {kInf}, 128, 1, 1},
      {kWholeReduceMin, {-kInf}, 128, -kInf, -kTop},
      {kWholeReduceMin, {kNan}, 128, kNan, 0},
      {kReduceMax, {kInf, -kInf, kNan}, 256, kNan, 1},
      {kReduceMax, {kInf, -kInf}, 256, kInf, kTop},
      {kReduceMax, {kNan}, 256, kNan, 1},
      {kReduceMin, {kInf, -kInf, kNan}, 256, kNan, 0},
      {kReduceMin, {kInf, -kInf}, 256, -kInf, -kTop},
      {kReduceMin, {kNan}, 256, kNan, 0},
      {kReduceSum, {kInf, -kInf, kNan}, 256, kNan, 252},
      {kReduceSum, {kInf, -kInf}, 256, kNan, 254},
      {kReduceSum, {kInf, kNan}, 256, kNan, 254},
      {kReduceSum, {kInf}, 256, kInf, kTop},
      {kReduceSum, {-kInf}, 256, -kInf, -65248},
      {kReduceSum, {kNan}, 256, kNan, 254},
      {kBlockReduceSum, {kNan}, 16, kNan, 14},
      {kBlockReduceMax, {kNan}, 16, kNan, 0},
      {kBlockReduceMin, {-kInf}, 16, -kInf, -kTop},
      // The figure of the page ReduceDataBlock, in saturation mode; it leaves
      // out the rounding of -29900 to -29904 and of the last sum.
      {kBlockReduceSum,
       {60000, 60000, -30000, 100, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
       16,
       kInf,
       35584},
  };
  int number = 0;
  for (const ReduceRow& row : rows) {
    for (const bool saturate : {false, true}) {
      Workbench bench;
      bench.state.saturate = saturate;
      std::vector<long double> values(row.count, 1);
      std::copy(row.lead.begin(), row.lead.end(), values.begin());
      bench.Put(Workbench::kSrc0, kHalf, values);
      abi::Instruction i = bench.Instruction(row.op, kHalf, row.count);
      i.dst.repeat_stride = 1;
      bench.Run(i);
      ExpectBits(bench.Bits(Workbench::kDst, kHalf, 0),
                 saturate ? row.saturated : row.plain, kHalf,
                 "reduction row " + std::to_string(number) +
                     (saturate ? ", saturating" : ""));
    }
    ++number;
  }
}

}  // namespace
}  // namespace belay::npu::test_boundary_values
