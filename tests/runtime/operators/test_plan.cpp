// SPDX-License-Identifier: Apache-2.0
// From a call to a plan, through the host functions.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "calls.h"
#include "graph/types.h"

namespace belay::runtime {
namespace {

std::string Messages(const PlanResult& result) {
  std::string text;
  for (const Diagnostic& diagnostic : result.diagnostics) {
    text += ToText(diagnostic) + "\n";
  }
  return text;
}

LaunchPlan Plan(const OperatorCall& call) {
  PlanResult result = PlanLaunch(call);
  EXPECT_TRUE(result.diagnostics.empty()) << Messages(result);
  return result.plan.value_or(LaunchPlan{});
}

std::string TilingText(const LaunchPlan& plan) {
  return {reinterpret_cast<const char*>(plan.tiling.data()),
          plan.tiling.size()};
}

TEST(Plan, WhatTilingDecides) {
  const LaunchPlan plan = Plan(AddCall(DType::kFloat, {8, 2048}));
  EXPECT_EQ(plan.blocks, 48u);
  EXPECT_EQ(plan.tiling_key, 18446744073709551615ull);
  EXPECT_EQ(plan.schedule_mode, 1u);
  EXPECT_EQ(plan.workspace_bytes, 16u * 1024 * 1024 + 1000);
  EXPECT_EQ(plan.column, 1u);
  ASSERT_EQ(plan.outputs.size(), 1u);
  EXPECT_EQ(plan.outputs[0][0].dtype, DType::kFloat);
  EXPECT_EQ(plan.outputs[0][0].shape, (Shape{8, 2048}));
  EXPECT_EQ(plan.fill, std::vector<std::vector<std::byte>>(1));
}

TEST(Plan, TilingDataAreNaturallyAligned) {
  struct alignas(8) Part {
    int8_t kind;
    float scale;
  };
  struct alignas(8) Data {
    uint32_t total;
    uint16_t sizes[3];
    Part part;
    uint8_t last;
  } expected = {16384, {1, 2, 3}, {0, 2.5f}, 0};
  const LaunchPlan plan = Plan(AddCall(DType::kFloat, {8, 2048}));
  ASSERT_EQ(plan.tiling.size(), sizeof(Data));
  Data data;
  std::memcpy(&data, plan.tiling.data(), sizeof(data));
  EXPECT_EQ(data.total, expected.total);
  EXPECT_EQ(data.sizes[2], expected.sizes[2]);
  EXPECT_EQ(data.part.scale, expected.part.scale);
  EXPECT_EQ(data.last, 0);
}

TEST(Plan, TilingStructsOfAllKeysTheDefaultByName) {
  for (const DType dtype : {DType::kFloat, DType::kHalf}) {
    const std::string text = Plan(AddCall(dtype, {8})).tiling_structs;
    const size_t part = text.find("struct AddPart {");
    const size_t whole = text.find("struct AddCustomTilingData {");
    EXPECT_LT(part, whole);
    EXPECT_LT(whole, text.size());
    EXPECT_NE(text.find("struct AddCustomSmallTilingData {"),
              std::string::npos);
    EXPECT_NE(text.find("using BelayTilingData = AddCustomTilingData;"),
              std::string::npos);
  }
}

TEST(Plan, AbsentOptionalsListsValuesAndDefaults) {
  const LaunchPlan plan = Plan(SplitCall());
  EXPECT_EQ(TilingText(plan),
            "SplitOp inputs 4 list 2 4x8x 3x beyond absent bias absent nodesc "
            "begin 5 -6 flag axis 3 eps 0.500000 mode sameTFT pad 4 pad -5 "
            "scale 1.500000 pairs1 pairs0 pairs2 end outputs 3 4x8x ND");
  ASSERT_EQ(plan.outputs.size(), 2u);
  ASSERT_EQ(plan.outputs[0].size(), 2u);
  EXPECT_EQ(plan.outputs[0][1].shape, (Shape{3}));
  EXPECT_EQ(plan.outputs[1][0].shape, (Shape{2}));
  EXPECT_EQ(plan.outputs[1][0].dtype, DType::kInt32);
  EXPECT_EQ(plan.column, 1u);
}

TEST(Plan, GivenOptionalsAttributesAndColumns) {
  OperatorCall call = SplitCall(DType::kBfloat16);
  call.inputs[1] = {TensorOf(DType::kBfloat16, {8})};
  call.inputs[2] = {ValuesOf<int32_t>(DType::kInt32, {9})};
  call.attributes = {false,
                     int64_t{-1},
                     2.0f,
                     std::string("valid"),
                     std::vector<bool>{},
                     std::vector<int64_t>{7},
                     std::vector<float>{3.0f},
                     std::vector<std::vector<int64_t>>{}};
  call.deterministic = true;
  const LaunchPlan plan = Plan(call);
  EXPECT_EQ(TilingText(plan),
            "SplitOp inputs 5 list 2 4x8x 3x beyond absent bias 8x desc "
            "begin 9 noflag axis -1 eps 2.000000 mode valid pad 7 "
            "scale 3.000000 end outputs 3 4x8x deterministic NCHW");
  EXPECT_EQ(plan.column, 2u);
}

TEST(Plan, AnEmptyListHasNoTensors) {
  OperatorCall call = SplitCall();
  call.inputs[0].clear();
  call.inputs[1] = {TensorOf(DType::kHalf, {1})};
  const PlanResult result = PlanLaunch(call);
  // The first tensor is then the bias, whose format is ND.
  ASSERT_TRUE(result.plan) << Messages(result);
  EXPECT_EQ(TilingText(*result.plan).substr(0, 22), "SplitOp inputs 3 list ");
}

TEST(Plan, InitialValuesAreOneElement) {
  const LaunchPlan plan = Plan(SplitCall());
  ASSERT_EQ(plan.fill.size(), 2u);
  EXPECT_TRUE(plan.fill[0].empty());
  EXPECT_EQ(plan.fill[1], std::vector<std::byte>(4, std::byte{0xff}));
}

TEST(Plan, OutputsOfTheCallerStay) {
  OperatorCall call = AddCall(DType::kInt32, {8});
  call.outputs = {CallArgument{TensorOf(DType::kInt32, {2, 4})}};
  EXPECT_EQ(Plan(call).outputs[0][0].shape, (Shape{2, 4}));
}

TEST(Plan, ChipsAreAsked) {
  OperatorCall call = AddCall(DType::kFloat, {8});
  call.chip = "ascend910b4";
  EXPECT_EQ(Plan(call).blocks, 40u);
}

TEST(Plan, OptionalOutputsNobodyKnowsAreAbsent) {
  OperatorCall call = PlainCall("UnknownShape");
  call.outputs = {std::nullopt, CallArgument{TensorOf(DType::kFloat, {1})}};
  const LaunchPlan plan = Plan(call);
  ASSERT_EQ(plan.outputs.size(), 3u);
  EXPECT_EQ(plan.outputs[0][0].shape, (Shape{2, 3}));
  EXPECT_TRUE(plan.outputs[2].empty());
}

TEST(Plan, AnOutputNamedLikeAnInputIsThatInput) {
  OperatorCall call;
  call.type = "InPlaceOp";
  call.inputs = {{TensorOf(DType::kInt8, {3}), TensorOf(DType::kInt8, {4, 4})},
                 {TensorOf(DType::kInt8, {})}};
  const LaunchPlan plan = Plan(call);
  ASSERT_EQ(plan.outputs.size(), 1u);
  ASSERT_EQ(plan.outputs[0].size(), 2u);
  EXPECT_EQ(plan.outputs[0][1].shape, (Shape{4, 4}));
  EXPECT_EQ(plan.outputs[0][1].dtype, DType::kInt8);
  // What SetTilingParse left for tiling, in a struct of the operator's own.
  int64_t numbers[2];
  ASSERT_EQ(plan.tiling.size(), sizeof(numbers));
  std::memcpy(numbers, plan.tiling.data(), sizeof(numbers));
  EXPECT_EQ(numbers[0], 77);
  EXPECT_EQ(numbers[1], 2);
}

TEST(Plan, InferenceOfTheTypeChoosesTheColumn) {
  OperatorCall call;
  call.type = "CastOp";
  call.inputs = {{TensorOf(DType::kFloat, {5, 0})}};
  call.attributes = {int64_t{ge::DT_INT32}};
  const LaunchPlan plan = Plan(call);
  EXPECT_EQ(plan.outputs[0][0].dtype, DType::kInt32);
  EXPECT_EQ(plan.outputs[0][0].shape, (Shape{5, 0}));
  EXPECT_EQ(plan.column, 2u);
}

TEST(Plan, AsJson) {
  OperatorCall call = SplitCall();
  call.outputs = {std::nullopt, CallArgument{TensorOf(DType::kInt32, {1})}};
  const nlohmann::json json = call;
  const auto copy = nlohmann::json::parse(json.dump()).get<OperatorCall>();
  EXPECT_EQ(nlohmann::json(copy), json);
  EXPECT_EQ(copy.inputs[2][0].values, call.inputs[2][0].values);
  EXPECT_EQ(copy.attributes, [&] {
    auto values = call.attributes;
    return values;
  }());

  const LaunchPlan plan = Plan(copy);
  const nlohmann::json plan_json = plan;
  const auto plan_copy =
      nlohmann::json::parse(plan_json.dump()).get<LaunchPlan>();
  EXPECT_EQ(nlohmann::json(plan_copy), plan_json);
  EXPECT_EQ(plan_copy.tiling, plan.tiling);
  EXPECT_EQ(plan_copy.fill, plan.fill);
}

}  // namespace
}  // namespace belay::runtime
