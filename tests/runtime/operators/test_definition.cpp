// SPDX-License-Identifier: Apache-2.0
// What a definition written with OpDef and its parts says to the library.

#include <gtest/gtest.h>

#include "register/op_def_registry.h"
#include "runtime/operators/described.h"

namespace belay::runtime {
namespace {

using Types = std::vector<ge::DataType>;

TEST(Definition, ListsAreBracesVectorsOrWhatMakesAVector) {
  ops::OpDef definition("Lists");
  definition.Input("a").DataType({ge::DT_FLOAT, ge::DT_INT8});
  definition.Input("b").DataType(Types{ge::DT_BF16});
  definition.Input("c").DataType({2, ge::DT_INT32});
  definition.Input("d").DataType({ge::DT_BOOL}).DataType({});
  definition.Input("e")
      .DataTypeList({ge::DT_INT64})
      .FormatList({ge::FORMAT_ND, ge::FORMAT_NCHW});
  const auto& inputs = definition.Describe()->inputs;
  ASSERT_EQ(inputs.size(), 5u);
  EXPECT_EQ(inputs[0].dtypes, (Types{ge::DT_FLOAT, ge::DT_INT8}));
  EXPECT_EQ(inputs[1].dtypes, Types{ge::DT_BF16});
  EXPECT_EQ(inputs[2].dtypes, (Types{ge::DT_INT32, ge::DT_INT32}));
  EXPECT_TRUE(inputs[3].dtypes.empty());
  EXPECT_TRUE(inputs[4].dtypes.empty());
  EXPECT_EQ(inputs[4].dtype_list, Types{ge::DT_INT64});
  EXPECT_EQ(inputs[4].format_list,
            (std::vector<ge::Format>{ge::FORMAT_ND, ge::FORMAT_NCHW}));
}

TEST(Definition, AttributesHoldDefaultsOfEveryType) {
  ops::OpDef definition("Defaults");
  definition.Attr("bools").ListBool(std::vector<bool>{true, false, true});
  definition.Attr("more bools").ListBool({false, true});
  definition.Attr("ints").ListInt({1, -2});
  definition.Attr("floats").ListFloat(std::vector<float>{0.5f});
  definition.Attr("lists").ListListInt({{1, 2}, {}, {3}});
  definition.Attr("text").AttrType(ops::OPTIONAL).String("none");
  definition.Attr("text").Version(1);
  const auto& attributes = definition.Describe()->attributes;
  ASSERT_EQ(attributes.size(), 6u);
  EXPECT_EQ(attributes[0].bools, (std::vector<bool>{true, false, true}));
  EXPECT_EQ(attributes[1].bools, (std::vector<bool>{false, true}));
  EXPECT_EQ(attributes[2].ints, (std::vector<int64_t>{1, -2}));
  EXPECT_EQ(attributes[3].floats, std::vector<float>{0.5f});
  EXPECT_EQ(attributes[4].int_lists,
            (std::vector<std::vector<int64_t>>{{1, 2}, {}, {3}}));
  EXPECT_EQ(attributes[5].text, "none");
  EXPECT_STREQ(definition.Attr("text").GetName().GetString(), "text");
  EXPECT_FALSE(definition.Attr("text").IsRequired());
  EXPECT_TRUE(definition.Attr("ints").IsRequired());
}

TEST(Definition, ConfigsAreCopiedAndTheLastForAChipCounts) {
  ops::OpDef definition("Configs");
  ops::OpAICoreConfig first;
  first.Input("x").DataType({ge::DT_INT8});
  ops::OpAICoreConfig second = first;
  second.Input("y").Follow("x");
  definition.AICore().AddConfig("one", first).AddConfig("two", second);
  first = second;
  first.Attr("n").Int(4);
  definition.AICore().AddConfig("three").AddConfig("one", first);
  second.Output("z").Scalar();

  const auto& configs = definition.Describe()->configs;
  ASSERT_EQ(configs.size(), 3u);
  EXPECT_EQ(configs[0].soc, "one");
  EXPECT_EQ(configs[0].inputs.size(), 2u);
  EXPECT_EQ(configs[0].attributes.size(), 1u);
  EXPECT_EQ(configs[1].soc, "two");
  EXPECT_EQ(configs[1].inputs.size(), 2u);
  EXPECT_EQ(configs[1].inputs[1].follow, "x");
  EXPECT_TRUE(configs[1].outputs.empty());
  EXPECT_EQ(configs[2].soc, "three");
  EXPECT_TRUE(configs[2].inputs.empty());
}

}  // namespace
}  // namespace belay::runtime
