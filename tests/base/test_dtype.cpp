// SPDX-License-Identifier: Apache-2.0
// Tests the table of element types.

#include <gtest/gtest.h>

#include "base/dtype.h"
#include "base/error.h"

namespace belay::test_dtype {
namespace {

constexpr int kDTypes = static_cast<int>(DType::kComplex64) + 1;

TEST(DType, EveryNameParsesBackToItsType) {
  for (int i = 1; i < kDTypes; ++i) {
    const auto dtype = static_cast<DType>(i);
    EXPECT_EQ(ParseDType(NameOf(dtype)), dtype) << NameOf(dtype);
    EXPECT_EQ(ParseDType(AscendNameOf(dtype)), dtype) << AscendNameOf(dtype);
  }
}

TEST(DType, AcceptsNumpyNames) {
  EXPECT_EQ(ParseDType("float16"), DType::kHalf);
  EXPECT_EQ(ParseDType("bfloat16"), DType::kBfloat16);
  EXPECT_EQ(ParseDType("float32"), DType::kFloat);
  EXPECT_EQ(ParseDType("uint8"), DType::kUint8);
  EXPECT_EQ(ParseDType("complex64"), DType::kComplex64);
}

TEST(DType, RefusesUnknownNames) {
  EXPECT_EQ(ParseDType(""), std::nullopt);
  EXPECT_EQ(ParseDType("none"), std::nullopt);
  EXPECT_EQ(ParseDType("float8"), std::nullopt);
  EXPECT_EQ(ParseDType("F32"), std::nullopt);
}

TEST(DType, Sizes) {
  EXPECT_EQ(BitsOf(DType::kInt4), 4);
  EXPECT_EQ(BytesOf(DType::kInt4, 64), 32u);
  EXPECT_EQ(BytesOf(DType::kBool), 1u);
  EXPECT_EQ(BytesOf(DType::kHalf, 128), 256u);
  EXPECT_EQ(BytesOf(DType::kFloat, 0), 0u);
  EXPECT_EQ(BytesOf(DType::kComplex64), 8u);
}

TEST(DType, OddCountsOfInt4AreABug) {
  EXPECT_THROW(BytesOf(DType::kInt4, 3), InternalError);
  EXPECT_THROW(BitsOf(static_cast<DType>(kDTypes)), InternalError);
}

TEST(DType, Kinds) {
  EXPECT_TRUE(IsFloating(DType::kBfloat16));
  EXPECT_FALSE(IsFloating(DType::kInt32));
  EXPECT_FALSE(IsFloating(DType::kComplex64));
  EXPECT_TRUE(IsSigned(DType::kInt4));
  EXPECT_TRUE(IsSigned(DType::kHalf));
  EXPECT_FALSE(IsSigned(DType::kUint64));
  EXPECT_FALSE(IsSigned(DType::kBool));
}

}  // namespace
}  // namespace belay::test_dtype
