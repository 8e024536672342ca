// SPDX-License-Identifier: Apache-2.0
// Tests task files, families, suites, expressions, cases and drawn inputs.

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>

#include "bench/case.h"
#include "bench/element.h"
#include "bench/inputs.h"
#include "bench/reference_text.h"
#include "bench/suite.h"
#include "bench/task_error.h"

namespace belay::bench::test_tasks {
namespace {

namespace fs = std::filesystem;

Value Evaluate(const std::string& text) {
  const Environment environment = {{"S", {4, 6, 8}},
                                   {"N", 7},
                                   {"dim", -1},
                                   {"mode", "none"},
                                   {"L", {{1}, {2, 3}}}};
  return Expression::Parse(text).Evaluate(environment);
}

TEST(Expression, FollowsPython) {
  const std::pair<std::string, std::string> kCases[] = {
      {"1 + 2 * 3 - 4", "3"},
      {"-7 // 2", "-4"},
      {"-7 % 3", "2"},
      {"2 ** 10", "1024"},
      {"7 / 2", "3.5"},
      {"[*S, N]", "[4,6,8,7]"},
      {"[]", "[]"},
      {"S[-1] + S[0]", "12"},
      {"replace(S, dim, S[dim] // 2)", "[4,6,4]"},
      {"remove(S, 1)", "[4,8]"},
      {"insert(S, -1, 2)", "[4,6,8,2]"},
      {"[[] for s in L]", "[[],[]]"},
      {"[len(s) for s in L]", "[1,2]"},
      {"[prod(s) for s in L]", "[1,6]"},
      {"cumsum(S)", "[4,10,18]"},
      {"max(S) - min(N, 9)", "1"},
      {"S + [1] * 2", "[4,6,8,1,1]"},
      {"S if mode == 'none' else []", "[4,6,8]"},
      {"[] if mode != 'none' else S", "[4,6,8]"},
      {"not (N > 3 and N < 5) or False", "true"},
      {"6 in S", "true"},
      {"acl_type('bf16')", "27"},
      {"[i * 2 for i in range(3)]", "[0,2,4]"},
  };
  for (const auto& [text, expected] : kCases) {
    EXPECT_EQ(Evaluate(text).dump(), expected) << text;
  }
  EXPECT_EQ(Expression::Parse("[*S, len(L), [s for s in q]]").Names(),
            (std::vector<std::string>{"L", "S", "q"}));
}

TEST(Expression, SaysWhatIsWrong) {
  const std::pair<std::string, std::string> kCases[] = {
      {"[*S, N", "column 7: expected ','"},
      {"1 +", "expected a value, found the end"},
      {"missing", "'missing' has no value"},
      {"S[5]", "index 5 lies outside a list of 3"},
      {"N // 0", "divides 7 by 0"},
      {"sine(3)", "is not a function"},
      {"len(N)", "needs a list"},
      {"prod(S, S)", "takes 1 arguments, got 2"},
      {"mode + 1", "needs an integer"},
      {"1 2", "expected nothing more"},
  };
  for (const auto& [text, message] : kCases) {
    try {
      Evaluate(text);
      FAIL() << text << " was accepted";
    } catch (const ExpressionError& error) {
      EXPECT_NE(std::string(error.what()).find(message), std::string::npos)
          << error.what();
    }
  }
}

const Task& Everything() {
  static const Task kTask = LoadTask(fs::path(BELAY_TEST_TASKS) / "everything");
  return kTask;
}

TEST(Task, IsReadAsDeclared) {
  const Task& task = Everything();
  EXPECT_EQ(task.id, "everything");
  EXPECT_EQ(task.level, 2);
  ASSERT_EQ(task.types.size(), 2u);
  EXPECT_EQ(task.types[1].at("I"), DType::kInt64);
  EXPECT_EQ(task.types[1].at("B"), DType::kBool);
  EXPECT_TRUE(FindInput(task, "bias")->optional);
  EXPECT_TRUE(FindInput(task, "parts")->list);
  EXPECT_EQ(FindInput(task, "index")->values.kind, ValueKind::kIndex);
  EXPECT_EQ(FindOutput(task, "index")->in_place, "index");
  EXPECT_EQ(FindOutput(task, "index")->precision, Precision::kExact);
  EXPECT_EQ(FindOutput(task, "y")->precision, Precision::kUlp);
  EXPECT_EQ(FindOutput(task, "nothing"), nullptr);
  EXPECT_EQ(task.hash.size(), 32u);
  ASSERT_EQ(task.waivers.size(), 1u);
  EXPECT_EQ(task.waivers[0].shortcut, "identity");
}

TEST(Case, GroupsExpand) {
  const Task& task = Everything();
  const std::vector<Case> cases = ExpandCases(task);
  // 2 sizes × 2 attributes × 2 columns × 2 absent, then 3 regimes in a cycle.
  ASSERT_EQ(cases.size(), 16u + 3u);
  std::set<std::string> names;
  std::set<uint64_t> seeds;
  for (const Case& one_case : cases) {
    names.insert(one_case.name);
    seeds.insert(one_case.seed);
  }
  EXPECT_EQ(names.size(), cases.size());
  EXPECT_EQ(seeds.size(), cases.size());
  const Case& last = cases.back();
  EXPECT_EQ(last.name, "real-2");
  EXPECT_EQ(last.regime, Regime::kSpecial);
  EXPECT_FALSE(last.lint);
  EXPECT_EQ(last.types.at("T"), DType::kFloat);
  // The host scalar is rounded to f16 or f32, the computed attribute follows.
  const Case& first = cases.front();
  EXPECT_EQ(first.types.at("T"), DType::kHalf);
  EXPECT_EQ(first.attributes["eps"], 0.0999755859375);
  EXPECT_EQ(first.attributes["code"], 1);
  EXPECT_EQ(last.attributes["eps"], static_cast<double>(0.1f));
  EXPECT_EQ(InputShapes(*FindInput(task, "x"), first),
            (std::vector<Shape>{{2, 3, 8}}));
  EXPECT_EQ(InputShapes(*FindInput(task, "parts"), first),
            (std::vector<Shape>{{2}, {3, 2}}));
  EXPECT_EQ(ElementsOf(task, first), 48 + 8 + 5 + 8 + 5 + 48 + 5 + 8 + 5);
  int absent = 0;
  int no_squares = 0;
  for (const Case& one_case : cases) {
    absent += !IsPresent(*FindInput(task, "bias"), one_case);
    no_squares += !IsPresent(*FindOutput(task, "squares"), one_case);
  }
  EXPECT_EQ(absent, 8);
  EXPECT_EQ(no_squares, 8);
}

// A task with one input; `values` and `cases` are TOML. Its name, from which
// its seeds follow, is always the same.
Task MakeTask(const std::string& dtype, const std::string& values,
              const std::string& cases) {
  const fs::path parent =
      fs::temp_directory_path() / ("belay_task_" + std::to_string(getpid()));
  const fs::path folder = parent / "task";
  fs::create_directories(folder);
  std::ofstream(folder / "task.toml")
      << "level = 1\nsource = \"t\"\nsummary = \"s\"\nformula = \"f\"\n"
         "specification = \"s\"\n[[input]]\nname = \"x\"\ndescription = \"x\"\n"
         "dtype = \""
      << dtype << "\"\nshape = \"S\"\nvalues = " << values
      << "\n[[output]]\nname = \"y\"\ndescription = \"y\"\ndtype = \"f32\"\n"
         "shape = \"S\"\n[[cases]]\nkind = \"edge\"\n"
      << cases << "\n";
  std::ofstream(folder / "reference.py") << "import torch\n";
  Task task;
  try {
    task = LoadTask(folder);
  } catch (...) {
    fs::remove_all(parent);
    throw;
  }
  fs::remove_all(parent);
  return task;
}

std::vector<double> DrawFirst(const Task& task, size_t which = 0) {
  const Arguments inputs = DrawInputs(task, ExpandCases(task).at(which));
  const Array& array = inputs.at(0).tensors.at(0);
  std::vector<double> numbers;
  for (int64_t i = 0; i < ElementCount(array.shape); ++i) {
    const std::byte* at = array.data.data() + i * BytesOf(array.dtype);
    numbers.push_back(IsReal(array.dtype)
                          ? LoadReal(array.dtype, at)
                          : static_cast<double>(LoadInteger(array.dtype, at)));
  }
  return numbers;
}

TEST(Inputs, AreTheSameEveryTimeAndDifferBetweenCases) {
  const Task& task = Everything();
  const std::vector<Case> cases = ExpandCases(task);
  const Arguments once = DrawInputs(task, cases[0]);
  const Arguments again = DrawInputs(task, cases[0]);
  const Arguments other = DrawInputs(task, cases[4]);
  ASSERT_EQ(once.size(), 5u);
  for (size_t i = 0; i < once.size(); ++i) {
    ASSERT_EQ(once[i].tensors.size(), again[i].tensors.size());
    for (size_t k = 0; k < once[i].tensors.size(); ++k) {
      EXPECT_EQ(once[i].tensors[k].data, again[i].tensors[k].data);
    }
  }
  EXPECT_NE(once[0].tensors[0].data, other[0].tensors[0].data);
}

TEST(Inputs, NormalNumbersHaveMeanZeroAndVarianceOne) {
  const auto x = DrawFirst(MakeTask("f32", "\"real\"", "sizes = {S=[20000]}"));
  double sum = 0;
  double squares = 0;
  for (const double value : x) {
    sum += value;
    squares += value * value;
  }
  EXPECT_NEAR(sum / 20000, 0, 0.03);
  EXPECT_NEAR(squares / 20000, 1, 0.03);
}

TEST(Inputs, RegimesReachWhatTheyPromise) {
  const Task task =
      MakeTask("f16", "\"real\"",
               "sizes = {S=[64,65]}\n"
               "regimes = [\"wide\", \"small\", \"special\", \"cancellation\", "
               "\"ties\"]");
  const auto wide = DrawFirst(task, 0);
  EXPECT_GT(*std::max_element(wide.begin(), wide.end()), 64);
  EXPECT_LT(*std::min_element(wide.begin(), wide.end()), -64);
  for (const double value : DrawFirst(task, 1)) EXPECT_LT(value, 0.01);
  const auto special = DrawFirst(task, 2);
  int nan = 0;
  int infinite = 0;
  for (size_t i = 0; i < special.size(); ++i) {
    nan += std::isnan(special[i]);
    infinite += std::isinf(special[i]);
    // Every second row stays clean.
    EXPECT_TRUE(i / 65 % 2 == 0 || std::isfinite(special[i])) << i;
  }
  EXPECT_GT(nan, 5);
  EXPECT_GT(infinite, 5);
  const auto cancel = DrawFirst(task, 3);
  for (size_t row = 0; row < 64; ++row) {
    for (size_t i = 0; i + 1 < 65; i += 2) {
      EXPECT_NEAR(cancel[row * 65 + i], -cancel[row * 65 + i + 1], 2);
    }
  }
  const auto ties = DrawFirst(task, 4);
  EXPECT_LE(std::set<double>(ties.begin(), ties.end()).size(), 7u);
}

TEST(Inputs, IntegersTellOneApartAboveTwoToThe24) {
  const auto x = DrawFirst(MakeTask(
      "i32", "\"real\"", "sizes = {S=[200]}\nregimes = [\"cancellation\"]"));
  bool odd = false;
  for (const double value : x) {
    EXPECT_GE(std::abs(value), 0x1p24);
    EXPECT_LE(std::abs(value), 0x1p24 + 8);
    odd |= std::fmod(value, 2) != 0;
  }
  EXPECT_TRUE(odd);
}

TEST(Inputs, KindsKeepTheirRange) {
  const std::string all =
      "sizes = {S=[8,33]}\nregimes = [\"normal\", \"wide\", \"small\", "
      "\"ties\"]";
  for (size_t which = 0; which < 4; ++which) {
    for (const std::string dtype : {"f32", "f16", "bf16", "i32"}) {
      for (const double v :
           DrawFirst(MakeTask(dtype, "\"positive\"", all), which)) {
        EXPECT_GT(v, 0);
      }
      for (const double v :
           DrawFirst(MakeTask(dtype, "\"nonzero\"", all), which)) {
        EXPECT_NE(v, 0);
      }
      for (const double v :
           DrawFirst(MakeTask(dtype, "\"unit\"", all), which)) {
        EXPECT_LE(std::abs(v), 1);
      }
    }
    for (const double v :
         DrawFirst(MakeTask("f16", "\"fraction\"", all), which)) {
      EXPECT_GE(v, 0);
      EXPECT_LT(v, 1);
    }
  }
  const std::string rows = "sizes = {S=[5,9]}";
  const auto sums = [](const std::vector<double>& x, size_t row) {
    double sum = 0;
    for (size_t i = 0; i < 9; ++i) sum += x[row * 9 + i];
    return sum;
  };
  const auto probability = DrawFirst(MakeTask("f32", "\"probability\"", rows));
  const auto partition =
      DrawFirst(MakeTask("i64", "{ kind = \"partition\", total = 40 }", rows));
  const auto running = DrawFirst(MakeTask(
      "i64", "{ kind = \"partition\", total = 40, cumulative = true }", rows));
  const auto permutation = DrawFirst(MakeTask("i32", "\"permutation\"", rows));
  for (size_t row = 0; row < 5; ++row) {
    EXPECT_NEAR(sums(probability, row), 1, 1e-5);
    EXPECT_EQ(sums(partition, row), 40);
    EXPECT_EQ(running[row * 9 + 8], 40);
    EXPECT_EQ(sums(permutation, row), 36);
  }
  for (const double v : DrawFirst(
           MakeTask("i32", "{ kind = \"index\", high = \"S[1]\" }", rows))) {
    EXPECT_GE(v, 0);
    EXPECT_LT(v, 9);
  }
  EXPECT_EQ(DrawFirst(MakeTask("i64", "{ kind = \"given\", of = \"S\" }",
                               "sizes = {S=[1]}")),
            (std::vector<double>{1}));
  EXPECT_THROW(
      DrawFirst(MakeTask("i64", "{ kind = \"given\", of = \"[1, 2]\" }",
                         "sizes = {S=[3]}")),
      TaskError);
}

TEST(Inputs, AGroupMayHoldOtherValues) {
  const Task task = MakeTask("f32", "\"positive\"",
                             "sizes = {S=[64]}\nvalues = { x = \"real\" }\n"
                             "[[cases]]\nkind = \"edge\"\nsizes = {S=[64]}");
  const auto real = DrawFirst(task, 0);
  const auto positive = DrawFirst(task, 1);
  EXPECT_LT(*std::min_element(real.begin(), real.end()), 0);
  EXPECT_GT(*std::min_element(positive.begin(), positive.end()), 0);
}

TEST(Rounding, IsDoneOnce) {
  // Just above the middle between two halves: f32 in between would lose it.
  const double value = 1 + 0x1p-11 + 0x1p-40;
  EXPECT_EQ(HalfFromDouble(value).bits, 0x3c01);
  EXPECT_EQ(HalfFromFloat(static_cast<float>(value)).bits, 0x3c00);
  EXPECT_EQ(HalfFromDouble(70000).bits, 0x7c00);
  EXPECT_EQ(BfloatFromDouble(1e39).bits, 0x7f80);
  Array golden;
  golden.dtype = DType::kInt64;
  golden.shape = {2};
  golden.data.resize(16);
  StoreInteger(DType::kInt64, 300, golden.data.data());
  StoreInteger(DType::kInt64, -129, golden.data.data() + 8);
  const Array wrapped = RoundTo(golden, DType::kInt8);
  EXPECT_EQ(LoadInteger(DType::kInt8, wrapped.data.data()), 44);
  EXPECT_EQ(LoadInteger(DType::kInt8, wrapped.data.data() + 1), 127);
}

void WriteFile(const fs::path& file, const std::string& text) {
  fs::create_directories(file.parent_path());
  std::ofstream(file) << text;
}

// A suite with one family of two tasks.
class SuiteTest : public ::testing::Test {
 protected:
  void SetUp() override {
    root_ =
        fs::temp_directory_path() / ("belay_suite_" + std::to_string(getpid()));
    WriteFile(root_ / "suite.toml", "name = \"s\"\nversion = \"1\"\n");
    WriteFile(folder() / "members.toml",
              "[defaults]\ndtype = \"f32\"\n[[member]]\nname = \"Abs\"\nf = "
              "\"abs\"\n[[member]]\nname = \"Neg\"\nf = \"neg\"\ndtype = "
              "\"f16\"\n");
    WriteFile(folder() / "task.toml",
              "level = 1\nsource = \"t\"\nsummary = \"${f}\"\nformula = \"f\"\n"
              "specification = \"s\"\n[[input]]\nname = \"x\"\ndescription = "
              "\"x\"\ndtype = \"${dtype}\"\nshape = \"S\"\n[[output]]\nname = "
              "\"y\"\ndescription = \"y\"\ndtype = \"${dtype}\"\nshape = "
              "\"S\"\n[[cases]]\nkind = \"edge\"\nsizes = {S=[1]}\n");
    WriteFile(folder() / "reference.py", "import torch\n# ${f}\n");
  }
  void TearDown() override { fs::remove_all(root_); }
  fs::path folder() const { return root_ / "level1/Math/unary.family"; }

