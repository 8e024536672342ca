// SPDX-License-Identifier: Apache-2.0
// Tests shapes: text both ways, element counts and their limits.

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/shape.h"

namespace belay::test_shape {
namespace {

TEST(Shape, TextBothWays) {
  for (const char* text :
       {"", "0", "8", "8,16", "1,2,3,4,5", "0,7", "9223372036854775807"}) {
    EXPECT_EQ(ToText(ParseShape(text)), text);
  }
  EXPECT_EQ(ParseShape("8,16"), (Shape{8, 16}));
  EXPECT_EQ(ParseShape(""), Shape{});
}

TEST(Shape, RefusesWhatIsNotAShape) {
  for (const char* text : {",", "8,", ",8", "8,,16", "8x16", "-1", "8, 16",
                           "1.5", "9223372036854775808"}) {
    EXPECT_THROW(ParseShape(text), UserError) << text;
  }
  try {
    ParseShape("8,abc,2");
    FAIL();
  } catch (const UserError& error) {
    EXPECT_NE(std::string(error.what()).find("'abc' in '8,abc,2'"),
              std::string::npos)
        << error.what();
  }
}

TEST(Shape, ElementCount) {
  EXPECT_EQ(ElementCount({}), 1);
  EXPECT_EQ(ElementCount({8, 16}), 128);
  EXPECT_EQ(ElementCount({int64_t{1} << 31, int64_t{1} << 31}),
            int64_t{1} << 62);
  EXPECT_EQ(ElementCount({INT64_MAX, 1}), INT64_MAX);
}

TEST(Shape, AnEmptyDimensionEmptiesEvenAHugeShape) {
  EXPECT_EQ(ElementCount({INT64_MAX, INT64_MAX, 0}), 0);
}

TEST(Shape, RefusesCountsBeyondTheRange) {
  EXPECT_THROW(ElementCount({int64_t{1} << 32, int64_t{1} << 31}), UserError);
  EXPECT_THROW(ElementCount({4, -1}), UserError);
  EXPECT_THROW(ElementCount({0, -1}), UserError);
}

}  // namespace
}  // namespace belay::test_shape
