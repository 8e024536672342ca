// SPDX-License-Identifier: Apache-2.0
// Inputs and outputs printed on the pages of the interfaces.

#include <gtest/gtest.h>

#include <cmath>

#include "base/dtype.h"
#include "base/rounding.h"
#include "workbench.h"

namespace belay::npu::test_documented_examples {
namespace {

using abi::DType;
using abi::Op;
using abi::Round;
using Numbers = std::vector<long double>;

constexpr DType kHalf = DType::kHalf;
constexpr DType kFloat = DType::kFloat;

// Runs a count-form instruction and returns as many results as `a` has.
Numbers RunOn(Op op, DType dtype, const Numbers& a, const Numbers& b = {},
              uint8_t mode = 0) {
  Workbench bench;
  bench.Put(Workbench::kSrc0, dtype, a);
  bench.Put(Workbench::kSrc1, dtype, b);
  abi::Instruction i = bench.Instruction(op, dtype, a.size());
  i.mode = mode;
  if (!b.empty()) i.scalar = Workbench::BitsOf(b[0], dtype);
  bench.Run(i);
  return bench.Values(Workbench::kDst, dtype, a.size());
}

// The pages print halves with four digits: equal if both round alike.
void ExpectPrinted(const Numbers& actual, const Numbers& printed) {
  ASSERT_EQ(actual.size(), printed.size());
  for (size_t i = 0; i < printed.size(); ++i) {
    EXPECT_EQ(Workbench::BitsOf(actual[i], kHalf),
              Workbench::BitsOf(printed[i], kHalf))
        << "element " << i << ": " << static_cast<double>(actual[i])
        << " against " << static_cast<double>(printed[i]);
  }
}

void ExpectNear(const Numbers& actual, const Numbers& printed, double margin) {
  ASSERT_EQ(actual.size(), printed.size());
  for (size_t i = 0; i < printed.size(); ++i) {
    EXPECT_NEAR(static_cast<double>(actual[i]), static_cast<double>(printed[i]),
                margin);
  }
}

TEST(DocumentedExamples, Estimates) {
  ExpectPrinted(
      RunOn(Op::kReciprocal, kHalf, {-7.152L, -7.24L, 1.771L, -1.339L, 4.473L}),
      {-0.1396L, -0.1382L, 0.5645L, -0.748L, 0.2231L});
  ExpectPrinted(
      RunOn(Op::kRsqrt, kHalf, {0.8335L, 2.2L, 2.672L, 2.312L, 5.36L}),
      {1.094L, 0.676L, 0.6113L, 0.6562L, 0.4316L});
  // From the page of the older interface to the same instruction.
  ExpectPrinted(RunOn(Op::kRsqrt, kHalf, {1, 2, 3, 4, 128}),
                {0.998L, 0.705L, 0.576L, 0.499L, 0.08813L});
}

TEST(DocumentedExamples, Unary) {
  ExpectPrinted(RunOn(Op::kExp, kHalf, {0, 1, 2, 3}),
                {1, 2.719L, 7.391L, 20.08L});
  ExpectNear(RunOn(Op::kLn, kFloat, {1, 2, 3, 4}),
             {0, 0.6931L, 1.0986L, 1.3863L}, 5e-5);
  ExpectPrinted(RunOn(Op::kLn, kHalf, {65504}), {11.09L});
  ExpectPrinted(RunOn(Op::kSqrt, kHalf, {1, 2, 3, 4}), {1, 1.414L, 1.732L, 2});
  ExpectPrinted(RunOn(Op::kRelu, kHalf, {6.938L, -8.86L, -0.2263L, 1.971L}),
                {6.938L, 0, 0, 1.971L});
  EXPECT_EQ(RunOn(Op::kNot, DType::kInt16, {9, -2, 8, 9, 0}),
            (Numbers{-10, 1, -9, -10, -1}));
  EXPECT_EQ(static_cast<float>(RunOn(Op::kLn, kFloat, {0x1.fffffep127L})[0]),
            88.72284f);
}

TEST(DocumentedExamples, BinaryAndScalar) {
  EXPECT_EQ(RunOn(Op::kAnd, DType::kInt16, {1, 2, 3, 512}, {513, 512, 511, 2}),
            (Numbers{1, 0, 3, 0}));
  EXPECT_EQ(RunOn(Op::kOr, DType::kInt16, {1, 2, 3, 512}, {513, 512, 511, 2}),
            (Numbers{513, 514, 511, 514}));
  EXPECT_EQ(RunOn(Op::kAddRelu, DType::kInt16, {1, -2, 3, -6}, {1, 3, -4, 5}),
            (Numbers{2, 1, 0, 0}));
  ExpectNear(RunOn(Op::kLeakyRelu, kHalf, {-287, 246, -438, 177}, {0.001L}),
             {-0.287L, 246, -0.438L, 177}, 5e-4);
}

TEST(DocumentedExamples, Shifts) {
  constexpr DType kSigned = DType::kInt16;
  constexpr DType kUnsigned = DType::kUint16;
  const auto bits = [](DType dtype, uint16_t value) {
    return static_cast<long double>(naive::DecodeInteger(value, dtype));
  };
  constexpr uint16_t kPattern = 0b1010101010101010;
  const auto shift = [&](Op op, DType dtype, uint16_t value, int distance,
                         uint8_t mode = 0) {
    return RunOn(op, dtype, {bits(dtype, value)},
                 {static_cast<long double>(distance)}, mode)[0];
  };
  EXPECT_EQ(shift(Op::kShiftLeft, kUnsigned, kPattern, 1),
            bits(kUnsigned, 0b0101010101010100));
  EXPECT_EQ(shift(Op::kShiftLeft, kSigned, kPattern, 1),
            bits(kSigned, 0b1101010101010100));
  EXPECT_EQ(shift(Op::kShiftLeft, kSigned, kPattern, 3),
            bits(kSigned, 0b1101010101010000));
  EXPECT_EQ(shift(Op::kShiftRight, kUnsigned, kPattern, 1),
            bits(kUnsigned, 0b0101010101010101));
  EXPECT_EQ(shift(Op::kShiftRight, kSigned, kPattern, 1),
            bits(kSigned, 0b1101010101010101));
  EXPECT_EQ(shift(Op::kShiftRight, kSigned, kPattern, 3),
            bits(kSigned, 0b1111010101010101));
  EXPECT_EQ(shift(Op::kShiftRight, kSigned, 17, 5, 1), 1);
  EXPECT_EQ(shift(Op::kShiftRight, kSigned, 17, 5, 0), 0);
}

// Input, and results for RINT, FLOOR, CEIL, ROUND, TRUNC.
struct CastExample {
  DType from, to;
  long double in;
  Numbers results;
};

TEST(DocumentedExamples, CastsInEveryMode) {
  constexpr Round kModes[] = {Round::kRint, Round::kFloor, Round::kCeil,
                              Round::kRound, Round::kTrunc};
  const long double p22 = 0x1p22L;
  const long double p25 = 0x1p25L;
  const long double p35 = 0x1p35L;
  const CastExample examples[] = {
      {DType::kInt16, kHalf, 4098, {4096, 4096, 4100, 4100, 4096}},
      {kHalf, DType::kInt8, 127.5L, {127, 127, 127, 127, 127}},
      {kHalf, DType::kUint8, 1.75L, {2, 1, 2, 2, 1}},
      {kHalf, DType::kInt16, 127.5L, {128, 127, 128, 128, 127}},
      {kHalf, DType::kInt32, -1.5L, {-2, -2, -1, -2, -1}},
      {DType::kBfloat16, DType::kInt32, 64.5L, {64, 64, 65, 65, 64}},
      {DType::kInt32, kFloat, p25 + 3, {p25 + 4, p25, p25 + 4, p25 + 4, p25}},
      {kFloat, DType::kInt16, p22 + 0.5L, {32767, 32767, 32767, 32767, 32767}},
      {kFloat,
       kHalf,
       0.5L + 0x1p-12L,
       {0.5L, 0.5L, 0.5L + 0x1p-11L, 0.5L + 0x1p-11L, 0.5L}},
      {kFloat,
       DType::kBfloat16,
       0.5L + 0x1p-9L + 0x1p-11L,
       {0.5L + 0x1p-8L, 0.5L, 0.5L + 0x1p-8L, 0.5L + 0x1p-8L, 0.5L}},
      {kFloat, DType::kInt32, p22 + 0.5L, {p22, p22, p22 + 1, p22 + 1, p22}},
      {kFloat, kFloat, 0.5L, {0, 0, 1, 1, 0}},
      {kFloat, DType::kInt64, p22 + 0.5L, {p22, p22, p22 + 1, p22 + 1, p22}},
      {DType::kInt64,
       kFloat,
       p35 + 4096 + 2048,
       {p35 + 8192, p35 + 4096, p35 + 8192, p35 + 8192, p35 + 4096}},
  };
  for (const CastExample& example : examples) {
    for (size_t m = 0; m < std::size(kModes); ++m) {
      Workbench bench;
      bench.Put(Workbench::kSrc0, example.from, {example.in});
      abi::Instruction i =
          bench.Instruction(Op::kCast, example.from, example.to, 1);
      i.mode = static_cast<uint8_t>(kModes[m]);
      bench.Run(i);
      EXPECT_EQ(bench.Value(Workbench::kDst, example.to, 0), example.results[m])
          << belay::NameOf(example.from) << " to " << belay::NameOf(example.to)
          << " mode " << belay::NameOf(kModes[m]);
    }
  }
}

TEST(DocumentedExamples, CastToInt32) {
  const Numbers in = {1.4L, 1.5L, 1.6L, 2.4L, 2.5L, 2.6L};
  const struct {
    Round mode;
    Numbers out;
  } rows[] = {
      {Round::kCeil, {2, 2, 2, 3, 3, 3}},  {Round::kNone, {1, 2, 2, 2, 2, 3}},
      {Round::kRint, {1, 2, 2, 2, 2, 3}},  {Round::kFloor, {1, 1, 1, 2, 2, 2}},
      {Round::kRound, {1, 2, 2, 2, 3, 3}}, {Round::kTrunc, {1, 1, 1, 2, 2, 2}},
  };
  for (const auto& row : rows) {
    Workbench bench;
    bench.Put(Workbench::kSrc0, kHalf, in);
    abi::Instruction i =
        bench.Instruction(Op::kCast, kHalf, DType::kInt32, in.size());
    i.mode = static_cast<uint8_t>(row.mode);
    bench.Run(i);
    EXPECT_EQ(bench.Values(Workbench::kDst, DType::kInt32, in.size()), row.out);
  }
}

TEST(DocumentedExamples, CompareRegister) {
  const Numbers a = {86.72287L,   9.413112L,   17.033222L,  -64.10005L,
                     -66.2691L,   -65.57659L,  15.898049L,  94.61241L,
                     -68.920685L, -36.16883L,  15.62852L,   68.078514L,
                     -59.724575L, -9.4302225L, -64.770935L, 66.55523L,
                     -84.60122L,  57.331L,     60.42026L,   -86.78856L,
                     37.25265L,   8.356797L,   -48.544407L, 16.73616L};
  const Numbers b = {
      2.2989323L, 51.8879L,   -81.49718L,  41.189415L, 6.4081917L, 92.566666L,
      53.205498L, -94.47063L, -75.38387L,  36.464787L, 85.60772L,  -28.70681L,
      42.58504L,  -76.15293L, 38.723816L,  10.006577L, 74.53035L,  -78.38537L,
      71.945404L, -4.060528L, -14.501523L, 28.229202L, 96.87876L,  41.558033L};
  Workbench bench;
  bench.Put(Workbench::kSrc0, kFloat, a);
  bench.Put(Workbench::kSrc1, kFloat, b);
  abi::Instruction i = bench.Instruction(Op::kCompareToMask, kFloat, 0);
  i.form = abi::Form::kContinuous;
  i.count = 64;
  i.repeat = 1;
  i.mode = static_cast<uint8_t>(abi::Compare::kLt);
  bench.Run(i);
  EXPECT_EQ(bench.state.compare_mask[0] & 0xffffff, 0xed567a);
}

TEST(DocumentedExamples, SelectByMask) {
  const Numbers a = {-80.4933L, 52.2499L,  -50.6124L, -72.3737L,
                     -33.7107L, -83.4001L, 34.3954L,  61.3188L};
  const Numbers b = {35.8789L,  44.0334L, 54.9997L,  44.8567L,
                     -30.8579L, -53.714L, -59.8013L, 71.1663L};
  Workbench bench;
  bench.Put(Workbench::kSrc0, kFloat, a);
  bench.Put(Workbench::kSrc1, kFloat, b);
  bench.ub().data()[Workbench::kSrc2] = 60;
  abi::Instruction i = bench.Instruction(Op::kSelect, kFloat, 8);
  for (const auto mode :
       {abi::Select::kCmpMaskRegister, abi::Select::kTensorTensor}) {
    i.mode = static_cast<uint8_t>(mode);
    bench.Run(i);
    for (size_t lane = 0; lane < 8; ++lane) {
      EXPECT_EQ(static_cast<float>(bench.Value(Workbench::kDst, kFloat, lane)),
                static_cast<float>(lane >= 2 && lane < 6 ? a[lane] : b[lane]));
    }
  }
  i.mode = static_cast<uint8_t>(abi::Select::kTensorScalar);
  i.scalar = 0;
  bench.Run(i);
  EXPECT_EQ(bench.Value(Workbench::kDst, kFloat, 0), 0);
  EXPECT_EQ(static_cast<float>(bench.Value(Workbench::kDst, kFloat, 2)),
            -50.6124f);
}

TEST(DocumentedExamples, Reductions) {
  Workbench bench;
  bench.Put(Workbench::kSrc0, kHalf, Numbers(8320, 1));
  abi::Instruction sum = bench.Instruction(Op::kReduceSum, kHalf, 8320);
  bench.Run(sum);
  EXPECT_EQ(bench.Value(Workbench::kDst, kHalf, 0), 8320);
  sum.form = abi::Form::kContinuous;
  sum.count = 128;
  sum.repeat = 65;
  bench.Run(sum);
  EXPECT_EQ(bench.Value(Workbench::kDst, kHalf, 0), 8320);

  bench.Put(Workbench::kSrc0, kHalf,
            {1, 1, 1, -1, 2, 2, -1, 2, 3, 3, 3, -1, 4, 4, -2, 4});
  abi::Instruction pairs = bench.Instruction(Op::kPairReduceSum, kHalf, 16);
  pairs.dst.repeat_stride = 1;
  bench.Run(pairs);
  EXPECT_EQ(bench.Values(Workbench::kDst, kHalf, 8),
            (Numbers{2, 0, 4, 1, 6, 2, 8, 2}));
}

// Greatest of each repeat of 128, and its lane, in all four orders.
TEST(DocumentedExamples, WholeReduceOrders) {
  Numbers values(384, 1);
  std::fill(values.begin() + 128, values.begin() + 256, 2);
  std::fill(values.begin() + 256, values.end(), 3);
  values[52] = 11;
  values[128 + 100] = 12;
  values[256 + 19] = 13;
  const struct {
    abi::ReduceOrder order;
    std::vector<uint16_t> out;
  } rows[] = {
      {abi::ReduceOrder::kValueIndex, {0x4980, 52, 0x4a00, 100, 0x4a80, 19}},
      {abi::ReduceOrder::kIndexValue, {52, 0x4980, 100, 0x4a00, 19, 0x4a80}},
      {abi::ReduceOrder::kOnlyValue, {0x4980, 0x4a00, 0x4a80, 0, 0, 0}},
      {abi::ReduceOrder::kOnlyIndex, {52, 0, 100, 0, 19, 0}},
  };
  for (const auto& row : rows) {
    Workbench bench;
    bench.Put(Workbench::kSrc0, kHalf, values);
    abi::Instruction i = bench.Instruction(Op::kWholeReduceMax, kHalf, 0);
    i.form = abi::Form::kContinuous;
    i.count = 128;
    i.repeat = 3;
    i.dst.repeat_stride = 1;
    i.mode = static_cast<uint8_t>(row.order);
    bench.Run(i);
    for (size_t k = 0; k < row.out.size(); ++k) {
      EXPECT_EQ(bench.Bits(Workbench::kDst, kHalf, k), row.out[k]);
    }
    EXPECT_EQ(bench.state.reduced_value, 0x4a80u);
    EXPECT_EQ(bench.state.reduced_index, 256u + 19);
  }
}

TEST(DocumentedExamples, GatherReverses) {
  Workbench bench;
  Numbers table(128);
  Numbers offsets(128);
  Numbers reversed(128);
  for (int i = 0; i < 128; ++i) {
    table[i] = i;
    offsets[i] = 254 - 2 * i;
    reversed[i] = 127 - i;
  }
  bench.Put(Workbench::kSrc0, kHalf, table);
  bench.Put(Workbench::kSrc1, DType::kUint32, offsets);
  abi::Instruction i = bench.Instruction(Op::kGather, kHalf, 128);
  i.src1 = bench.At(Workbench::kSrc1, DType::kUint32);
  i.src1.repeat_stride = 16;
  bench.Run(i);
  EXPECT_EQ(bench.Values(Workbench::kDst, kHalf, 128), reversed);
}

TEST(DocumentedExamples, BrcbFillsBlocks) {
  Workbench bench;
  Numbers source(16);
  Numbers expected(256);
  for (int i = 0; i < 16; ++i) source[i] = i + 1;
  for (int i = 0; i < 256; ++i) expected[i] = i / 16 + 1;
  bench.Put(Workbench::kSrc0, kHalf, source);
  abi::Instruction i = bench.Instruction(Op::kBrcb, kHalf, 0);
  i.form = abi::Form::kRegister;
  i.repeat = 2;
  i.dst.repeat_stride = 8;
  bench.Run(i);
  EXPECT_EQ(bench.Values(Workbench::kDst, kHalf, 256), expected);
}

TEST(DocumentedExamples, AxpyAddsToTheDestination) {
  Workbench bench;
  Numbers source(512);
  Numbers expected(512);
  for (int i = 0; i < 512; ++i) {
    source[i] = i + 1;
    expected[i] = 2 * (i + 1);
  }
  bench.Put(Workbench::kSrc0, kHalf, source);
  abi::Instruction i = bench.Instruction(Op::kAxpy, kHalf, 512);
  i.scalar = Workbench::BitsOf(2, kHalf);
  bench.Run(i);
  EXPECT_EQ(bench.Values(Workbench::kDst, kHalf, 512), expected);
}

}  // namespace
}  // namespace belay::npu::test_documented_examples
