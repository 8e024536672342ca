// SPDX-License-Identifier: Apache-2.0
// What OP_ADD and its chain calls become.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/kernel_name.h"
#include "calls.h"

namespace belay::runtime {
namespace {

using Presence = Parameter::Presence;
using Kind = Parameter::Kind;

OperatorSignature Find(const std::string& type,
                       const std::string& chip = npu::kDefaultChip) {
  for (OperatorSignature& signature : RegisteredOperators(chip)) {
    if (signature.type == type) return signature;
  }
  ADD_FAILURE() << type << " is not registered";
  return {};
}

TEST(Signatures, OfTheUsualStyle) {
  const OperatorSignature add = Find("AddCustom");
  EXPECT_EQ(add.kernel, "add_custom");
  EXPECT_EQ(add.columns(), 3u);
  ASSERT_EQ(add.inputs.size(), 2u);
  ASSERT_EQ(add.outputs.size(), 1u);
  EXPECT_EQ(add.inputs[1].name, "y");
  EXPECT_EQ(add.outputs[0].dtypes,
            (std::vector{DType::kHalf, DType::kFloat, DType::kInt32}));
  EXPECT_EQ(add.socs, std::vector<std::string>{"ascend910b"});
  EXPECT_TRUE(add.has_tiling);
  EXPECT_TRUE(add.has_infer_shape);
  EXPECT_TRUE(add.has_infer_dtype);
}

TEST(Signatures, EveryChainCall) {
  const OperatorSignature op = Find("SplitOp");
  ASSERT_EQ(op.inputs.size(), 5u);
  EXPECT_EQ(op.inputs[0].presence, Presence::kDynamic);
  EXPECT_EQ(op.inputs[1].presence, Presence::kOptional);
  EXPECT_EQ(op.inputs[2].presence, Presence::kRequired);
  EXPECT_TRUE(op.inputs[2].value_depend);
  EXPECT_FALSE(op.inputs[0].value_depend);
  EXPECT_EQ(op.inputs[3].kind, Kind::kScalar);
  EXPECT_EQ(op.inputs[4].kind, Kind::kScalarList);
  EXPECT_EQ(op.outputs[0].presence, Presence::kDynamic);
  EXPECT_TRUE(op.outputs[1].shape_from_kernel);
  // Two columns, each with both types of `begin`.
  EXPECT_EQ(op.columns(), 4u);
  EXPECT_EQ(op.inputs[0].dtypes,
            (std::vector{DType::kHalf, DType::kHalf, DType::kBfloat16,
                         DType::kBfloat16}));
  EXPECT_EQ(op.inputs[2].dtypes, (std::vector{DType::kInt32, DType::kInt64,
                                              DType::kInt32, DType::kInt64}));
  EXPECT_EQ(op.inputs[1].dtypes, op.inputs[0].dtypes);
  EXPECT_EQ(op.outputs[0].dtypes, op.inputs[0].dtypes);
  EXPECT_EQ(op.outputs[0].formats,
            (std::vector<std::string>{"ND", "ND", "NCHW", "NCHW"}));
  EXPECT_EQ(op.inputs[1].formats, std::vector<std::string>(4, "ND"));
}

TEST(Signatures, AttributesAndDefaults) {
  const OperatorSignature op = Find("SplitOp");
  ASSERT_EQ(op.attributes.size(), 8u);
  EXPECT_FALSE(op.attributes[0].required);
  EXPECT_TRUE(op.attributes[1].required);
  EXPECT_EQ(op.attributes[0].default_value, AttributeValue(true));
  EXPECT_EQ(op.attributes[1].default_value, AttributeValue());
  EXPECT_EQ(op.attributes[2].default_value, AttributeValue(0.5f));
  EXPECT_EQ(op.attributes[3].default_value,
            AttributeValue(std::string("same")));
  EXPECT_EQ(op.attributes[4].default_value,
            AttributeValue(std::vector<bool>{true, false, true}));
  EXPECT_EQ(op.attributes[5].default_value,
            AttributeValue(std::vector<int64_t>{4, -5}));
  EXPECT_EQ(op.attributes[6].default_value,
            AttributeValue(std::vector<float>{1.5f}));
  EXPECT_EQ(op.attributes[7].default_value,
            AttributeValue(std::vector<std::vector<int64_t>>{{1}, {}, {2, 3}}));
  EXPECT_EQ(NameOf(op.attributes[7].type), "ListListInt");
}

TEST(Signatures, ChipsMayDiffer) {
  const OperatorSignature op = Find("SplitOp", "ascend910_93");
  EXPECT_EQ(op.inputs[2].presence, Presence::kOptional);
  EXPECT_FALSE(op.inputs[0].dtypes.empty());
  EXPECT_EQ(op.columns(), 2u);
  EXPECT_EQ(op.socs, (std::vector<std::string>{"ascend910b", "ascend910_93",
                                               "ascend310p"}));
}

TEST(Signatures, AsJson) {
  for (const OperatorSignature& signature : RegisteredOperators()) {
    const nlohmann::json json = signature;
    const auto copy =
        nlohmann::json::parse(json.dump()).get<OperatorSignature>();
    EXPECT_EQ(nlohmann::json(copy), json) << signature.type;
    EXPECT_EQ(copy.kernel, signature.kernel);
    EXPECT_EQ(copy.columns(), signature.columns());
  }
}

TEST(KernelName, ByTheDocumentedRule) {
  EXPECT_EQ(KernelNameOf("AddCustom"), "add_custom");
  EXPECT_EQ(KernelNameOf("Gelu"), "gelu");
  EXPECT_EQ(KernelNameOf("LayerNormV4"), "layer_norm_v4");
  EXPECT_EQ(KernelNameOf("FFN"), "ffn");
  EXPECT_EQ(KernelNameOf("MHCPost"), "mhc_post");
  EXPECT_EQ(KernelNameOf("AbcAAc"), "abc_a_ac");
  EXPECT_EQ(KernelNameOf("Abc2Def"), "abc2_def");
  EXPECT_EQ(KernelNameOf("Snrm2"), "snrm2");
  EXPECT_EQ(KernelNameOf("GeGluV2"), "ge_glu_v2");
}

}  // namespace
}  // namespace belay::runtime
