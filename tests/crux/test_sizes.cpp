// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <random>
#include <string>

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
  EXPECT_EQ(ToText(table_.FloorDiv(n_ + 1, 3)), "(N + 1) // 3");
}

TEST_F(Sizes, QuotientsRoundedUpHaveOneForm) {
  EXPECT_EQ(ToText(table_.FloorDiv(n_ + 1, 2)), "ceil_div(N, 2)");
  EXPECT_TRUE(Equal(table_.FloorDiv(n_ + 7, 8), table_.CeilDiv(n_, 8)));
  EXPECT_TRUE(Equal(table_.FloorDiv(n_ + 23, 8), table_.CeilDiv(n_ + 16, 8)));
  EXPECT_TRUE(Equal(table_.CeilDiv(n_ + 3, 8), table_.FloorDiv(n_ + 10, 8)));
  EXPECT_TRUE(Equal(table_.FloorDiv(n_ - 1, 2) + 1, table_.CeilDiv(n_, 2)));
  EXPECT_FALSE(Equal(table_.FloorDiv(n_ + 6, 8), table_.CeilDiv(n_, 8)));
  // What divides may be negative.
  EXPECT_FALSE(Equal(table_.FloorDiv(n_ + m_ - 1, m_), table_.CeilDiv(n_, m_)));
}

TEST_F(Sizes, NumbersLeftOverByADivisionAreFolded) {
  EXPECT_TRUE(Equal(table_.FloorDiv(n_ * 2 - 1, 2), n_ - 1));
  EXPECT_TRUE(Equal(table_.CeilDiv(n_ * 2 - 1, 2), n_));
  EXPECT_EQ(table_.Mod(n_ * 2 - 1, 2).constant(), 1);
}

int64_t Floor(int64_t a, int64_t b) {
  return static_cast<int64_t>(std::floor(static_cast<double>(a) / b));
}

// The value of a size of the names N and M.
int64_t ValueOf(const Size& size, int64_t n, int64_t m) {
  int64_t sum = 0;
  for (const SizeTerm& term : size.terms()) {
    int64_t product = term.coefficient;
    for (const SizeAtom* atom : term.atoms) {
      const int64_t a = ValueOf(atom->a, n, m);
      const int64_t b = ValueOf(atom->b, n, m);
      switch (atom->kind) {
        case SizeAtomKind::kName:
          product *= atom->text == "N" ? n : m;
          break;
        case SizeAtomKind::kFloorDiv:
          product *= Floor(a, b);
          break;
        case SizeAtomKind::kCeilDiv:
          product *= -Floor(-a, b);
          break;
        default:
          product *= a - Floor(a, b) * b;
          break;
      }
    }
    sum += product;
  }
  return sum;
}

TEST_F(Sizes, DivisionsAreThoseOfNumbers) {
  const char* given = std::getenv("BELAY_SEED");
  const unsigned seed = given ? std::atoi(given) : std::random_device{}();
  SCOPED_TRACE("BELAY_SEED=" + std::to_string(seed));
  std::mt19937 random(seed);
  const auto draw = [&](int low, int high) {
    return std::uniform_int_distribution<int>(low, high)(random);
  };
  for (int i = 0; i < 2000; ++i) {
    const Size a = n_ * draw(-6, 6) + m_ * draw(-6, 6) +
                   n_ * m_ * draw(-2, 2) + draw(-9, 9);
    const Size b = draw(0, 3) == 0 ? n_ * draw(1, 3) : Size(draw(1, 4));
    const int64_t n = draw(1, 20);
    const int64_t m = draw(1, 20);
    const int64_t x = ValueOf(a, n, m);
    const int64_t y = ValueOf(b, n, m);
    const std::string what = "(" + ToText(a) + ") by (" + ToText(b) + ")";
    EXPECT_EQ(ValueOf(table_.FloorDiv(a, b), n, m), Floor(x, y)) << what;
    EXPECT_EQ(ValueOf(table_.CeilDiv(a, b), n, m), -Floor(-x, y)) << what;
    EXPECT_EQ(ValueOf(table_.Mod(a, b), n, m), x - Floor(x, y) * y) << what;
  }
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
