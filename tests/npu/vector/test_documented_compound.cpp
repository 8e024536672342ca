// SPDX-License-Identifier: Apache-2.0
// Inputs and outputs printed on the pages of compound computation.

#include <gtest/gtest.h>

#include "workbench.h"

namespace belay::npu::test_documented_compound {
namespace {

using abi::DType;
using abi::Op;
using Numbers = std::vector<long double>;

constexpr DType kHalf = DType::kHalf;
constexpr DType kFloat = DType::kFloat;

// src0, src1, dst before, dst after.
constexpr long double kFusedMulAdd[][4] = {
    {51.4L, -43.1L, -18.36L, -987.0L},   {25.92L, -90.0L, 44.94L, 1075.0L},
    {28.3L, -0.7295L, 32.34L, 914.5L},   {26.62L, 49.28L, -50.0L, -1282.0L},
    {-4.523L, -52.12L, -99.5L, 398.0L},  {-93.6L, -55.53L, 89.4L, -8424.0L},
    {8.71L, 99.6L, 1.568L, 113.3L},      {21.02L, 94.4L, 61.4L, 1384.0L},
    {-49.8L, 62.56L, -36.0L, 1856.0L},   {-80.4L, 20.67L, -46.28L, 3740.0L},
    {95.94L, -25.4L, 54.88L, 5240.0L},   {4.74L, -70.6L, 14.92L, 0.0625L},
    {70.25L, 43.44L, 61.2L, 4344.0L},    {-60.38L, 57.97L, -16.14L, 1032.0L},
    {79.5L, 5.355L, 42.72L, 3402.0L},    {-18.19L, 38.66L, 87.25L, -1548.0L},
    {79.1L, -67.3L, -2.787L, -287.8L},   {-66.7L, -26.72L, -66.8L, 4428.0L},
    {62.5L, 43.7L, 58.3L, 3688.0L},      {83.6L, -81.06L, 23.94L, 1921.0L},
    {-73.1L, 54.47L, 89.0L, -6452.0L},   {72.56L, -71.3L, -78.56L, -5772.0L},
    {-63.03L, 84.8L, -38.94L, 2538.0L},  {81.3L, 92.9L, -78.25L, -6272.0L},
    {-62.28L, 49.88L, 52.6L, -3226.0L},  {-49.94L, -49.94L, 77.94L, -3942.0L},
    {-78.7L, 79.75L, 84.4L, -6560.0L},   {56.2L, -71.8L, -63.94L, -3664.0L},
    {-52.97L, 6.5L, 90.7L, -4796.0L},    {66.2L, 42.3L, 51.97L, 3482.0L},
    {43.94L, 22.44L, 84.1L, 3718.0L},    {13.43L, 6.64L, 99.3L, 1341.0L},
    {43.06L, -83.6L, -70.1L, -3104.0L},  {51.16L, -24.3L, -3.691L, -213.1L},
    {34.16L, -97.06L, 4.16L, 45.06L},    {-64.56L, 43.47L, 24.98L, -1570.0L},
    {-73.1L, -31.06L, -91.94L, 6692.0L}, {-94.7L, -9.55L, 91.2L, -8640.0L},
    {-68.94L, -7.734L, 65.3L, -4512.0L}, {73.06L, -30.27L, -47.28L, -3484.0L},
    {-93.4L, 70.3L, 68.1L, -6288.0L},    {-46.62L, 10.91L, -60.2L, 2816.0L},
    {-83.75L, 55.72L, -90.4L, 7624.0L},  {15.46L, 60.03L, 0.1636L, 62.56L},
    {32.88L, 85.8L, 9.32L, 392.2L},      {-76.4L, -21.86L, 51.4L, -3948.0L},
    {53.84L, -34.28L, 10.45L, 528.5L},   {70.6L, -1.962L, 46.9L, 3310.0L},
};

// src0, src1, dst before, dst after.
constexpr long double kMulAddRelu[][4] = {
    {77.25L, -20.95L, -69.5L, 0.0L},     {59.84L, -1.547L, -8.8L, 0.0L},
    {-39.5L, -46.25L, -38.3L, 1467.0L},  {19.3L, 27.14L, 19.9L, 411.5L},
    {-45.88L, 43.16L, -70.0L, 3256.0L},  {11.81L, 21.44L, 71.75L, 869.0L},
    {-60.75L, 65.6L, -23.17L, 1474.0L},  {-99.6L, 78.25L, -13.48L, 1421.0L},
    {-12.164L, -72.9L, 70.0L, 0.0L},     {25.75L, 25.39L, -31.16L, 0.0L},
    {100.0L, 2.133L, 29.6L, 2962.0L},    {-68.0L, 76.3L, -2.914L, 274.5L},
    {-48.12L, 17.56L, 47.6L, 0.0L},      {-4.504L, -96.9L, 83.5L, 0.0L},
    {-78.5L, -41.16L, -33.75L, 2608.0L}, {-53.4L, -10.734L, 44.25L, 0.0L},
    {71.56L, -2.305L, -87.9L, 0.0L},     {-33.5L, 74.5L, 3.54L, 0.0L},
    {-78.75L, -42.2L, 46.1L, 0.0L},      {81.6L, -63.44L, 53.8L, 4328.0L},
    {61.25L, -67.5L, -4.164L, 0.0L},     {-6.414L, -11.62L, -83.56L, 524.5L},
    {-31.77L, -78.44L, -35.6L, 1053.0L}, {-50.38L, 52.66L, 58.47L, 0.0L},
    {84.9L, 18.8L, -43.56L, 0.0L},       {-75.56L, 45.16L, -38.03L, 2920.0L},
    {89.06L, -35.94L, 63.72L, 5640.0L},  {-50.7L, 82.44L, 4.9L, 0.0L},
    {93.0L, -53.9L, -25.56L, 0.0L},      {99.75L, 10.54L, 73.7L, 7364.0L},
    {8.1L, -86.9L, 34.7L, 194.1L},       {58.34L, -55.9L, 96.3L, 5564.0L},
    {-47.3L, 7.22L, -58.34L, 2768.0L},   {40.78L, 85.3L, -56.78L, 0.0L},
    {-98.94L, 14.32L, -39.44L, 3916.0L}, {41.34L, -57.53L, 82.5L, 3352.0L},
    {98.5L, 52.9L, 34.4L, 3442.0L},      {-21.11L, -92.4L, -30.34L, 548.0L},
    {30.7L, 45.0L, -4.72L, 0.0L},        {39.3L, 31.64L, -97.75L, 0.0L},
};

// src0, src1, dst before, dst after.
constexpr long double kMulAddDst[][4] = {
    {-83.0L, -57.97L, -97.94773L, 4.71345850e+03L},
    {58.2L, 43.5L, -61.303955L, 2.46985229e+03L},
    {-14.28L, 8.08L, 32.56878L, -8.27969437e+01L},
    {-43.12L, 72.4L, -87.50743L, -3.20867920e+03L},
    {20.72L, -81.44L, -78.92147L, -1.76620471e+03L},
    {-79.9L, -52.0L, 59.20739L, 4.21270752e+03L},
    {54.16L, 69.1L, 50.336506L, 3.79388721e+03L},
    {31.56L, -84.25L, 49.039738L, -2.61010083e+03L},
    {-1.464L, 31.12L, -76.2525L, -1.21815369e+02L},
    {68.25L, 34.34L, 0.25441223L, 2.34421533e+03L},
    {-28.31L, 74.75L, -71.73807L, -2.18809741e+03L},
    {-93.5L, 83.56L, 6.481831L, -7.80661182e+03L},
    {-4.2L, -83.0L, -55.5052L, 2.93029968e+02L},
    {-46.56L, 80.1L, -51.057415L, -3.78187769e+03L},
    {-22.23L, 42.84L, 31.403702L, -9.21200317e+02L},
    {78.5L, -31.6L, 63.285076L, -2.41682422e+03L},
    {-69.56L, 88.56L, 98.1897L, -6.06243945e+03L},
    {-37.03L, 47.34L, 86.71727L, -1.66648096e+03L},
    {-53.12L, 18.89L, -50.16466L, -1.05372913e+03L},
    {58.28L, -95.25L, 88.94256L, -5.46234668e+03L},
    {-71.56L, 16.88L, 72.111435L, -1.13550574e+03L},
    {-34.44L, -85.75L, 8.4164915L, 2.96143213e+03L},
    {85.94L, 76.75L, 34.524082L, 6.63022705e+03L},
    {96.3L, -17.19L, 73.14016L, -1.58223096e+03L},
    {66.06L, 23.39L, 4.838548L, 1.55008167e+03L},
    {99.94L, 92.56L, 69.67902L, 9.32014355e+03L},
    {-45.94L, 22.81L, -97.855736L, -1.14580493e+03L},
    {8.75L, 77.94L, 90.358696L, 7.72311829e+02L},
    {-93.9L, 38.62L, 9.051491L, -3.61687036e+03L},
    {35.56L, -55.8L, 37.595695L, -1.94723633e+03L},
    {82.56L, 38.22L, -66.01661L, 3.08941895e+03L},
    {-70.8L, -88.6L, -97.110634L, 6.17864697e+03L},
};

template <size_t kRows>
Numbers Column(const long double (&table)[kRows][4], int column) {
  Numbers values;
  for (const auto& row : table) values.push_back(row[column]);
  return values;
}

// Runs an instruction that reads its destination on the rows of a table. The
// pages print enough digits to tell neighbouring numbers apart.
template <size_t kRows>
void ExpectTable(Op op, DType from, DType to,
                 const long double (&table)[kRows][4]) {
  Workbench bench;
  bench.Put(Workbench::kSrc0, from, Column(table, 0));
  bench.Put(Workbench::kSrc1, from, Column(table, 1));
  bench.Put(Workbench::kDst, to, Column(table, 2));
  bench.Run(bench.Instruction(op, from, to, kRows));
  for (size_t i = 0; i < kRows; ++i) {
    EXPECT_EQ(bench.Bits(Workbench::kDst, to, i),
              Workbench::BitsOf(table[i][3], to))
        << "row " << i << ": "
        << static_cast<double>(bench.Value(Workbench::kDst, to, i))
        << " against " << static_cast<double>(table[i][3]);
  }
}

TEST(DocumentedCompound, MultiplyAndAdd) {
  ExpectTable(Op::kFusedMulAdd, kHalf, kHalf, kFusedMulAdd);
  ExpectTable(Op::kFusedMulAddRelu, kHalf, kHalf, kMulAddRelu);
  ExpectTable(Op::kMulAddDst, kHalf, kFloat, kMulAddDst);
}

TEST(DocumentedCompound, MultiplyAndAddOfTheElementaryPage) {
  Workbench bench;
  Numbers rising;
  Numbers odd;
  for (int i = 1; i <= 128; ++i) {
    rising.push_back(i);
    odd.push_back(2 * i + 1);
  }
  bench.Put(Workbench::kSrc0, kHalf, rising);
  bench.Put(Workbench::kSrc1, kHalf, Numbers(128, 1));
  bench.Put(Workbench::kDst, kHalf, Numbers(128, 2));
  bench.Run(bench.Instruction(Op::kFusedMulAdd, kHalf, 128));
  EXPECT_EQ(bench.Values(Workbench::kDst, kHalf, 128), odd);
}

Numbers RunOn(Op op, DType from, DType to, const Numbers& a, const Numbers& b) {
  Workbench bench;
  bench.state.deq_scale = 0.0999755859375f;  // 0.1 as a half
  bench.Put(Workbench::kSrc0, from, a);
  bench.Put(Workbench::kSrc1, from, b);
  bench.Run(bench.Instruction(op, from, to, a.size()));
  return bench.Values(Workbench::kDst, to, a.size());
}

TEST(DocumentedCompound, Conversions) {
  EXPECT_EQ(RunOn(Op::kAddReluCast, kHalf, DType::kInt8, {1, 1, 3, 512},
                  {0, 0.5L, -4, -513}),
            (Numbers{1, 2, 0, 0}));
  EXPECT_EQ(RunOn(Op::kSubReluCast, kHalf, DType::kInt8, {1, 2, 3, 512},
                  {0, 0.5L, 4, 513}),
            (Numbers{1, 2, 0, 0}));
  EXPECT_EQ(
      RunOn(Op::kMulCast, kHalf, DType::kInt8, {1, -2, 3, -6}, {1, 3, -4, 5}),
      (Numbers{1, -6, -12, -30}));
}

TEST(DocumentedCompound, AddDeqRelu) {
  const Numbers printed = {8.9L, 6.9L,  7.7L,  10.4L, 7.0L,
                           5.1L, 12.4L, 17.5L, 19.4L};
  const Numbers actual = RunOn(Op::kAddDeqRelu, DType::kInt32, kHalf,
                               {70, 36, 43, 54, 28, 49, 27, 82, 95},
                               {19, 33, 34, 50, 42, 2, 97, 93, 99});
  for (size_t i = 0; i < printed.size(); ++i) {
    EXPECT_NEAR(static_cast<double>(actual[i]), static_cast<double>(printed[i]),
                0.05);
  }
}

// Two rows of 16 int16 as printed; scale 1, no offset.
constexpr int kDequantised[] = {20, 53, 26, 12, 36, 6,  20, 93, 66, 30, 56, 99,
                                59, 92, 7,  37, 22, 47, 98, 10, 85, 29, 14, 46,
                                17, 34, 45, 17, 25, 45, 82, 17, 66, 94, 68, 23,
                                67, 8,  89, 8,  92, 6,  10, 80, 87, 20, 9,  81};

TEST(DocumentedCompound, CastDequantFillsHalvesOfBlocks) {
  constexpr uint64_t kUnit = 0x3f800000;
  for (const bool second_half : {true, false}) {
    Workbench bench;
    const Numbers source(std::begin(kDequantised), std::end(kDequantised));
    bench.Put(Workbench::kSrc0, DType::kInt16, source);
    // The parameters of each lane, as SetDeqScale leaves them in UB.
    for (int lane = 0; lane < 16; ++lane) {
      bench.Put(Workbench::kSrc2 + lane * 8, DType::kInt64, {kUnit});
    }
    bench.state.dequant = bench.At(Workbench::kSrc2, DType::kInt64).address;
    abi::Instruction cast = bench.Instruction(Op::kCastDequant, DType::kInt16,
                                              DType::kUint8, source.size());
    cast.dst.repeat_stride = 8;
    cast.mode = second_half ? 3 : 2;
    bench.Run(cast);
    for (size_t i = 0; i < source.size(); ++i) {
      const size_t block = i / 16 * 32;
      const size_t used = second_half ? 16 : 0;
      EXPECT_EQ(
          bench.Value(Workbench::kDst, DType::kUint8, block + used + i % 16),
          source[i]);
      EXPECT_EQ(bench.Value(Workbench::kDst, DType::kUint8,
                            block + 16 - used + i % 16),
                0);
    }
  }
}

TEST(DocumentedCompound, DequantisationParameters) {
  // Scale in bits 0 to 31, of whose fraction ten bits count; offset in bits 37
  // to 45, signed; bit 46: signed results.
  const auto run = [](uint64_t word, long double value) {
    Workbench bench;
    bench.Put(Workbench::kSrc0, DType::kInt16, {value});
    bench.state.dequant = word;
    const bool is_signed = (word >> 46 & 1) != 0;
    const DType to = is_signed ? DType::kInt8 : DType::kUint8;
    bench.Run(bench.Instruction(Op::kCastDequant, DType::kInt16, to, 1));
    return bench.Value(Workbench::kDst, to, 0);
  };
  constexpr uint64_t kOne = 0x3f800000;
  constexpr uint64_t kHalfOf = 0x3f000000;
  constexpr uint64_t kSigned = uint64_t{1} << 46;
  const auto offset = [](int value) {
    return (static_cast<uint64_t>(value) & 0x1ff) << 37;
  };
  EXPECT_EQ(run(kOne | kSigned, -5), -5);
  EXPECT_EQ(run(kOne | kSigned | offset(-256), 255), -1);
  EXPECT_EQ(run(kOne | offset(255), -5), 250);
  EXPECT_EQ(run(kOne | kSigned, 1000), 127);
  EXPECT_EQ(run(kOne | kSigned, -1000), -128);
  EXPECT_EQ(run(kOne, -1000), 0);
  EXPECT_EQ(run(kOne, 1000), 255);
  EXPECT_EQ(run(kHalfOf | kSigned, 5), 2);
  EXPECT_EQ(run(kHalfOf | kSigned, 7), 4);
  // 0.5 and one unit of float's last place more: the same.
  EXPECT_EQ(run((kHalfOf | 1) | kSigned, 5), 2);
  EXPECT_EQ(run((kHalfOf | 0x2000) | kSigned, 5), 3);
}

}  // namespace
}  // namespace belay::npu::test_documented_compound
