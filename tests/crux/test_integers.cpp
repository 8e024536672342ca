// SPDX-License-Identifier: Apache-2.0
// Integers of compiled kernels, and sets of their names.

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "crux/ir/integer.h"
#include "crux/ir/name_set.h"

namespace belay::crux::test_integers {
namespace {

using ir::Int;
using ir::IntKind;
using ir::NameSet;

TEST(Integers, SameOnesHaveOneHash) {
  const Int a = Int::Name("a");
  const Int b = Int::Name("b");
  EXPECT_TRUE(Same(a * 3 + b, b + a * 3));
  EXPECT_EQ((a * 3 + b).hash(), (b + a * 3).hash());
  EXPECT_FALSE(Same(a - b, b - a));
  EXPECT_FALSE(Same(a * 3 + b, a * 3 + a));
  EXPECT_FALSE(Same(Int(0), Int::Name("0")));
  EXPECT_TRUE(Same(Int(2) + Int(3), Int(5)));
}

TEST(Integers, KnowTheirNamesAndKinds) {
  const Int a = Int::Name("a");
  const Int size = AlignUp(a * Int::Element("list", Int::Name("i")), 8);
  for (const char* name : {"a", "list", "i"}) {
    EXPECT_TRUE(Mentions(size, name)) << name;
    EXPECT_NE(size.name_bits() & Int::BitOf(name), 0u) << name;
  }
  EXPECT_FALSE(Mentions(size, "b"));
  EXPECT_TRUE(size.Has(IntKind::kAlignUp));
  EXPECT_TRUE(size.Has(IntKind::kElement));
  EXPECT_TRUE(size.Has(IntKind::kConstant));
  EXPECT_FALSE(size.Has(IntKind::kMin));
  EXPECT_FALSE(a.Has(IntKind::kConstant));
}

TEST(Integers, AreTheSameObjectWhereNothingIsSubstituted) {
  const Int sum = Int::Name("a") + Int::Name("b") * 2;
  const auto only = [](const std::string& from) {
    return [from](const std::string& name) {
      return name == from ? std::optional(Int(4)) : std::nullopt;
    };
  };
  EXPECT_TRUE(Substitute(sum, only("c")).IsIdentical(sum));
  EXPECT_TRUE(Same(Substitute(sum, only("b")), Int::Name("a") + 8));
}

TEST(NameSets, HoldNamesOnceAndVisitThemInOrder) {
  NameSet names;
  std::set<std::string> wanted;
  for (int i = 0; i < 500; ++i) {
    const std::string name = "name" + std::to_string(i * 37 % 211);
    EXPECT_EQ(names.contains(name), wanted.contains(name));
    names.insert(name);
    wanted.insert(name);
    // Visits between additions keep what is there.
    if (i % 50 == 0) {
      EXPECT_EQ(*names.begin(), *wanted.begin());
    }
  }
  EXPECT_EQ(names.size(), wanted.size());
  EXPECT_EQ(std::set<std::string>(names), wanted);
  EXPECT_TRUE(std::equal(names.begin(), names.end(), wanted.begin()));
  EXPECT_FALSE(names.contains("name211"));
  EXPECT_FALSE(NameSet().contains("name0"));
}

}  // namespace
}  // namespace belay::crux::test_integers