  fs::path root_;
};

TEST_F(SuiteTest, FamiliesBecomeTasks) {
  const Suite suite = LoadSuite(root_);
  ASSERT_EQ(suite.tasks.size(), 2u);
  EXPECT_EQ(suite.tasks[0].id, "level1/Math/Abs");
  EXPECT_EQ(suite.tasks[0].category, "Math");
  EXPECT_EQ(suite.tasks[0].inputs[0].dtype, "f32");
  EXPECT_EQ(suite.tasks[1].inputs[0].dtype, "f16");
  EXPECT_EQ(suite.tasks[1].summary, "neg");
  EXPECT_NE(suite.tasks[0].hash, suite.tasks[1].hash);
  EXPECT_EQ(FindTask(suite, "math/abs").name, "Abs");
  EXPECT_EQ(bench::SelectTasks(suite, {"level1"}).size(), 2u);
  EXPECT_EQ(bench::SelectTasks(suite, {"Neg", "neg"}).size(), 1u);
  try {
    FindTask(suite, "Negg");
    FAIL();
  } catch (const TaskError& error) {
    EXPECT_EQ(error.diagnostic().code, code::kK117);
    EXPECT_NE(error.diagnostic().fix.find("level1/Math/Neg"),
              std::string::npos);
  }
}

TEST_F(SuiteTest, TheHashFollowsEveryTask) {
  const std::string before = LoadSuite(root_).hash;
  EXPECT_EQ(LoadSuite(root_).hash, before);
  WriteFile(folder() / "reference.py", "import torch\n# ${f} changed\n");
  EXPECT_NE(LoadSuite(root_).hash, before);
}

TEST_F(SuiteTest, ATemplateNeedsItsValuesAndMembersTheirUse) {
  WriteFile(folder() / "reference.py", "import torch\n# ${f}\n# ${missing}\n");
  try {
    LoadSuite(root_);
    FAIL();
  } catch (const TaskError& error) {
    EXPECT_EQ(error.diagnostic().code, code::kK116);
    EXPECT_EQ(error.diagnostic().location.line, 3);
  }
  WriteFile(folder() / "reference.py", "import torch\n");
  WriteFile(folder() / "members.toml",
            "[[member]]\nname = \"Abs\"\nf = \"a\"\ndtype = \"f32\"\nunused = "
            "\"1\"\n");
  EXPECT_THROW(LoadSuite(root_), TaskError);
}

TEST(ShippedSuite, EveryTaskHasEdgeAndRealCasesAndDrawsItsSmallOnes) {
  const Suite suite = LoadShippedSuite();
  EXPECT_FALSE(suite.tasks.empty());
  for (const Task& task : suite.tasks) {
    SCOPED_TRACE(task.id);
    std::set<CaseKind> kinds;
    for (const Case& one_case : ExpandCases(task)) {
      kinds.insert(one_case.kind);
      if (ElementsOf(task, one_case) > 4096) continue;
      EXPECT_EQ(DrawInputs(task, one_case).size(), task.inputs.size());
    }
    EXPECT_EQ(kinds.size(), 2u) << "needs edge and real cases";
  }
}

}  // namespace
}  // namespace belay::bench::test_tasks
