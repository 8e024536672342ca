// SPDX-License-Identifier: Apache-2.0
// Parts of printing: integers, scalars, names, and how long lines are broken.

#include <gtest/gtest.h>

#include <memory>

#include "crux/print/integer_text.h"
#include "crux/print/names.h"
#include "crux/print/scalar_text.h"
#include "crux/print/text.h"

namespace belay::crux::print {
namespace {

using ir::Int;

std::string Integer(const Int& value, bool negative = false,
                    bool host = false) {
  std::set<Helper> helpers;
  IntegerContext context;
  context.spell = [](const std::string& name) { return name; };
  context.may_be_negative = [&](const std::string&) { return negative; };
  context.host = host;
  context.helpers = &helpers;
  return TextOf(value, context);
}

TEST(PrintInteger, FewestParentheses) {
  const Int a = Int::Name("a");
  const Int b = Int::Name("b");
  const Int c = Int::Name("c");
  EXPECT_EQ(Integer((a + b) * c), "(a + b) * c");
  EXPECT_EQ(Integer(a * b * c), "a * b * c");
  EXPECT_EQ(Integer(a - (b - c)), "a - (b - c)");
  EXPECT_EQ(Integer(a * FloorDiv(b, c)), "a * (b / c)");
  EXPECT_EQ(Integer(a + Int(-3)), "a - 3");
  EXPECT_EQ(Integer(Int(0) - a), "-a");
}

TEST(PrintInteger, DivisionRoundsDown) {
  const Int a = Int::Name("a");
  EXPECT_EQ(Integer(FloorDiv(a, 8)), "a / 8");
  EXPECT_EQ(Integer(Mod(a, 8)), "a % 8");
  EXPECT_EQ(Integer(FloorDiv(a, 8), true), "FloorDiv(a, 8)");
  EXPECT_EQ(Integer(Mod(a, 8), true), "FloorMod(a, 8)");
  EXPECT_EQ(Integer(CeilDiv(a, 8), true), "CeilDiv(a, 8)");
}

TEST(PrintInteger, SumsAndExtremesAreGathered) {
  const Int a = Int::Name("a");
  const Int b = Int::Name("b");
  EXPECT_EQ(Integer(AlignUp(a, 8) + b + AlignUp(a, 8)),
            "AlignUp(a, 8) * 2 + b");
  EXPECT_EQ(Integer(Max(Max(Int(0), a), Max(a, b))), "Max(a, b)");
  EXPECT_EQ(Integer(Max(Max(Int(7), a), b), false, true),
            "std::max<int64_t>({7, a, b})");
}

code::ScalarPtr Variable(DType dtype, const std::string& name) {
  code::Scalar scalar;
  scalar.kind = code::ScalarKind::kVariable;
  scalar.dtype = dtype;
  scalar.name = name;
  return std::make_shared<code::Scalar>(scalar);
}

code::Scalar Binary(DType dtype, const std::string& op, code::ScalarPtr a,
                    code::ScalarPtr b) {
  code::Scalar scalar;
  scalar.kind = code::ScalarKind::kBinary;
  scalar.dtype = dtype;
  scalar.op = op;
  scalar.args = {std::move(a), std::move(b)};
  return scalar;
}

code::Scalar Cast(DType to, code::ScalarPtr a) {
  code::Scalar scalar;
  scalar.kind = code::ScalarKind::kCast;
  scalar.dtype = to;
  scalar.args = {std::move(a)};
  return scalar;
}

class PrintScalar : public ::testing::Test {
 protected:
  PrintScalar() {
    integers_.spell = [](const std::string& name) { return name; };
    integers_.may_be_negative = [](const std::string&) { return true; };
    integers_.helpers = &helpers_;
    context_.integers = &integers_;
    context_.variable = [](const std::string& name) { return name; };
  }

  std::set<Helper> helpers_;
  IntegerContext integers_;
  ScalarContext context_;
};

TEST_F(PrintScalar, IntegersWrap) {
  const auto a = Variable(DType::kInt32, "a");
  const auto b = Variable(DType::kInt32, "b");
  EXPECT_EQ(TextOf(Binary(DType::kInt32, "*", a, b), context_),
            "static_cast<int32_t>(static_cast<uint32_t>(a) * "
            "static_cast<uint32_t>(b))");
  EXPECT_EQ(TextOf(Binary(DType::kInt32, "/", a, b), context_), "a / b");
  const auto x = Variable(DType::kFloat, "x");
  EXPECT_EQ(TextOf(Binary(DType::kFloat, "+", x, x), context_), "x + x");
}

TEST_F(PrintScalar, FloatsAndUnsignedMeetThroughSigned) {
  const auto x = Variable(DType::kFloat, "x");
  const auto u = Variable(DType::kUint64, "u");
  EXPECT_EQ(TextOf(Cast(DType::kUint8, x), context_),
            "static_cast<uint8_t>(static_cast<int64_t>(x))");
  EXPECT_EQ(TextOf(Cast(DType::kFloat, u), context_), "FromUnsigned(u)");
  EXPECT_TRUE(helpers_.contains(Helper::kFromUnsigned));
}

TEST_F(PrintScalar, ArgumentsHaveTheTypeOfTheTensor) {
  code::Scalar half;
  half.real = 0.5;
  EXPECT_EQ(ArgumentOf(half, DType::kFloat, context_), "0.5f");
  EXPECT_EQ(ArgumentOf(half, DType::kHalf, context_),
            "static_cast<half>(0.5f)");
  EXPECT_EQ(ArgumentOf(half, DType::kBfloat16, context_), "ToBfloat16(0.5f)");
}

TEST(PrintNames, KeywordsAndDoublesAreRenamed) {
  Names names;
  EXPECT_EQ(names.Of(NameKind::kVariable, "half"), "half_value");
  EXPECT_EQ(names.Of(NameKind::kVariable, "swish#1.t"), "swish_1_t");
  EXPECT_EQ(names.Of(NameKind::kGlobal, "x"), "x_");
  EXPECT_EQ(names.Of(NameKind::kQueue, "x"), "x_2_");
  EXPECT_EQ(CamelCase("layer_norm"), "LayerNorm");
}

TEST(PrintLayout, LongCallsAreBrokenAsClangFormatDoes) {
  Text text;
  text.Statement(
      "DataCopyPad(x_local, x_[c], DataCopyExtParams{1, "
      "static_cast<uint32_t>(c_size * 2), 0, 0, 0}, "
      "DataCopyPadExtParams<T>{false, 0, 0, 0});");
  text.Statement(
      "const int64_t first_item = GetBlockIdx() * share_of_everybody + "
      "Min(GetBlockIdx(), rest);");
  EXPECT_EQ(Laid(text.lines()),
            "DataCopyPad(x_local, x_[c],\n"
            "            DataCopyExtParams{1, static_cast<uint32_t>(c_size * "
            "2), 0, 0, 0},\n"
            "            DataCopyPadExtParams<T>{false, 0, 0, 0});\n"
            "const int64_t first_item =\n"
            "    GetBlockIdx() * share_of_everybody + Min(GetBlockIdx(), "
            "rest);\n");
}

}  // namespace
}  // namespace belay::crux::print
