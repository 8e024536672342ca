// SPDX-License-Identifier: Apache-2.0
// Tests that variants of tasks are tasks: they load, run, differ from the
// original in names and shapes, and lint finds nothing in them.

#include <gtest/gtest.h>

#include <filesystem>

#include "bench/lint_suite.h"
#include "bench/mutate.h"
#include "bench/suite.h"
#include "bench/task_error.h"

namespace belay::bench::test_task_mutate {
namespace {

namespace fs = std::filesystem;

class Mutate : public ::testing::Test {
 protected:
  void SetUp() override { fs::remove_all(folder_); }
  void TearDown() override { fs::remove_all(folder_); }

  const fs::path folder_ =
      fs::path(::testing::TempDir()) /
      (std::string("belay_mutate_") +
       ::testing::UnitTest::GetInstance()->current_test_info()->name());
};

TEST_F(Mutate, RenamesWordsOfCodeAndText) {
  const std::map<std::string, std::string> names = {{"x", "in_ab"},
                                                    {"dim", "arg_cd"}};
  EXPECT_EQ(RenameWords("torch.sum(x, dim=dim) + x.dim() + xx", names, true),
            "torch.sum(in_ab, dim=arg_cd) + in_ab.dim() + xx");
  EXPECT_EQ(
      RenameWords("return \"x is wrong\" if dim == 1 else x", names, true),
      "return \"x is wrong\" if arg_cd == 1 else in_ab");
  EXPECT_EQ(RenameWords("y = √x along dim.", names, false),
            "y = √in_ab along arg_cd.");
}

TEST_F(Mutate, VariantsRunAndLintFindsNothing) {
  const Suite suite = LoadShippedSuite();
  std::vector<std::unique_ptr<Task>> variants;
  for (const char* id : {"level1/Math/Sqrt", "level2/Foreach/ForeachAddScalar",
                         "level2/Foreach/ForeachCopy", "level2/Norm/RmsNorm"}) {
    SCOPED_TRACE(id);
    const Task& task = FindTask(suite, id);
    const Variant variant = MutateTask(task, 7);
    const fs::path folder = folder_ / task.name;
    WriteVariant(variant, folder);
    variants.push_back(std::make_unique<Task>(LoadTask(folder)));
    const Task& other = *variants.back();
    EXPECT_GT(variant.changed_groups, 0);
    ASSERT_EQ(other.inputs.size(), task.inputs.size());
    for (size_t i = 0; i < task.inputs.size(); ++i) {
      EXPECT_NE(other.inputs[i].name, task.inputs[i].name);
      EXPECT_EQ(other.inputs[i].name, variant.renamed.at(task.inputs[i].name));
    }
    EXPECT_EQ(ExpandCases(other).size(), ExpandCases(task).size());
    EXPECT_NE(other.hash, task.hash);
  }
  std::vector<const Task*> tasks;
  for (const auto& task : variants) tasks.push_back(task.get());
  for (const LintReport& report : LintTasks(tasks, {})) {
    for (const Diagnostic& finding : report.findings) {
      ADD_FAILURE() << ToText(finding);
    }
  }
}

TEST_F(Mutate, TheSeedDecides) {
  const Suite suite = LoadShippedSuite();
  const Task& task = FindTask(suite, "level1/Math/Sqrt");
  const Variant first = MutateTask(task, 1);
  EXPECT_EQ(first.toml, MutateTask(task, 1).toml);
  EXPECT_NE(first.toml, MutateTask(task, 2).toml);
}

TEST_F(Mutate, WritesNoFolderThatHasFiles) {
  const Suite suite = LoadShippedSuite();
  const Variant variant = MutateTask(FindTask(suite, "level1/Math/Sqrt"), 1);
  WriteVariant(variant, folder_);
  try {
    WriteVariant(variant, folder_);
    FAIL() << "written twice";
  } catch (const TaskError& error) {
    EXPECT_EQ(error.diagnostic().code, "BLY-K128");
  }
}

}  // namespace
}  // namespace belay::bench::test_task_mutate
