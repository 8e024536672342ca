// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <limits>

#include "crux/size.h"

namespace belay::crux::test_sizes {
namespace {

class Sizes : public ::testing::Test {
 protected:
  Size Name(const char* name) {
    return table_.Atom(SizeAtomKind::kName, name, name);
  }

  SizeTable table_;
  Size n_ = Name("N");
  Size m_ = Name("M");
};

TEST_F(Sizes, PolynomialsHaveOneForm) {
  EXPECT_TRUE(Equal((n_ + 1) * (n_ - 1), n_ * n_ - 1));
  EXPECT_TRUE(Equal(n_ * m_, m_ * n_));
  EXPECT_TRUE(Equal(n_ - n_, Size(0)));
  EXPECT_FALSE(Equal(n_, m_));
  EXPECT_EQ(ToText((n_ + m_) * 2 - 3), "2 * N + 2 * M - 3");
  EXPECT_EQ(ToText(Size(0) - n_), "-N");
  EXPECT_EQ((n_ - n_ + 7).constant(), 7);
}

TEST_F(Sizes, DivisionIsExactWhereItCanBe) {
  EXPECT_TRUE(Equal(table_.FloorDiv(n_ * m_, n_), m_));
  EXPECT_TRUE(
      Equal(table_.FloorDiv(n_ * 6 + m_, 3), n_ * 2 + table_.FloorDiv(m_, 3)));
  EXPECT_TRUE(Equal(table_.CeilDiv(n_ * 4, 2), n_ * 2));
  EXPECT_TRUE(Equal(table_.Mod(n_ * 4 + m_, 4), table_.Mod(m_, 4)));
  EXPECT_TRUE(Equal(table_.Mod(n_ * m_, m_), Size(0)));
  EXPECT_FALSE(Equal(table_.FloorDiv(n_, 2), table_.CeilDiv(n_, 2)));
  EXPECT_TRUE(Equal(table_.FloorDiv(n_ * m_, m_ * 2), table_.FloorDiv(n_, 2)));
  EXPECT_EQ(table_.FloorDiv(-7, 2).constant(), -4);
  EXPECT_EQ(table_.CeilDiv(-7, 2).constant(), -3);
  EXPECT_EQ(table_.Mod(-7, 2).constant(), 1);
  EXPECT_EQ(ToText(table_.FloorDiv(n_ + 1, 2)), "(N + 1) // 2");
}

TEST_F(Sizes, DefinedNamesCountAsWhatTheyStandFor) {
  const Size half = table_.Defined("H", table_.FloorDiv(n_, 2));
  EXPECT_EQ(ToText(half), "H");
  EXPECT_TRUE(Equal(half, table_.FloorDiv(n_, 2)));
  EXPECT_TRUE(Equal(half * 2 + 1, table_.FloorDiv(n_, 2) * 2 + 1));
  EXPECT_TRUE(Equal(table_.FloorDiv(half, 3),
                    table_.FloorDiv(table_.FloorDiv(n_, 2), 3)));
  const Size again = table_.Defined("H2", half);
  EXPECT_TRUE(Equal(again, half));
}

TEST_F(Sizes, OverflowAndDivisionByZeroAreUnknown) {
  const Size huge = std::numeric_limits<int64_t>::max();
  EXPECT_FALSE((huge + 1).known());
  EXPECT_FALSE((huge * n_ * 2).known());
  EXPECT_FALSE(table_.FloorDiv(n_, 0).known());
  EXPECT_FALSE(Equal(Size::Unknown(), Size::Unknown()));
  const Size lowest = std::numeric_limits<int64_t>::min();
  EXPECT_FALSE(table_.FloorDiv(lowest, -1).constant().has_value());
}

TEST_F(Sizes, PartsOfAShapeAreEqualForEqualShapes) {
  const Size dim = Name("dim");
  EXPECT_TRUE(Equal(table_.Part(SizeAtomKind::kBefore, "[S]", dim),
                    table_.Part(SizeAtomKind::kBefore, "[S]", dim)));
  EXPECT_FALSE(Equal(table_.Part(SizeAtomKind::kBefore, "[S]", dim),
                     table_.Part(SizeAtomKind::kAfter, "[S]", dim)));
  EXPECT_FALSE(Equal(table_.Part(SizeAtomKind::kBefore, "[S]", dim),
                     table_.Part(SizeAtomKind::kBefore, "[S]", dim + 1)));
}

}  // namespace
}  // namespace belay::crux::test_sizes
