// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "guest/operator_compare.h"

namespace belay::guest {
namespace {

template <typename T>
Array Make(DType dtype, const Shape& shape, const std::vector<T>& values) {
  Array array;
  array.dtype = dtype;
  array.shape = shape;
  const auto* bytes = reinterpret_cast<const std::byte*>(values.data());
  array.data.assign(bytes, bytes + values.size() * sizeof(T));
  return array;
}

Array Floats(const std::vector<float>& values) {
  return Make(DType::kFloat, {static_cast<int64_t>(values.size())}, values);
}

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();

TEST(Compare, CountsWhatIsBeyondBothTolerances) {
  const Comparison result =
      Compare(Floats({1.0f, 2.1f, 0.05f, 4.0f}),
              Floats({1.0f, 2.0f, 0.0f, 5.0f}), {0.04, 0.06});
  EXPECT_EQ(result.elements, 4u);
  EXPECT_EQ(result.differing, 1u);
  EXPECT_EQ(result.worst, Shape({3}));
  EXPECT_EQ(result.got, 4);
  EXPECT_EQ(result.expected, 5);
  EXPECT_DOUBLE_EQ(result.largest_absolute, 1);
  EXPECT_FALSE(result.equal());
}

TEST(Compare, NanEqualsNanOnly) {
  EXPECT_TRUE(Compare(Floats({kNan}), Floats({kNan}), {0, 0}).equal());
  for (const float other : {0.0f, 1.0f, kInf}) {
    const Comparison one = Compare(Floats({kNan}), Floats({other}), {1, 1e30});
    EXPECT_EQ(one.differing, 1u) << other;
    EXPECT_EQ(one.nan_differing, 1u) << other;
    EXPECT_EQ(Compare(Floats({other}), Floats({kNan}), {1, 1e30}).differing, 1u)
        << other;
  }
}

TEST(Compare, AnInfinityEqualsItselfOnly) {
  EXPECT_TRUE(
      Compare(Floats({kInf, -kInf}), Floats({kInf, -kInf}), {0, 0}).equal());
  EXPECT_EQ(Compare(Floats({kInf}), Floats({-kInf}), {1, 1e30}).differing, 1u);
  EXPECT_EQ(Compare(Floats({3e38f}), Floats({kInf}), {1, 1e30}).differing, 1u);
  EXPECT_EQ(Compare(Floats({kInf}), Floats({3e38f}), {1, 1e30}).differing, 1u);
}

TEST(Compare, LargeIntegersAreExact) {
  const int64_t big = (int64_t{1} << 62) + 1;
  const auto make = [](int64_t value) {
    return Make<int64_t>(DType::kInt64, {1}, {value});
  };
  EXPECT_TRUE(Compare(make(big), make(big), {0, 0}).equal());
  EXPECT_FALSE(Compare(make(big), make(big - 1), {0, 0}).equal());
}

TEST(Compare, TypesMayDifferButShapesMayNot) {
  const Array half = Make<uint16_t>(DType::kHalf, {2}, {0x3C00, 0x4000});
  EXPECT_TRUE(Compare(half, Floats({1, 2}), {0, 0}).equal());
  const Comparison shape = Compare(half, Floats({1, 2, 3}), {0, 0});
  EXPECT_NE(shape.problem.find("(2)"), std::string::npos) << shape.problem;
  EXPECT_NE(shape.problem.find("(3)"), std::string::npos) << shape.problem;
  const Array complex = Make<float>(DType::kComplex64, {1}, {1, 2});
  EXPECT_FALSE(Compare(complex, Floats({1}), {9, 9}).problem.empty());
}

TEST(Compare, Uint16ExpectedOfBfloat16IsBfloat16) {
  const Array got = Make<uint16_t>(DType::kBfloat16, {1}, {0x3F80});
  const Array bits = Make<uint16_t>(DType::kUint16, {1}, {0x3F80});
  EXPECT_TRUE(Compare(got, bits, {0, 0}).equal());
  EXPECT_TRUE(Compare(got, Floats({1}), {0, 0}).equal());
}

TEST(Compare, IndicesFollowTheShape) {
  std::vector<float> values(24, 0);
  const Array zeros = Make(DType::kFloat, {2, 3, 4}, values);
  values[12 + 4 + 2] = 1;
  const Comparison result =
      Compare(Make(DType::kFloat, {2, 3, 4}, values), zeros, {0, 0});
  EXPECT_EQ(result.worst, Shape({1, 1, 2}));
  EXPECT_NE(ToText(result, {0, 0}).find("[1,1,2]: got 1, expected 0"),
            std::string::npos)
      << ToText(result, {0, 0});
}

TEST(Compare, NothingEqualsNothing) {
  const Array empty = Make<float>(DType::kFloat, {0, 3}, {});
  const Comparison result = Compare(empty, empty, {0, 0});
  EXPECT_TRUE(result.equal());
  EXPECT_EQ(result.elements, 0u);
}

TEST(Compare, IntegersMustBeEqualByDefault) {
  for (const DType dtype : {DType::kBool, DType::kInt8, DType::kInt64}) {
    EXPECT_EQ(DefaultTolerance(dtype).rtol, 0) << NameOf(dtype);
    EXPECT_EQ(DefaultTolerance(dtype).atol, 0) << NameOf(dtype);
  }
  EXPECT_GT(DefaultTolerance(DType::kBfloat16).rtol,
            DefaultTolerance(DType::kHalf).rtol);
  EXPECT_GT(DefaultTolerance(DType::kHalf).rtol,
            DefaultTolerance(DType::kFloat).rtol);
}

}  // namespace
}  // namespace belay::guest
