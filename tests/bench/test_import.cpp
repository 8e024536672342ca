// SPDX-License-Identifier: Apache-2.0
// Tests that KernelBench files become tasks that load, run and pass lint, and
// that files which cannot be imported are refused with the line and the reason.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "bench/compare.h"
#include "bench/import_task.h"
#include "bench/lint.h"
#include "bench/suite.h"
#include "bench/task_error.h"

namespace belay::bench::test_import {
namespace {

namespace fs = std::filesystem;

// A folder of this test, empty.
fs::path Scratch() {
  const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
  std::string name = info->name();
  for (char& c : name) c = c == '/' ? '_' : c;
  const fs::path folder = fs::path(::testing::TempDir()) / ("import_" + name);
  fs::remove_all(folder);
  fs::create_directories(folder);
  return folder;
}

Task Import(const std::string& model, const fs::path& folder) {
  const Imported imported = ImportModel(
      fs::path(BELAY_TEST_MODELS) / (model + ".py"), folder / model, {});
  EXPECT_GT(imported.edge_cases, 8u);
  EXPECT_EQ(imported.real_cases, 1u);
  EXPECT_EQ(imported.unknown_shapes, 0u);
  return LoadTask(folder / model);
}

class EveryModel : public ::testing::TestWithParam<const char*> {};

TEST_P(EveryModel, BecomesATaskThatPassesLint) {
  const Task task = Import(GetParam(), Scratch());
  const LintReport report = LintTask(task);
  EXPECT_GT(report.shortcuts, 5u);
  for (const Diagnostic& finding : report.findings) {
    ADD_FAILURE() << finding.message;
  }
}

INSTANTIATE_TEST_SUITE_P(Import, EveryModel,
                         ::testing::Values("average_pooling", "cross_entropy",
                                           "group_norm", "kl_divergence",
                                           "layer_norm", "leaky_relu",
                                           "masked_cumsum", "matmul",
                                           "scaled_topk", "sum_over_axis"));

TEST(Import, KeepsWhatTheFileSays) {
  const fs::path folder = Scratch();
  const Task pooling = Import("average_pooling", folder);
  EXPECT_NE(pooling.reference.find("F.avg_pool1d(x, 4, 2, 1)"),
            std::string::npos);
  const Case largest = ExpandCases(pooling).back();
  EXPECT_EQ(InputShapes(pooling.inputs[0], largest)[0], Shape({16, 32, 128}));
  EXPECT_EQ(OutputShapes(pooling.outputs[0], largest)->at(0),
            Shape({16, 32, 64}));

  const Task norm = Import("layer_norm", folder);
  ASSERT_EQ(norm.attributes.size(), 1u);
  EXPECT_EQ(ExpandCases(norm).back().attributes.front(), Value({64, 256}));

  const Task product = Import("matmul", folder);
  const Case real = ExpandCases(product).back();
  EXPECT_EQ(InputShapes(product.inputs[1], real)[0], Shape({2048, 2048}));
  EXPECT_EQ(OutputShapes(product.outputs[0], real)->at(0), Shape({1024, 2048}));

  const Task best = Import("scaled_topk", folder);
  ASSERT_EQ(best.outputs.size(), 2u);
  EXPECT_EQ(best.outputs[1].dtype, "i64");
  EXPECT_NE(best.reference.find("s = 3.14"), std::string::npos);

  const Task entropy = Import("cross_entropy", folder);
  EXPECT_EQ(entropy.inputs[1].dtype, "i64");
  EXPECT_EQ(entropy.inputs[1].values.kind, ValueKind::kIndex);
  EXPECT_TRUE(OutputShapes(entropy.outputs[0], real)->at(0).empty());
}

TEST(Import, DoesNotOverwriteATask) {
  const fs::path folder = Scratch();
  Import("leaky_relu", folder);
  try {
    ImportModel(fs::path(BELAY_TEST_MODELS) / "leaky_relu.py",
                folder / "leaky_relu", {});
    FAIL() << "was overwritten";
  } catch (const TaskError& error) {
    EXPECT_EQ(error.diagnostic().code, code::kK164);
  }
}

constexpr char kForward[] =
    "class Model(nn.Module):\n    def forward(self, x):\n        return x\n";

TEST(Import, SaysWhatCannotBeImported) {
  const std::string forward = kForward;
  const std::string inputs =
      "def get_inputs():\n    return [torch.rand(8, 9)]\n";
  const struct {
    std::string text;
    const char* code;
    int line;
    const char* message;
  } kRefused[] = {
      {inputs, code::kK160, 0, "has no Model.forward()"},
      {forward, code::kK160, 0, "has no get_inputs()"},
      {forward + "def get_inputs():\n    return [torch.rand(2), "
                 "torch.rand(3)]\n",
       code::kK160, 4, "makes 2 inputs, but forward() takes 1"},
      {"for i in range(3):\n    pass\n" + forward + inputs, code::kK161, 1,
       "for i in range(3)"},
      {forward + "    def other(self):\n        return 1\n" + inputs,
       code::kK161, 4, "is not __init__() or forward()"},
      {forward + "def get_inputs():\n    return [torch.load('x')]\n",
       code::kK162, 4, "torch.load() is not supported"},
      {forward + "def get_inputs():\n    return [torch.rand(n)]\n", code::kK162,
       4, "no list of constants"},
      {"class Model(nn.Module):\n    def __init__(self):\n"
       "        super().__init__()\n        self.fc = nn.Linear(3, 4)\n"
       "    def forward(self, x):\n        return self.fc(x)\n" +
           inputs,
       code::kK163, 4, "holds an nn.Linear"},
      {"class Model(nn.Module):\n    def __init__(self, dim):\n"
       "        self.dim = dim\n    def forward(self, x):\n"
       "        return x.sum(self.dim)\n" +
           inputs,
       code::kK160, 2, "gives no value for 'dim'"},
      {"class Model(nn.Module):\n    def forward(self, x):\n"
       "        return x + self.bias\n" +
           inputs,
       code::kK161, 3, "uses self.bias"},
      {"class Model(nn.Module):\n    def forward(self, x):\n"
       "        return torch.nonsense(x)\n" +
           inputs,
       code::kK164, 0, "torch has no 'nonsense'"},
  };
  const fs::path folder = Scratch();
  for (const auto& refused : kRefused) {
    SCOPED_TRACE(refused.text);
    std::ofstream(folder / "model.py") << refused.text;
    try {
      ImportModel(folder / "model.py", folder / "task", {});
      ADD_FAILURE() << "was imported";
    } catch (const TaskError& error) {
      EXPECT_EQ(error.diagnostic().code, refused.code);
      EXPECT_EQ(error.diagnostic().location.line, refused.line);
      EXPECT_NE(error.diagnostic().message.find(refused.message),
                std::string::npos)
          << error.diagnostic().message;
    }
    EXPECT_FALSE(fs::exists(folder / "task" / "task.toml"));
  }
}

TEST(Import, SaysThatAFileIsMissing) {
  try {
    ImportModel("no/such/file.py", Scratch() / "task", {});
    FAIL() << "was imported";
  } catch (const TaskError& error) {
    EXPECT_EQ(error.diagnostic().code, code::kK160);
  }
}

}  // namespace
}  // namespace belay::bench::test_import
