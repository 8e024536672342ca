// SPDX-License-Identifier: Apache-2.0
// Rounding and wrapping of single numbers against base/rounding.h.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/rounding.h"
#include "crux/interpret/numbers.h"
#include "tiles.h"

namespace belay::crux::interpret::test_interpret_numbers {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::vector<float> Samples() {
  std::mt19937_64 random(TestSeed());
  std::vector<float> samples = {0.0f,       -0.0f,    1.0f,     65504.0f,
                                65519.9f,   65520.0f, 0x1p-24f, 0x1p-25f,
                                0x1.8p-25f, 1e-45f,   3.4e38f,  0x1p-133f};
  for (int i = 0; i < 20000; ++i) {
    const auto bits = static_cast<uint32_t>(random());
    const float value = std::bit_cast<float>(bits);
    if (std::isfinite(value)) samples.push_back(value);
  }
  for (int i = 0; i < 20000; ++i) {
    samples.push_back(static_cast<float>(
        std::ldexp(static_cast<double>(random() % 4096) - 2048,
                   static_cast<int>(random() % 40) - 30)));
  }
  return samples;
}

template <typename T>
void CompareAllModes(DType dtype) {
  for (const float sample : Samples()) {
    for (const Round mode : {Round::kRint, Round::kFloor, Round::kCeil,
                             Round::kRound, Round::kTrunc, Round::kOdd}) {
      const T expected = WithRound(mode, [&](auto constant) {
        return belay::Convert<T, decltype(constant)::value>(sample, false);
      });
      const double got = RoundTo(dtype, sample, mode);
      EXPECT_EQ(got, static_cast<double>(ToFloat(expected)))
          << sample << " by mode " << static_cast<int>(mode);
      EXPECT_EQ(std::signbit(got), std::signbit(ToFloat(expected))) << sample;
    }
  }
}

TEST(InterpretNumbers, RoundsToHalfAsBaseDoes) {
  CompareAllModes<Half>(DType::kHalf);
}

TEST(InterpretNumbers, RoundsToBfloat16AsBaseDoes) {
  CompareAllModes<Bfloat16>(DType::kBfloat16);
}

TEST(InterpretNumbers, RoundsOnceFromDouble) {
  // Halfway between two halves as a float, a little above as a double.
  const double value = 1 + 0x1p-11 + 0x1p-40;
  EXPECT_EQ(RoundTo(DType::kHalf, value), 1 + 0x1p-10);
  EXPECT_EQ(RoundTo(DType::kHalf, 1 + 0x1p-11), 1);
  EXPECT_EQ(RoundTo(DType::kFloat, 0.1), static_cast<double>(0.1f));
  EXPECT_EQ(RoundTo(DType::kFloat, 1e39), kInfinity);
  EXPECT_EQ(RoundTo(DType::kHalf, -65520), -kInfinity);
  EXPECT_EQ(RoundTo(DType::kHalf, -65519), -65504);
  EXPECT_TRUE(std::isnan(RoundTo(DType::kHalf, std::nan(""))));
}

TEST(InterpretNumbers, AUnitIsTheDistanceOfNeighbours) {
  EXPECT_EQ(UnitOf(DType::kFloat, 1), 0x1p-23);
  EXPECT_EQ(UnitOf(DType::kFloat, 0), 0x1p-149);
  EXPECT_EQ(UnitOf(DType::kHalf, -3), 0x1p-9);
  EXPECT_EQ(UnitOf(DType::kHalf, 0x1p-20), 0x1p-24);
  EXPECT_EQ(UnitOf(DType::kBfloat16, 1), 0x1p-7);
  EXPECT_EQ(UnitOf(DType::kFloat, kInfinity), kInfinity);
  for (const float sample : Samples()) {
    const double rounded = RoundTo(DType::kBfloat16, sample);
    if (std::isinf(rounded)) continue;
    EXPECT_LE(std::fabs(rounded - sample),
              UnitOf(DType::kBfloat16, sample) / 2);
  }
}

TEST(InterpretNumbers, IntegersWrapInTwosComplement) {
  EXPECT_EQ(WrapTo(DType::kInt8, 200), -56);
  EXPECT_EQ(WrapTo(DType::kUint8, 300), 44);
  EXPECT_EQ(WrapTo(DType::kInt16, 0x18000), -32768);
  EXPECT_EQ(WrapTo(DType::kInt32, 1ull << 31), -(1ll << 31));
  EXPECT_EQ(WrapTo(DType::kBool, 2), 1);
  EXPECT_EQ(SmallestWhole(DType::kInt8), -128);
  EXPECT_EQ(LargestWhole(DType::kUint32), 0xffffffffll);
  EXPECT_EQ(FromWhole(DType::kUint64, -1), 0x1p64);
}

TEST(InterpretNumbers, RealNumbersBecomeIntegersWithinLimits) {
  EXPECT_EQ(ToWhole(DType::kInt8, 1000, Round::kTrunc), 127);
  EXPECT_EQ(ToWhole(DType::kInt8, -kInfinity, Round::kTrunc), -128);
  EXPECT_EQ(ToWhole(DType::kInt32, std::nan(""), Round::kTrunc), 0);
  EXPECT_EQ(ToWhole(DType::kInt32, -1.9, Round::kTrunc), -1);
  EXPECT_EQ(ToWhole(DType::kInt32, -1.1, Round::kFloor), -2);
  EXPECT_EQ(ToWhole(DType::kInt32, 2.5, Round::kRint), 2);
  EXPECT_EQ(ToWhole(DType::kInt32, 2.5, Round::kRound), 3);
  EXPECT_EQ(ToWhole(DType::kUint8, -3, Round::kTrunc), 0);
  EXPECT_EQ(ToWhole(DType::kInt64, 1e30, Round::kTrunc),
            std::numeric_limits<int64_t>::max());
  EXPECT_EQ(ToWhole(DType::kUint64, 0x1p63, Round::kTrunc),
            std::numeric_limits<int64_t>::min());
  EXPECT_EQ(ToWhole(DType::kBool, std::nan(""), Round::kTrunc), 1);
}

}  // namespace
}  // namespace belay::crux::interpret::test_interpret_numbers
