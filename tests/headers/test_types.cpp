// SPDX-License-Identifier: Apache-2.0
// half, bfloat16_t, scalar conversions, and parameters that remember what was
// assigned to them.

#include <cmath>
#include <cstring>
#include <limits>

#include "expect_operand.h"

namespace belay::header_test {
namespace {

using namespace AscendC;

template <typename To, typename From>
To Bits(From value) {
  static_assert(sizeof(To) == sizeof(From));
  To bits;
  std::memcpy(static_cast<void*>(&bits), &value, sizeof(bits));
  return bits;
}

half HalfOf(uint16_t bits) { return Bits<half>(bits); }

TEST(Half, EveryValueSurvivesFloat) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    const half value = HalfOf(static_cast<uint16_t>(bits));
    const float wide = static_cast<float>(value);
    if (std::isnan(wide)) {
      EXPECT_EQ(bits & 0x7c00, 0x7c00u);
      continue;
    }
    EXPECT_EQ(Bits<uint16_t>(static_cast<half>(wide)), bits);
  }
}

// Between two neighbours, the nearer one wins; in the middle, the even one.
TEST(Half, RoundsToNearestEven) {
  for (uint32_t bits = 0; bits < 0x7bff; ++bits) {
    const double low = static_cast<float>(HalfOf(static_cast<uint16_t>(bits)));
    const double high =
        static_cast<float>(HalfOf(static_cast<uint16_t>(bits + 1)));
    const double middle = (low + high) / 2;
    const float below = std::nextafter(static_cast<float>(middle), 0.0f);
    const float above = std::nextafter(static_cast<float>(middle), 1e9f);
    const uint32_t even = (bits & 1) == 0 ? bits : bits + 1;
    ASSERT_EQ(Bits<uint16_t>(static_cast<half>(static_cast<float>(middle))),
              even);
    ASSERT_EQ(Bits<uint16_t>(static_cast<half>(below)), bits);
    ASSERT_EQ(Bits<uint16_t>(static_cast<half>(above)), bits + 1);
  }
}

TEST(Half, Extremes) {
  EXPECT_EQ(Bits<uint16_t>(static_cast<half>(65519.0f)), 0x7bff);
  EXPECT_EQ(Bits<uint16_t>(static_cast<half>(65520.0f)), 0x7c00);
  EXPECT_EQ(Bits<uint16_t>(static_cast<half>(-1e30f)), 0xfc00);
  EXPECT_EQ(Bits<uint16_t>(static_cast<half>(-0.0f)), 0x8000);
  EXPECT_EQ(Bits<uint16_t>(static_cast<half>(1e-10f)), 0);
  EXPECT_TRUE(std::isnan(static_cast<float>(
      static_cast<half>(std::numeric_limits<float>::quiet_NaN()))));
}

TEST(Half, RoundsAfterEveryOperation) {
  half sum = 2048;
  sum = sum + half(1);  // 2049 is not a half
  EXPECT_EQ(static_cast<float>(sum), 2048.0f);
  EXPECT_EQ(static_cast<float>(half(3) * half(0.5f)), 1.5f);
  EXPECT_EQ(static_cast<float>(half(1) / half(3)), 0.333251953125f);
  EXPECT_EQ(static_cast<float>(-half(2) - half(1)), -3.0f);
  static_assert(std::is_same_v<decltype(half(1) + 1), half>);
  static_assert(std::is_same_v<decltype(half(1) + 1.0f), float>);
  static_assert(std::is_same_v<decltype(1.0 * half(1)), double>);
  EXPECT_TRUE(half(1) < half(2));
  EXPECT_TRUE(half(2) >= 2);
  EXPECT_FALSE(half(1) == half(2));
  EXPECT_EQ(static_cast<int>(half(-3.75f)), -3);
  half x = 1.0;
  x += half(2);
  x *= 2;
  EXPECT_EQ(static_cast<float>(x), 6.0f);
}

TEST(Bfloat16, Converts) {
  EXPECT_EQ(Bits<uint16_t>(ToBfloat16(1.0f)), 0x3f80);
  // Ties to even.
  EXPECT_EQ(Bits<uint16_t>(ToBfloat16(Bits<float>(0x3f808000u))), 0x3f80);
  EXPECT_EQ(Bits<uint16_t>(ToBfloat16(Bits<float>(0x3f818000u))), 0x3f82);
  EXPECT_EQ(Bits<uint16_t>(ToBfloat16(Bits<float>(0x3f808001u))), 0x3f81);
  EXPECT_EQ(Bits<uint16_t>(ToBfloat16(Bits<float>(0x7f7fffffu))), 0x7f80);
  EXPECT_TRUE(std::isnan(ToFloat(ToBfloat16(Bits<float>(0x7f800001u)))));
  EXPECT_EQ(ToFloat(static_cast<bfloat16_t>(-3)), -3.0f);
  EXPECT_EQ(static_cast<int>(static_cast<bfloat16_t>(5.0f)), 5);
  EXPECT_EQ(static_cast<float>(static_cast<half>(ToBfloat16(1.5f))), 1.5f);
  static_assert(!std::is_convertible_v<float, bfloat16_t>);
  static_assert(!std::is_convertible_v<int, bfloat16_t>);
  static_assert(!std::is_convertible_v<bfloat16_t, float>);
}

