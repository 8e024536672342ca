// SPDX-License-Identifier: Apache-2.0
// Tests half and bfloat16: every bit pattern, and rounding to nearest even
// against the naive model.

#include <gtest/gtest.h>

#include <cmath>

#include "base/float16.h"
#include "naive_rounding.h"
#include "sweep.h"

namespace belay::test_float16 {
namespace {

TEST(Half, EveryPatternHasItsValueAndComesBack) {
  const auto& values = naive::HalfFormat().values;
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    const Half half{static_cast<uint16_t>(bits)};
    const float value = ToFloat(half);
    const uint32_t magnitude = bits & 0x7fff;
    ASSERT_EQ(std::signbit(value), bits >= 0x8000) << bits;
    if (magnitude < 0x7c00) {
      ASSERT_EQ(std::fabs(value), values[magnitude]) << bits;
    } else if (magnitude == 0x7c00) {
      ASSERT_TRUE(std::isinf(value)) << bits;
    } else {
      ASSERT_TRUE(std::isnan(value)) << bits;
      ASSERT_EQ(HalfFromFloat(value).bits, bits | 0x0200) << bits;
      continue;
    }
    ASSERT_EQ(HalfFromFloat(value).bits, bits);
  }
}

TEST(Bfloat16, EveryPatternHasItsValueAndComesBack) {
  const auto& values = naive::BfloatFormat().values;
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    const float value = ToFloat(Bfloat16{static_cast<uint16_t>(bits)});
    const uint32_t magnitude = bits & 0x7fff;
    ASSERT_EQ(std::signbit(value), bits >= 0x8000) << bits;
    if (magnitude < 0x7f80) {
      ASSERT_EQ(std::fabs(value), values[magnitude]) << bits;
    } else if (magnitude == 0x7f80) {
      ASSERT_TRUE(std::isinf(value)) << bits;
    } else {
      ASSERT_TRUE(std::isnan(value)) << bits;
      ASSERT_EQ(BfloatFromFloat(value).bits, bits | 0x0040) << bits;
      continue;
    }
    ASSERT_EQ(BfloatFromFloat(value).bits, bits);
  }
}

void ExpectNearestEven(const std::vector<float>& values) {
  for (const float value : values) {
    ASSERT_EQ(HalfFromFloat(value).bits,
              naive::HalfFormat().FromFloat(Round::kRint, value, false))
        << std::hexfloat << value;
    ASSERT_EQ(BfloatFromFloat(value).bits,
              naive::BfloatFormat().FromFloat(Round::kRint, value, false))
        << std::hexfloat << value;
  }
}

TEST(Float16, NearestEvenOnEdges) { ExpectNearestEven(EdgeFloats()); }

TEST(Float16, NearestEvenOnMidpointsOfHalves) {
  std::vector<float> midpoints;
  const auto& values = naive::HalfFormat().values;
  for (size_t i = 0; i + 1 < values.size(); ++i) {
    const auto midpoint = static_cast<float>((values[i] + values[i + 1]) / 2);
    midpoints.push_back(midpoint);
    midpoints.push_back(-midpoint);
  }
  ExpectNearestEven(WithNeighbours(midpoints));
}

TEST(Float16, NearestEvenOnRandomFloats) {
  ExpectNearestEven(RandomFloats(Seed(), 2'000'000));
}

}  // namespace
}  // namespace belay::test_float16
