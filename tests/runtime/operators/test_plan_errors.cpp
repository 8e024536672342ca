// SPDX-License-Identifier: Apache-2.0
// Every way a plan can fail: its code, and what the message must name.

#include <gtest/gtest.h>

#include "base/catalogue.h"
#include "calls.h"
#include "runtime/operators/host_messages.h"

namespace belay::runtime {
namespace {

struct Expected {
  OperatorCall call;
  const char* code;
  std::vector<std::string> words;  // in text, notes or fix
};

void Check(const Expected& expected) {
  SCOPED_TRACE(expected.call.type);
  const PlanResult result = PlanLaunch(expected.call);
  EXPECT_FALSE(result.plan);
  ASSERT_FALSE(result.diagnostics.empty());
  std::string text;
  for (const Diagnostic& diagnostic : result.diagnostics) {
    EXPECT_EQ(diagnostic.code, expected.code) << diagnostic.message;
    text += ToText(diagnostic);
  }
  for (const std::string& word : expected.words) {
    EXPECT_NE(text.find(word), std::string::npos) << word << " in\n" << text;
  }
}

TEST(PlanErrors, Tiling) {
  Check({PlainCall("FailingTiling"),
         code::kH101,
         {"[FailingTiling] tiling returned ge::GRAPH_FAILED",
          "rows 7 must be a multiple of 16", "ops_faulty.cpp"}});
  Check({PlainCall("SilentTiling"),
         code::kH101,
         {"ge::GRAPH_PARAM_INVALID", "GetInputShape(5), which returned nullptr",
          "OP_LOGE"}});
  Check({PlainCall("ThrowingTiling"),
         code::kH101,
         {"no such dimension", "fix: host code must not throw"}});
  Check({PlainCall("NoTiling"), code::kH101, {"SetTiling"}});
}

TEST(PlanErrors, OnlyErrorsOfTheLogAreNotes) {
  const PlanResult result = PlanLaunch(PlainCall("FailingTiling"));
  ASSERT_EQ(result.diagnostics.size(), 1u);
  ASSERT_EQ(result.diagnostics[0].notes.size(), 1u);
  EXPECT_EQ(result.diagnostics[0].notes[0].message,
            "[FailingTiling] rows 7 must be a multiple of 16");
}

TEST(PlanErrors, Blocks) {
  Check({PlainCall("NoBlocks"), code::kH103, {"0 blocks", "SetBlockDim"}});
  Check({PlainCall("ManyBlocks"), code::kH103, {"70000", "65535"}});
}

TEST(PlanErrors, TilingDataThatDoNotFit) {
  Check({PlainCall("HugeTiling"),
         code::kH106,
         {"HugeTilingData", "80000", "65536"}});
  Check({PlainCall("SizeTooLarge"), code::kH106, {"1048576", "65536"}});
  Check({PlainCall("AsksForHuge"), code::kH106, {"GetTilingData", "100000"}});
}

TEST(PlanErrors, UnknownOutputs) {
  Check({PlainCall("UnknownShape"),
         code::kH108,
         {"output 'z'", "--out-shape z=", "--out-like z="}});
  Check({PlainCall("FailingInference"),
         code::kH108,
         {"cannot say", "fix: call the operator as the notes say, or mend ",
          "--out-shape "}});
  Check({PlainCall("NegativeInference"), code::kH108, {"2,-1"}});
}

TEST(PlanErrors, Registration) {
  Check({PlainCall("Nobody"), code::kH109, {"[Nobody]", "AddCustom"}});
  Check({PlainCall("Undefined"), code::kH109, {"OP_ADD(Undefined)"}});
  Check({PlainCall(""), code::kU105, {"SplitOp", "--op"}});
}

TEST(PlanErrors, Definition) {
  Check({PlainCall("UnevenColumns"),
         code::kH112,
         {"DataType of input 'x' has 1", "DataType of input 'w' has 2"}});
  Check({PlainCall("Contradiction"),
         code::kH112,
         {"'both' has both DataType and DataTypeList", "'untyped' has no types",
          "'astray' follows 'nobody'", "'vague' has no type"}});
  Check({PlainCall("OtherChip"),
         code::kH112,
         {"no kernel for ascend910b", "ascend310p"}});
}

TEST(PlanErrors, Columns) {
  OperatorCall call = AddCall(DType::kFloat, {8});
  call.inputs[1][0].dtype = DType::kHalf;
  Check({call,
         code::kH113,
         {"x f32, y f16", "column 0: x f16, y f16, z f16",
          "column 2: x i32, y i32, z i32"}});
  call = AddCall(DType::kFloat, {8});
  call.outputs = {CallArgument{TensorOf(DType::kInt8, {8})}};
  Check({call, code::kH113, {"z i8"}});
  Check({PlainCall("WrongInference"),
         code::kH113,
         {"y i8", "as InferDataType says"}});
  call = SplitCall();
  call.inputs[0][1].dtype = DType::kBfloat16;
  Check({call, code::kH113, {"x of several types"}});
}

TEST(PlanErrors, CallsThatDoNotFit) {
  OperatorCall call = SplitCall();
  call.attributes.clear();
  Check({call, code::kU105, {"attribute 'axis' is required", "--attr axis="}});
  call = SplitCall();
  call.attributes[1] = 1.5f;
  Check({call, code::kU105, {"'axis' is of type Int", "a Float"}});
  call = SplitCall();
  call.inputs[2].clear();
  Check({call, code::kU105, {"input 'begin' is required"}});
  call = SplitCall();
  call.inputs[2].push_back(call.inputs[2][0]);
  Check({call, code::kU105, {"'begin' is one tensor", "list of 2"}});
}

TEST(PlanErrors, TheLastQuestionIsKept) {
  PlanLaunch(PlainCall("SilentTiling"));
  EXPECT_STREQ(LastHostQuestion(), "GetInputShape(5), which returned nullptr");
  EXPECT_STREQ(LastNullAnswer(), "GetInputShape(5)");
  PlanLaunch(PlainCall("ThrowingTiling"));
  EXPECT_STREQ(LastHostQuestion(), "");
}

}  // namespace
}  // namespace belay::runtime