TEST(ScalarCasts, RoundAsTheyAreTold) {
  const struct {
    float value;
    int32_t rint, floor, ceil, round;
  } cases[] = {
      {1.5f, 2, 1, 2, 2},
      {2.5f, 2, 2, 3, 3},
      {-1.5f, -2, -2, -1, -2},
      {-2.5f, -2, -3, -2, -3},
      {0.4f, 0, 0, 1, 0},
      {-0.4f, 0, -1, 0, 0},
      {7.0f, 7, 7, 7, 7},
      {8388609.0f, 8388609, 8388609, 8388609, 8388609},
      {3e9f, INT32_MAX, INT32_MAX, INT32_MAX, INT32_MAX},
      {-3e9f, INT32_MIN, INT32_MIN, INT32_MIN, INT32_MIN},
  };
  for (const auto& [value, rint, floor, ceil, round] : cases) {
    EXPECT_EQ((ScalarCast<float, int32_t, RoundMode::CAST_RINT>(value)), rint);
    EXPECT_EQ((ScalarCast<float, int32_t, RoundMode::CAST_FLOOR>(value)),
              floor);
    EXPECT_EQ((ScalarCast<float, int32_t, RoundMode::CAST_CEIL>(value)), ceil);
    EXPECT_EQ((Cast<float, int32_t, RoundMode::CAST_ROUND>(value)), round);
  }
}

TEST(ScalarCasts, ToHalfByOddFraction) {
  const auto odd = [](float value) {
    return static_cast<float>(
        ScalarCast<float, half, RoundMode::CAST_ODD>(value));
  };
  EXPECT_EQ(odd(3.14159f), 3.142578125f);
  EXPECT_EQ(odd(-3.14159f), -3.142578125f);
  EXPECT_EQ(odd(1.5f), 1.5f);
  EXPECT_EQ(odd(1.0001f), 1.0009765625f);
  EXPECT_EQ(odd(70000.0f), 65504.0f);
}

TEST(ScalarBits, Counts) {
  EXPECT_EQ(GetBitCount<1>(0xf0), 4);
  EXPECT_EQ(ScalarGetCountOfValue<0>(0xf0), 60);
  EXPECT_EQ(CountLeadingZero(0x0100000000000020), 7);
  EXPECT_EQ(ScalarCountLeadingZero(0), 64);
  EXPECT_EQ(CountBitsCntSameAsSignBit(0x0100000000000020), 6);
  EXPECT_EQ(CountBitsCntSameAsSignBit(0), -1);
  EXPECT_EQ(CountBitsCntSameAsSignBit(-1), -1);
  EXPECT_EQ(CountBitsCntSameAsSignBit(INT64_MIN), 0);
  EXPECT_EQ(CountBitsCntSameAsSignBit(1), 62);
  EXPECT_EQ(GetSFFValue<1>(0xff00), 8);
  EXPECT_EQ(ScalarGetSFFValue<0>(0x00ff), 8);
  EXPECT_EQ(GetSFFValue<1>(0), -1);
  EXPECT_EQ(CeilDivision(7, 4), 2);
  EXPECT_EQ(CeilDivision(7, 0), 0);
  EXPECT_EQ(DivCeil(8, 4), 2u);
  EXPECT_EQ(AlignUp(33, 32), 64u);
}

TEST(Parameters, RememberWhatWasAssigned) {
  BinaryRepeatParams params;
  params.src1RepStride = 300;
  EXPECT_EQ(params.src1RepStride.Assigned(), 300);
  // Reading gives what the card would compute with.
  EXPECT_EQ(params.src1RepStride, 44);
  params.src1RepStride += 1;
  EXPECT_EQ(params.src1RepStride.Assigned(), 301);
  // Members of one struct initialise another without narrowing.
  const UnaryRepeatParams other{params.dstBlkStride, params.src0BlkStride,
                                params.dstRepStride, params.src0RepStride};
  EXPECT_EQ(other.srcRepStride, 8);
  EXPECT_EQ(true ? params.dstRepStride : 4, 8);
  params.dstBlkStride = -1;
  EXPECT_EQ(params.dstBlkStride.Saturated(), UINT32_MAX);
}

TEST(Parameters, Defaults) {
  const UnaryRepeatParams unary;
  EXPECT_EQ(unary.dstBlkStride, 1);
  EXPECT_EQ(unary.srcRepStride, 8);
  const DataCopyParams copy;
  EXPECT_EQ(copy.blockCount, 1);
  EXPECT_EQ(copy.blockLen, 0);
  EXPECT_EQ(copy.srcGap, 0);
  const DataCopyPadExtParams<float> pad;
  EXPECT_FALSE(pad.isPad);
  EXPECT_EQ(pad.paddingValue, 0.0f);
}

}  // namespace
}  // namespace belay::header_test
