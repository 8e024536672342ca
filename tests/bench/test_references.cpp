// SPDX-License-Identifier: Apache-2.0
// Tests that references run through libtorch as docs/tasks.md says.

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numbers>

#include "bench/case_files.h"
#include "bench/element.h"
#include "bench/reference_runner.h"
#include "bench/suite.h"
#include "bench/task_error.h"

namespace belay::bench::test_references {
namespace {

namespace fs = std::filesystem;

const Task& Everything() {
  static const Task kTask = LoadTask(fs::path(BELAY_TEST_TASKS) / "everything");
  return kTask;
}

double Real(const Argument& argument, size_t tensor, size_t i) {
  const Array& array = argument.tensors.at(tensor);
  return LoadReal(array.dtype, array.data.data() + i * BytesOf(array.dtype));
}

int64_t Integer(const Argument& argument, size_t i) {
  const Array& array = argument.tensors.at(0);
  return LoadInteger(array.dtype, array.data.data() + i * BytesOf(array.dtype));
}

TEST(References, EveryCaseOfEverythingRuns) {
  const Task& task = Everything();
  const auto runner = MakeReferenceRunner(task);
  EXPECT_TRUE(runner->Has("check"));
  EXPECT_FALSE(runner->Has("scale"));
  for (const Case& one_case : ExpandCases(task)) {
    SCOPED_TRACE(one_case.name);
    const Arguments inputs = runner->Inputs(one_case);
    const Arguments golden = runner->Reference(one_case, inputs);
    const Arguments eager = runner->Eager(one_case, inputs);
    const Arguments rounded = RoundToDeclared(task, one_case, golden);
    ASSERT_EQ(golden.size(), 4u);
    const DType real = DTypeOf("T", one_case);
    const bool whole = one_case.attributes["mode"] == "none";
    const bool bias = IsPresent(task.inputs[1], one_case);
    EXPECT_EQ(inputs[1].present, bias);
    EXPECT_EQ(golden[0].tensors[0].dtype, DType::kDouble);
    EXPECT_EQ(eager[0].tensors[0].dtype, real);
    EXPECT_EQ(golden[2].present, whole);
    // prepare() sets x to a third, which the input holds rounded.
    const double third = Real(inputs[0], 0, 0);
    EXPECT_EQ(third, real == DType::kHalf ? 0.333251953125
                                          : static_cast<double>(1.0f / 3));
    if (whole && one_case.kind == CaseKind::kEdge) {
      const double expected =
          third + (bias ? Real(inputs[1], 0, 0) : 0) +
          2 * one_case.attributes["eps"].get<double>() +
          std::numbers::pi * one_case.attributes["code"].get<double>();
      EXPECT_NEAR(Real(golden[0], 0, 0), expected, 1e-12);
      EXPECT_NEAR(Real(eager[0], 0, 0), expected, 0x1p-9);
    }
    EXPECT_EQ(Integer(golden[1], 0), Integer(inputs[2], 0) + 1);
    EXPECT_EQ(Integer(rounded[1], 0), Integer(eager[1], 0));
    for (int64_t i = 0; i < 2; ++i) EXPECT_EQ(Integer(golden[3], i), 1);
    if (golden[2].present && !golden[2].tensors.empty()) {
      const Array& squares = golden[2].tensors[0];
      EXPECT_EQ(squares.shape.back(), 2);
      const Argument& parts = inputs[3];
      const double re = LoadReal(DType::kFloat, parts.tensors[0].data.data());
      const double im =
          LoadReal(DType::kFloat, parts.tensors[0].data.data() + 4);
      const double exact = re * re - im * im;
      if (std::isfinite(exact)) {
        EXPECT_NEAR(Real(golden[2], 0, 0), exact, 1e-9 * std::abs(exact));
      }
      EXPECT_EQ(rounded[2].tensors[0].dtype, DType::kComplex64);
      EXPECT_EQ(rounded[2].tensors[0].shape, parts.tensors[0].shape);
    }
    EXPECT_EQ(runner->Check(one_case, inputs, eager), "");
    Arguments wrong = eager;
    StoreInteger(wrong[1].tensors[0].dtype, 1000,
                 wrong[1].tensors[0].data.data());
    EXPECT_EQ(runner->Check(one_case, inputs, wrong), "index is 1000");
    const Arguments scale = runner->Scale(one_case, inputs);
    EXPECT_TRUE(scale[0].present);
    EXPECT_FALSE(scale[1].present);
    if (whole && std::isfinite(Real(golden[0], 0, 0))) {
      EXPECT_GE(Real(scale[0], 0, 0), std::abs(Real(golden[0], 0, 0)));
    }
  }
}

// A copy of a small task whose reference.py is `text`.
Task WithReference(const std::string& text) {
  Task task = LoadTask(fs::path(BELAY_TEST_TASKS) / "small");
  task.reference = text;
  return task;
}

constexpr char kEager[] =
    "import torch\n\ndef eager(x: torch.Tensor) -> torch.Tensor:\n"
    "    return x\n";

struct Broken {
  const char* text;  // follows kEager, so that its first line is line 5
  const char* code;
  int line;
  const char* message;
};

TEST(References, SayWhatIsWrongAndWhere) {
  const Broken kBroken[] = {
      {"import numpy\n", "BLY-K111", 5, "import numpy"},
      {"def reference(x: torch.Tensor) -> torch.Tensor:\n"
       "    return torch.squareroot(x)\n",
       "BLY-K112", 6, "torch has no 'squareroot'"},
      {"def reference(x: torch.Tensor) -> torch.Tensor:\n    y = x +\n"
       "    return y\n",
       "BLY-K112", 6, "newline"},
      {"", "BLY-K113", 0, "the function reference() is missing"},
      {"def reference(z: torch.Tensor) -> torch.Tensor:\n    return z\n",
       "BLY-K113", 0, "must be (x: Tensor), got (z: Tensor)"},
      {"def reference(x: torch.Tensor) -> torch.Tensor:\n"
       "    one = torch.ones([3, 3], dtype=torch.float64)\n"
       "    return torch.matmul(x, one)\n",
       "BLY-K114", 7, "shapes cannot be multiplied"},
      {"def reference(x: torch.Tensor) -> torch.Tensor:\n"
       "    return x.to(torch.float32)\n",
       "BLY-K115", 0, "must stay in float64"},
      {"def reference(x: torch.Tensor) -> torch.Tensor:\n    return x[1:]\n",
       "BLY-K115", 0, "has the shape [3], the signature says [4]"},
      {"def reference(x: torch.Tensor) -> torch.Tensor:\n    return x > 0\n",
       "BLY-K115", 0, "is Bool, but the signature says f32"},
      {"def reference(x: torch.Tensor):\n    return x, x\n", "BLY-K115", 0,
       "tuple"},
  };
  for (const Broken& broken : kBroken) {
    const Task task = WithReference(std::string(kEager) + broken.text);
    SCOPED_TRACE(broken.text);
    try {
      const auto runner = MakeReferenceRunner(task);
      const Case one_case = ExpandCases(task).front();
      runner->Reference(one_case, runner->Inputs(one_case));
      FAIL() << "was accepted";
    } catch (const TaskError& error) {
      EXPECT_EQ(error.diagnostic().code, broken.code);
      EXPECT_EQ(error.diagnostic().location.line, broken.line);
      EXPECT_NE(error.diagnostic().message.find(broken.message),
                std::string::npos)
          << error.diagnostic().message;
    }
  }
}

// Every function of torch.nn.functional that Belay defines itself agrees with
// the formula in plain operators.
TEST(References, FunctionalFunctionsAgreeWithTheirFormulas) {
  const char* const kPairs[][2] = {
      {"torch.ops.aten.sigmoid_backward(x, x)", "x * (1.0 - x) * x"},
      {"F.softsign(x)", "x / (1.0 + torch.abs(x))"},
      {"F.logsigmoid(x)", "-torch.log(1.0 + torch.exp(-x))"},
      {"F.softmax(x, dim=-1)", "torch.exp(x) / torch.exp(x).sum(-1)"},
      {"F.log_softmax(x, 0)", "x - torch.logsumexp(x, 0)"},
      {"F.layer_norm(x, [4])",
       "(x - x.mean()) / torch.sqrt(x.var(unbiased=False) + 1e-5)"},
      {"F.normalize(x, dim=0)", "x / torch.sqrt((x * x).sum())"},
      {"x + F.mse_loss(x, -x, reduction='sum')", "x + (4.0 * x * x).sum()"},
      {"x + F.l1_loss(x, -x)", "x + (2.0 * torch.abs(x)).mean()"},
      {"x + F.smooth_l1_loss(x, x + 3.0, beta=0.5)", "x + 2.75"},
      {"x + F.huber_loss(x, x + 3.0, 'none', 2.0)", "x + 4.0"},
      {"x + F.kl_div(x, torch.exp(x), reduction='batchmean')", "x + 0.0"},
      {"F.batch_norm(x.reshape([2, 2]), None, None, training=True)"
       ".reshape([4])",
       "((x.reshape([2, 2]) - x.reshape([2, 2]).mean(0)) / torch.sqrt("
       "x.reshape([2, 2]).var(0, unbiased=False) + 1e-5)).reshape([4])"},
      {"F.group_norm(x.reshape([2, 2]), 1).reshape([4])",
       "((x.reshape([2, 2]) - x.reshape([2, 2]).mean(1, keepdim=True)) / "
       "torch.sqrt(x.reshape([2, 2]).var(1, unbiased=False, keepdim=True) + "
       "1e-5)).reshape([4])"},
      {"F.instance_norm(x.reshape([1, 2, 2])).reshape([4])",
       "F.group_norm(x.reshape([2, 2]), 1).reshape([4])"},
      {"x + F.cross_entropy(x.reshape([1, 4]), torch.tensor([2]))",
       "x + (torch.logsumexp(x, 0) - x[2])"},
      {"x + F.nll_loss(x.reshape([1, 4]), torch.tensor([1]))", "x - x[1]"},
      {"F.embedding(torch.tensor([3, 2, 1, 0]), x.reshape([4, 1]))"
       ".reshape([4])",
       "torch.flip(x, [0])"},
      {"x + F.triplet_margin_loss(x.reshape([1, 4]), x.reshape([1, 4]), "
       "x.reshape([1, 4]), margin=1.5)",
       "x + 1.5"},
  };
  for (const auto& pair : kPairs) {
    SCOPED_TRACE(pair[0]);
    const Task task = WithReference(
        std::string("import torch\nimport torch.nn.functional as F\n\n"
                    "def reference(x: torch.Tensor) -> torch.Tensor:\n"
                    "    return ") +
        pair[1] +
        "\n\ndef eager(x: torch.Tensor) -> torch.Tensor:\n    return " +
        pair[0] + "\n");
    const auto runner = MakeReferenceRunner(task);
    const Case one_case = ExpandCases(task).front();
    const Arguments inputs = runner->Inputs(one_case);
    const Arguments golden = runner->Reference(one_case, inputs);
    const Arguments eager = runner->Eager(one_case, inputs);
    for (size_t i = 0; i < 4; ++i) {
      EXPECT_NEAR(Real(eager[0], 0, i), Real(golden[0], 0, i), 1e-5);
    }
  }
}

TEST(References, CasesAreWrittenAsFiles) {
  const Task& task = Everything();
  const auto runner = MakeReferenceRunner(task);
  const fs::path folder = fs::path(::testing::TempDir()) / "case_files";
  fs::remove_all(folder);
  CaseFiles files(task, folder);
  const std::vector<Case> cases = ExpandCases(task);
  std::vector<Arguments> inputs;
  std::vector<Arguments> golden;
  for (const Case& one_case : cases) {
    inputs.push_back(runner->Inputs(one_case));
    golden.push_back(runner->Reference(one_case, inputs.back()));
    const Arguments eager = runner->Eager(one_case, inputs.back());
    files.Add(one_case, {inputs.back(), golden.back(), eager});
  }
  files.Finish();
  std::ifstream stream(folder / "index.json");
  const nlohmann::json index = nlohmann::json::parse(stream);
  EXPECT_EQ(index["task"], task.id);
  EXPECT_EQ(index["hash"], task.hash);
  ASSERT_EQ(index["cases"].size(), cases.size());
  const auto same = [&](const nlohmann::json& written,
                        const Arguments& arguments) {
    ASSERT_EQ(written.size(), arguments.size());
    for (size_t i = 0; i < arguments.size(); ++i) {
      EXPECT_EQ(written[i]["name"], arguments[i].name);
      EXPECT_EQ(written[i]["present"], arguments[i].present);
      ASSERT_EQ(written[i]["tensors"].size(), arguments[i].tensors.size());
      for (size_t k = 0; k < arguments[i].tensors.size(); ++k) {
        const Array& tensor = arguments[i].tensors[k];
        const nlohmann::json& entry = written[i]["tensors"][k];
        EXPECT_EQ(entry["dtype"], NameOf(tensor.dtype));
        const Array read = ReadNpy(folder / entry["file"].get<std::string>());
        EXPECT_EQ(read.shape, tensor.shape);
        EXPECT_EQ(read.data, tensor.data);
      }
    }
  };
  for (size_t i = 0; i < cases.size(); ++i) {
    SCOPED_TRACE(cases[i].name);
    same(index["cases"][i]["inputs"], inputs[i]);
    same(index["cases"][i]["reference"], golden[i]);
    EXPECT_EQ(index["cases"][i]["attributes"].size(), task.attributes.size());
  }
}

}  // namespace
}  // namespace belay::bench::test_references
