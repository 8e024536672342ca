// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "base/error.h"
#include "guest/operator_binding.h"
#include "guest/operator_request.h"

namespace belay::guest {
namespace {

using runtime::Attribute;
using Form = InputRequest::Form;

TEST(ParseInput, ReadsEveryForm) {
  const InputRequest tensor = ParseInput("x=a,b.npy:bf16");
  EXPECT_EQ(tensor.form, Form::kTensor);
  EXPECT_EQ(tensor.name, "x");
  ASSERT_EQ(tensor.files.size(), 1u);
  EXPECT_EQ(tensor.files[0].path, "a,b.npy");
  EXPECT_EQ(tensor.files[0].read_as, DType::kBfloat16);

  const InputRequest list = ParseInput("x=[a.npy,b.npy:bf16]");
  EXPECT_EQ(list.form, Form::kList);
  ASSERT_EQ(list.files.size(), 2u);
  EXPECT_EQ(list.files[0].read_as, DType::kNone);
  EXPECT_EQ(list.files[1].path, "b.npy");
  EXPECT_EQ(ParseInput("x=[]").files.size(), 0u);
  EXPECT_EQ(ParseInput("x=[]").form, Form::kList);

  EXPECT_EQ(ParseInput("x=none").form, Form::kAbsent);

  const InputRequest scalar = ParseInput("s=scalar:-1.5:f16");
  EXPECT_EQ(scalar.form, Form::kScalar);
  EXPECT_EQ(scalar.scalars, std::vector<std::string>({"-1.5"}));
  EXPECT_EQ(scalar.scalar_dtype, DType::kHalf);
  const InputRequest scalars = ParseInput("s=scalar:[1,2,3]");
  EXPECT_EQ(scalars.scalars, std::vector<std::string>({"1", "2", "3"}));
  EXPECT_EQ(scalars.scalar_dtype, DType::kNone);

  for (const char* text : {"x", "x=", "=a.npy", ""}) {
    EXPECT_THROW(ParseInput(text), UserError) << text;
  }
}

TEST(ParseOutput, JoinsWhatIsSaidAboutOne) {
  std::vector<OutputRequest> outputs;
  ParseOutputFile("y=y.npy", outputs);
  ParseOutputShape("y=8,16:f16", outputs);
  ParseExpected("y=g.npy", outputs);
  ParseOutputLike("z=x", outputs);
  ParseOutputShape("w=[2,3;;4:i8]", outputs);
  ASSERT_EQ(outputs.size(), 3u);
  EXPECT_EQ(outputs[0].files, std::vector<std::string>({"y.npy"}));
  EXPECT_EQ(outputs[0].shapes.at(0).shape, Shape({8, 16}));
  EXPECT_EQ(outputs[0].shapes.at(0).dtype, DType::kHalf);
  EXPECT_EQ(outputs[0].expected.at(0).path, "g.npy");
  EXPECT_EQ(outputs[1].like, "x");
  ASSERT_EQ(outputs[2].shapes.size(), 3u);
  EXPECT_EQ(outputs[2].shapes[1].shape, Shape({}));
  EXPECT_EQ(outputs[2].shapes[2].dtype, DType::kInt8);
  EXPECT_THROW(ParseOutputShape("y=8:f17", outputs), UserError);
  EXPECT_THROW(ParseOutputShape("y=8,x", outputs), UserError);
}

Attribute OfType(Attribute::Type type) {
  Attribute attribute;
  attribute.name = "a";
  attribute.type = type;
  return attribute;
}

TEST(ParseAttributeValue, ReadsEveryType) {
  using Type = Attribute::Type;
  const auto parse = [](Type type, const char* text) {
    return ParseAttributeValue(OfType(type), text);
  };
  EXPECT_EQ(parse(Type::kBool, "true"), runtime::AttributeValue(true));
  EXPECT_EQ(parse(Type::kInt, "-3"), runtime::AttributeValue(int64_t{-3}));
  EXPECT_EQ(parse(Type::kFloat, "1e-5"), runtime::AttributeValue(1e-5f));
  EXPECT_EQ(parse(Type::kString, ""), runtime::AttributeValue(std::string()));
  EXPECT_EQ(parse(Type::kListInt, "[1, -2]"),
            runtime::AttributeValue(std::vector<int64_t>{1, -2}));
  EXPECT_EQ(parse(Type::kListInt, "[]"),
            runtime::AttributeValue(std::vector<int64_t>{}));
  EXPECT_EQ(parse(Type::kListFloat, "[0.5]"),
            runtime::AttributeValue(std::vector<float>{0.5f}));
  EXPECT_EQ(parse(Type::kListBool, "[true,0]"),
            runtime::AttributeValue(std::vector<bool>{true, false}));
  EXPECT_EQ(parse(Type::kListListInt, "[[1,2],[],[3]]"),
            runtime::AttributeValue(
                std::vector<std::vector<int64_t>>{{1, 2}, {}, {3}}));
}

TEST(ParseAttributeValue, RefusesOtherTypesWithTheRightSpelling) {
  using Type = Attribute::Type;
  const auto refused = [](Type type, const char* text) -> std::string {
    try {
      ParseAttributeValue(OfType(type), text);
    } catch (const UserError& error) {
      return error.what();
    }
    return "";
  };
  for (const char* text : {"1.5", "", "x", "[1]", "99999999999999999999"}) {
    EXPECT_NE(refused(Type::kInt, text).find("a whole number"),
              std::string::npos)
        << text;
  }
  EXPECT_NE(refused(Type::kFloat, "small").find("BLY-U105"), std::string::npos);
  EXPECT_NE(refused(Type::kListInt, "1,2").find("[0,1]"), std::string::npos);
  EXPECT_NE(refused(Type::kBool, "yes").find("true or false"),
            std::string::npos);
}

TEST(MakeScalars, RoundsToTheType) {
  const Array half = MakeScalars({"1", "-2"}, DType::kHalf, "s");
  EXPECT_EQ(half.shape, Shape({2}));
  EXPECT_EQ(half.data,
            std::vector<std::byte>({std::byte{0x00}, std::byte{0x3C},
                                    std::byte{0x00}, std::byte{0xC0}}));
  EXPECT_THROW(MakeScalars({"300"}, DType::kInt8, "s"), UserError);
  EXPECT_THROW(MakeScalars({"1.5"}, DType::kInt32, "s"), UserError);
}

TEST(Suggest, NamesWhatIsNear) {
  EXPECT_EQ(Suggest("gama", {"x", "gamma", "beta"}), "; did you mean 'gamma'?");
  EXPECT_EQ(Suggest("q", {"x", "y"}), "; it has: x, y");
  EXPECT_EQ(Suggest("q", {}), ": it has none");
}

}  // namespace
}  // namespace belay::guest
