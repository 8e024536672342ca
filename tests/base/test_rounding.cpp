// SPDX-License-Identifier: Apache-2.0
// Tests every conversion under every rounding mode against the naive model,
// and the examples of AscendC's documentation.

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "base/rounding.h"
#include "naive_rounding.h"
#include "sweep.h"

namespace belay::test_rounding {
namespace {

constexpr Round kModes[] = {Round::kNone, Round::kRint,  Round::kFloor,
                            Round::kCeil, Round::kRound, Round::kTrunc,
                            Round::kOdd};

template <typename To, typename From>
To ConvertBy(Round mode, From value, bool saturate) {
  if (mode == Round::kNone) return Convert<To, Round::kNone>(value, saturate);
  return WithRound(mode, [&](auto constant) {
    return Convert<To, constant()>(value, saturate);
  });
}

template <typename Int>
__int128 Wide(Int value) {
  if constexpr (std::is_same_v<Int, Int4>) {
    return value.value;
  } else {
    return value;
  }
}

std::string Describe(Round mode, float value, bool saturate) {
  char text[128];
  std::snprintf(text, sizeof text, "%s of %a (%g), %s",
                std::string(NameOf(mode)).c_str(), value, value,
                saturate ? "saturating" : "not saturating");
  return text;
}

const std::vector<float>& Sweep() {
  static const std::vector<float> values = [] {
    std::vector<float> all = EdgeFloats();
    const std::vector<float> random = RandomFloats(Seed(), 200'000);
    all.insert(all.end(), random.begin(), random.end());
    const std::vector<float> halves = AllHalves();
    all.insert(all.end(), halves.begin(), halves.end());
    return all;
  }();
  return values;
}

template <typename Check>
void ForEachCase(const std::vector<float>& values, Check check) {
  for (const Round mode : kModes) {
    for (const bool saturate : {false, true}) {
      for (const float value : values) {
        check(mode, value, saturate);
        if (::testing::Test::HasFatalFailure()) return;
      }
    }
  }
}

TEST(Convert, FloatToHalf) {
  ForEachCase(Sweep(), [](Round mode, float value, bool saturate) {
    ASSERT_EQ(ConvertBy<Half>(mode, value, saturate).bits,
              naive::HalfFormat().FromFloat(mode, value, saturate))
        << Describe(mode, value, saturate);
  });
}

TEST(Convert, FloatToBfloat16) {
  ForEachCase(Sweep(), [](Round mode, float value, bool saturate) {
    ASSERT_EQ(ConvertBy<Bfloat16>(mode, value, saturate).bits,
              naive::BfloatFormat().FromFloat(mode, value, saturate))
        << Describe(mode, value, saturate);
  });
}

TEST(Convert, FloatToIntegralFloat) {
  ForEachCase(Sweep(), [](Round mode, float value, bool saturate) {
    const auto result = ConvertBy<float>(mode, value, saturate);
    if (std::isnan(value)) {
      ASSERT_EQ(std::bit_cast<uint32_t>(result),
                std::bit_cast<uint32_t>(value));
      return;
    }
    ASSERT_EQ(static_cast<long double>(result), naive::ToIntegral(mode, value))
        << Describe(mode, value, saturate);
    ASSERT_EQ(std::signbit(result), std::signbit(value))
        << Describe(mode, value, saturate);
  });
}

template <typename Int>
class ToInteger : public ::testing::Test {};

using Integers = ::testing::Types<Int4, int8_t, uint8_t, int16_t, uint16_t,
                                  int32_t, uint32_t, int64_t, uint64_t>;
TYPED_TEST_SUITE(ToInteger, Integers);

TYPED_TEST(ToInteger, FromFloat) {
  constexpr bool kIsInt4 = std::is_same_v<TypeParam, Int4>;
  constexpr int kBits = kIsInt4 ? 4 : 8 * sizeof(TypeParam);
  constexpr bool kSigned = kIsInt4 || std::is_signed_v<TypeParam>;
  ForEachCase(Sweep(), [](Round mode, float value, bool saturate) {
    ASSERT_TRUE(Wide(ConvertBy<TypeParam>(mode, value, saturate)) ==
                naive::ToInteger(mode, value, kBits, kSigned, saturate))
        << Describe(mode, value, saturate);
  });
}

TYPED_TEST(ToInteger, From16BitFloats) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    const Half half{static_cast<uint16_t>(bits)};
    const Bfloat16 bfloat{static_cast<uint16_t>(bits)};
    for (const Round mode : kModes) {
      for (const bool saturate : {false, true}) {
        ASSERT_EQ(ConvertBy<TypeParam>(mode, half, saturate),
                  ConvertBy<TypeParam>(mode, ToFloat(half), saturate));
        ASSERT_EQ(ConvertBy<TypeParam>(mode, bfloat, saturate),
                  ConvertBy<TypeParam>(mode, ToFloat(bfloat), saturate));
      }
    }
  }
}

// Edges and a random sweep of every length.
std::vector<int64_t> IntegerSweep() {
  std::vector<int64_t> values = {0, INT64_MIN, INT64_MAX};
  for (int bit = 0; bit < 63; ++bit) {
    for (int64_t delta = -3; delta <= 3; ++delta) {
      values.push_back((int64_t{1} << bit) + delta);
      values.push_back(-(int64_t{1} << bit) + delta);
    }
  }
  for (int64_t i = 65000; i < 66000; ++i) values.push_back(i);
  std::mt19937_64 random(Seed());
  for (int i = 0; i < 200'000; ++i) {
    const auto value = static_cast<int64_t>(random());
    int64_t shifted = value >> random() % 64;
    if (i % 3 == 0 && shifted > 0) {
      // A short one, so that ties come up.
      shifted &=
          ~((int64_t{1} << std::bit_width(static_cast<uint64_t>(shifted)) / 2) -
            1);
    }
    values.push_back(shifted);
  }
  return values;
}

template <typename From>
void ExpectIntegersConvert(Round mode, int64_t wide, bool saturate) {
  const auto value = static_cast<From>(wide);
  if (!std::in_range<int64_t>(value)) return;
  const auto exact = static_cast<int64_t>(value);
  ASSERT_EQ(std::bit_cast<uint32_t>(ConvertBy<float>(mode, value, saturate)),
            std::bit_cast<uint32_t>(naive::FloatFromInteger(mode, exact)))
      << NameOf(mode) << " of " << exact;
  ASSERT_EQ(ConvertBy<Half>(mode, value, saturate).bits,
            naive::HalfFormat().Round16(mode, exact, exact < 0, saturate))
      << NameOf(mode) << " of " << exact;
  ASSERT_EQ(ConvertBy<Bfloat16>(mode, value, saturate).bits,
            naive::BfloatFormat().Round16(mode, exact, exact < 0, saturate))
      << NameOf(mode) << " of " << exact;
}

TEST(Convert, IntegersToFloatingTypes) {
  const std::vector<int64_t> values = IntegerSweep();
  for (const Round mode : kModes) {
    for (const bool saturate : {false, true}) {
      for (const int64_t value : values) {
        ExpectIntegersConvert<int64_t>(mode, value, saturate);
        ExpectIntegersConvert<uint64_t>(mode, value, saturate);
        ExpectIntegersConvert<int32_t>(mode, value, saturate);
        ExpectIntegersConvert<uint32_t>(mode, value, saturate);
        if (HasFatalFailure()) return;
      }
      for (int64_t value = INT16_MIN; value <= UINT16_MAX; ++value) {
        ExpectIntegersConvert<int16_t>(mode, value, saturate);
        ExpectIntegersConvert<uint16_t>(mode, value, saturate);
        ExpectIntegersConvert<int8_t>(mode, value, saturate);
        ExpectIntegersConvert<uint8_t>(mode, value, saturate);
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST(Convert, UnsignedAboveTheSignedRange) {
  constexpr Round kTrunc = Round::kTrunc;
  EXPECT_EQ((Convert<float, kTrunc>(UINT64_MAX, true)), 0x1.fffffep63f);
  EXPECT_EQ((Convert<float, Round::kRint>(UINT64_MAX, true)), 0x1p64f);
  EXPECT_EQ((Convert<Half, kTrunc>(UINT64_MAX, true)).bits, 0x7bff);
  EXPECT_EQ((Convert<Half, kTrunc>(UINT64_MAX, false)).bits, 0x7c00);
}

template <typename To, typename From>
void ExpectNarrows(const std::vector<int64_t>& values) {
  for (const int64_t wide : values) {
    const auto value = static_cast<From>(wide);
    const auto clamped = std::clamp<__int128>(
        value, std::numeric_limits<To>::min(), std::numeric_limits<To>::max());
    ASSERT_TRUE((Convert<To, Round::kNone>(value, true)) == clamped) << wide;
    ASSERT_EQ((Convert<To, Round::kNone>(value, false)),
              static_cast<To>(static_cast<uint64_t>(value)))
        << wide;
  }
}

TEST(Convert, IntegersToIntegers) {
  const std::vector<int64_t> values = IntegerSweep();
  ExpectNarrows<int32_t, int64_t>(values);
  ExpectNarrows<int16_t, int32_t>(values);
  ExpectNarrows<int64_t, int32_t>(values);
  ExpectNarrows<uint8_t, int16_t>(values);
  ExpectNarrows<uint8_t, int32_t>(values);
  ExpectNarrows<int16_t, uint32_t>(values);
  ExpectNarrows<uint32_t, int16_t>(values);
}

TEST(Convert, Int4) {
  constexpr Round kNone = Round::kNone;
  EXPECT_EQ((Convert<Int4, kNone>(int16_t{32767}, true)), Int4{7});
  EXPECT_EQ((Convert<Int4, kNone>(int16_t{-9}, true)), Int4{-8});
  EXPECT_EQ((Convert<Int4, kNone>(int16_t{9}, false)), Int4{-7});
  for (int8_t i = -8; i < 8; ++i) {
    EXPECT_EQ(ToFloat(Convert<Half, kNone>(Int4{i}, true)), i);
    EXPECT_EQ((Convert<int16_t, kNone>(Int4{i}, true)), i);
  }
}

TEST(Convert, Between16BitFloats) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    const Half half{static_cast<uint16_t>(bits)};
    const Bfloat16 bfloat{static_cast<uint16_t>(bits)};
    for (const Round mode : kModes) {
      for (const bool saturate : {false, true}) {
        ASSERT_EQ(
            ConvertBy<Bfloat16>(mode, half, saturate).bits,
            naive::BfloatFormat().FromFloat(mode, ToFloat(half), saturate));
        ASSERT_EQ(
            ConvertBy<Half>(mode, bfloat, saturate).bits,
            naive::HalfFormat().FromFloat(mode, ToFloat(bfloat), saturate));
      }
    }
    ASSERT_EQ(std::bit_cast<uint32_t>(Convert<float, Round::kNone>(half, true)),
              std::bit_cast<uint32_t>(ToFloat(half)));
  }
}

struct Example {
  float value;
  Round mode;
  float wanted;
};

TEST(DocumentedExamples, FloatToHalf) {
  constexpr float kValue = 0.5f + 0x1p-12f;
  for (const Example& e : {Example{kValue, Round::kRint, 0.5f},
                           Example{kValue, Round::kFloor, 0.5f},
                           Example{kValue, Round::kCeil, 0.5f + 0x1p-11f},
                           Example{kValue, Round::kRound, 0.5f + 0x1p-11f},
                           Example{kValue, Round::kTrunc, 0.5f},
                           Example{kValue, Round::kOdd, 0.5f + 0x1p-11f}}) {
    EXPECT_EQ(ToFloat(ConvertBy<Half>(e.mode, e.value, true)), e.wanted)
        << NameOf(e.mode);
  }
}

TEST(DocumentedExamples, FloatToInt32) {
  constexpr float kValue = 0x1p22f + 0.5f;
  for (const Example& e : {Example{kValue, Round::kRint, 0x1p22f},
                           Example{kValue, Round::kFloor, 0x1p22f},
                           Example{kValue, Round::kCeil, 0x1p22f + 1},
                           Example{kValue, Round::kRound, 0x1p22f + 1},
                           Example{kValue, Round::kTrunc, 0x1p22f}}) {
    EXPECT_EQ(ConvertBy<int32_t>(e.mode, e.value, true), e.wanted)
        << NameOf(e.mode);
    EXPECT_EQ(ConvertBy<int64_t>(e.mode, e.value, true), e.wanted);
    EXPECT_EQ(ConvertBy<int16_t>(e.mode, e.value, true), INT16_MAX);
  }
}

TEST(DocumentedExamples, OverflowOfHalf) {
  // 257 to uint8: the limit when saturating, else the low byte.
  const Half value = HalfFromFloat(257.0f);
  EXPECT_EQ((Convert<uint8_t, Round::kRint>(value, true)), 255);
  EXPECT_EQ((Convert<uint8_t, Round::kRint>(value, false)), 1);
  const Half minus_infinity{0xfc00};
  EXPECT_EQ((Convert<uint8_t, Round::kRint>(minus_infinity, true)), 0);
  const Half near_limit = HalfFromFloat(127.5f);
  for (const Round mode : kModes) {
    EXPECT_EQ(ConvertBy<int8_t>(mode, near_limit, true), 127);
  }
}

TEST(RoundNames, ParseBack) {
  for (const Round mode : kModes) {
    EXPECT_EQ(ParseRound(NameOf(mode)), mode);
  }
  EXPECT_EQ(ParseRound("CAST_HYBRID"), std::nullopt);
  EXPECT_EQ(ParseRound("rint"), std::nullopt);
}

}  // namespace
}  // namespace belay::test_rounding
