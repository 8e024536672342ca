// SPDX-License-Identifier: Apache-2.0
// Integers of compiled kernels, and sets of their names.

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "crux/ir/bounds.h"
#include "crux/ir/code.h"
#include "crux/ir/integer.h"
#include "crux/ir/name_numbers.h"
#include "crux/ir/name_set.h"
#include "crux/ir/visit_names.h"

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

TEST(Integers, MappingKeepsTheKindAndWhatDoesNotChange) {
  const Int a = Int::Name("a");
  const Int b = Int::Name("b");
  const auto one_more = [](const Int& arg) { return arg + 1; };
  const auto itself = [](const Int& arg) { return arg; };
  for (const Int& expr :
       {a - b, CeilDiv(a, b), Int::Element("list", a), Int::Not(a),
        Int::Select(Less(a, b), a, b), Int(3), a}) {
    EXPECT_TRUE(MapArgs(expr, itself).IsIdentical(expr)) << ToText(expr);
    const Int more = MapArgs(expr, one_more);
    EXPECT_EQ(more.kind(), expr.kind());
    EXPECT_EQ(more.name(), expr.name());
    for (size_t i = 0; i < expr.args().size(); ++i) {
      EXPECT_TRUE(Same(more.args()[i], expr.args()[i] + 1)) << ToText(more);
    }
  }
}

TEST(Integers, ChoicesOfConstantsAreWorkedOut) {
  const Int small = Less(Int::Name("n"), 2049);
  const Int elements = Int::Select(small, 2048, 60);
  EXPECT_TRUE(Same(AlignUp(elements * 4, 512), Int::Select(small, 8192, 512)));
  EXPECT_TRUE(Same(Int::Select(small, 64, 8) - 8, Int::Select(small, 56, 0)));
  // Not where one of them divides by zero or is no constant.
  EXPECT_EQ(FloorDiv(elements, 0).kind(), IntKind::kFloorDiv);
  EXPECT_EQ((Int::Select(small, Int::Name("n"), 8) * 2).kind(), IntKind::kMul);
}

TEST(Integers, OnesComparedWithThemselvesAreConstants) {
  const Int n = Int::Name("n") + 1;
  EXPECT_EQ(ToText(Int::Of(IntKind::kLess, n, n)), "0");
  EXPECT_EQ(ToText(Int::Of(IntKind::kNotEqual, n, n)), "0");
  EXPECT_EQ(ToText(Int::Of(IntKind::kLessEqual, n, n)), "1");
  EXPECT_EQ(ToText(Int::Of(IntKind::kEqual, n, n)), "1");
}

TEST(Integers, AlignedOnesAreUnitsRoundedUp) {
  const Int n = Int::Name("n");
  EXPECT_EQ(ToText(FloorDiv(AlignUp(n, 64), 64)), "ceil_div(n, 64)");
  EXPECT_EQ(ToText(FloorDiv(AlignUp(n, 64), 8)), "align_up(n, 64) // 8");
}

TEST(Integers, OnesThatAreNeverBelowOthers) {
  const Int rows = Int::Name("rows");
  const Int n = Int::Name("n");
  EXPECT_TRUE(IsAtLeast(AlignUp(rows * 256, 512) + Int::Select(n, 8192, 0),
                        AlignUp(CeilDiv(rows, 8) * 256, 512)));
  EXPECT_FALSE(IsAtLeast(AlignUp(CeilDiv(rows, 8) * 256, 512),
                         AlignUp(rows * 256, 512)));
  EXPECT_TRUE(IsAtLeast(rows, 0));
  EXPECT_FALSE(IsAtLeast(rows - n, 0));
  EXPECT_FALSE(IsAtLeast(rows, 1));
  EXPECT_FALSE(IsAtLeast(rows, n));
}

// Of integers drawn at random, beside their values.
TEST(Integers, NeverBelowMeansSoForAllValues) {
  const uint32_t seed = 20261116;
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  const auto draw = [&](int64_t most) {
    return static_cast<int64_t>(random() % static_cast<uint32_t>(most + 1));
  };
  const auto expression = [&](const auto& self, int depth) -> Int {
    if (depth == 0 || draw(4) == 0) {
      return draw(1) == 0 ? Int(draw(600))
                          : Int::Name(draw(1) == 0 ? "a" : "b");
    }
    const Int left = self(self, depth - 1);
    const Int by = Int(1 + draw(9));
    switch (draw(6)) {
      case 0:
        return left + self(self, depth - 1);
      case 1:
        return left * by;
      case 2:
        return CeilDiv(left, by);
      case 3:
        return FloorDiv(left, by);
      case 4:
        return left - by;
      case 5:
        return Int::Select(Less(Int::Name("a"), by), left, by);
      default:
        return AlignUp(left, by);
    }
  };
  int seen = 0;
  for (int i = 0; i < 200000; ++i) {
    const Int a = expression(expression, 3);
    const Int b = expression(expression, 3);
    if (!ir::IsAtLeast(a, b)) continue;
    ++seen;
    for (int j = 0; j < 20; ++j) {
      const int64_t values[2] = {draw(2000), draw(2000)};
      const auto lookup = [&](const std::string& name, int64_t) {
        return values[name == "a" ? 0 : 1];
      };
      ASSERT_GE(Evaluate(a, lookup), Evaluate(b, lookup))
          << ToText(a) << " and " << ToText(b);
    }
  }
  EXPECT_GT(seen, 1000);
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

TEST(NameNumbers, GiveEachNameOneNumberAndFindIt) {
  constexpr uint32_t kSeed = 20261116;
  SCOPED_TRACE(kSeed);
  std::mt19937 random(kSeed);
  std::vector<std::string> names;  // they must outlive the numbers
  for (int i = 0; i < 1000; ++i) names.push_back("n" + std::to_string(i));
  ir::NameNumbers numbers;
  std::map<std::string, uint32_t> model;
  for (int i = 0; i < 3000; ++i) {
    const std::string& name = names[random() % names.size()];
    const uint64_t hash = NameSet::HashOf(name);
    const auto known = model.find(name);
    EXPECT_EQ(numbers.Find(name, hash),
              known == model.end() ? ir::NameNumbers::kNone : known->second);
    const auto number = static_cast<uint32_t>(model.size());
    EXPECT_EQ(numbers.Of(name), model.emplace(name, number).first->second);
    EXPECT_EQ(numbers.TextOf(numbers.Of(name)), name);
  }
  EXPECT_EQ(numbers.size(), model.size());
}

TEST(NameVisits, SeeTheSameNamesInAllForms) {
  auto inner = std::make_shared<code::Stmt>();
  inner->kind = code::StmtKind::kSet;
  inner->name = "count";
  inner->value = Int::Name("count") + Int::Name("N");
  code::Stmt loop;
  loop.kind = code::StmtKind::kFor;
  loop.name = "i";
  loop.high = Int::Name("M");
  loop.body.push_back(inner);
  auto call = std::make_shared<code::Stmt>();
  call->kind = code::StmtKind::kCall;
  call->args = {code::Local{"t", Int::Name("i")}, Int::Name("N")};
  loop.otherwise.push_back(call);

  using Role = code::NameRole;
  std::vector<std::tuple<Role, std::string>> all;
  code::NameVisitor([&](Role role, const std::string& name, uint64_t hash) {
    EXPECT_EQ(hash, NameSet::HashOf(name));
    all.emplace_back(role, name);
  }).All(loop);
  const std::vector<std::tuple<Role, std::string>> expected = {
      {Role::kInteger, "M"},        {Role::kDefinedInteger, "i"},
      {Role::kInteger, "count"},    {Role::kInteger, "N"},
      {Role::kSetInteger, "count"}, {Role::kInteger, "count"},
      {Role::kTensor, "t"},         {Role::kInteger, "i"},
      {Role::kInteger, "N"}};
  EXPECT_EQ(all, expected);

  std::vector<std::tuple<Role, std::string>> plain;
  code::NameVisitor([&](Role role, const std::string& name) {
    plain.emplace_back(role, name);
  }).All(loop);
  EXPECT_EQ(plain, all);

  std::vector<std::string> integers;
  code::NameVisitor([&](const std::string& name, uint64_t hash) {
    EXPECT_EQ(hash, NameSet::HashOf(name));
    integers.push_back(name);
  }).All(loop);
  EXPECT_EQ(integers,
            (std::vector<std::string>{"M", "count", "N", "count", "i", "N"}));

  // Without what is inside.
  std::vector<std::string> own;
  code::NameVisitor([&](Role, const std::string& name) {
    own.push_back(name);
  }).Own(loop);
  EXPECT_EQ(own, (std::vector<std::string>{"M", "i"}));
}

}  // namespace
}  // namespace belay::crux::test_integers
