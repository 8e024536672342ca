// SPDX-License-Identifier: Apache-2.0
// Tests that lint refuses every planted weakness of tests/bad_tasks for the
// reason it was planted for, and accepts sound tasks.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "bench/duplicates.h"
#include "bench/lint_suite.h"
#include "bench/suite.h"

namespace belay::bench::test_task_lint {
namespace {

namespace fs = std::filesystem;

// The first line of a bad task: "# refused: BLY-K120 constant:y", a code and
// words that the message or its fix must hold.
struct Refusal {
  std::string code;
  std::string words;
};

Refusal ExpectedOf(const Task& task) {
  std::ifstream file(task.file);
  std::string line;
  std::getline(file, line);
  const std::string mark = "# refused: ";
  EXPECT_TRUE(line.starts_with(mark)) << task.file;
  const std::string rest = line.substr(mark.size());
  const size_t space = rest.find(' ');
  return {rest.substr(0, space), rest.substr(space + 1)};
}

std::string Show(const LintReport& report) {
  std::string text;
  for (const Diagnostic& finding : report.findings) text += ToText(finding);
  return text.empty() ? "no findings" : text;
}

TEST(Lint, RefusesEveryBadTask) {
  std::vector<std::unique_ptr<Task>> loaded;
  for (const auto& entry : fs::directory_iterator(BELAY_BAD_TASKS)) {
    loaded.push_back(std::make_unique<Task>(LoadTask(entry.path())));
  }
  ASSERT_GE(loaded.size(), 30u);
  std::vector<const Task*> tasks;
  for (const auto& task : loaded) tasks.push_back(task.get());
  LintOptions options;
  options.seconds = 10;
  size_t seen = 0;
  options.progress = [&](const LintReport&, size_t done) {
    EXPECT_EQ(done, ++seen);
  };
  const std::vector<LintReport> reports = LintTasks(tasks, options);
  EXPECT_EQ(seen, tasks.size());
  for (size_t i = 0; i < tasks.size(); ++i) {
    SCOPED_TRACE(tasks[i]->id);
    const Refusal expected = ExpectedOf(*tasks[i]);
    const auto fits = [&](const Diagnostic& finding) {
      return finding.code == expected.code &&
             (finding.message + finding.fix).find(expected.words) !=
                 std::string::npos;
    };
    EXPECT_TRUE(std::any_of(reports[i].findings.begin(),
                            reports[i].findings.end(), fits))
        << "expected " << expected.code << " " << expected.words << ", got\n"
        << Show(reports[i]);
  }
}

TEST(Lint, AcceptsSoundTasks) {
  const Suite suite = LoadShippedSuite();
  const std::vector<const Task*> tasks =
      SelectTasks(suite, {"level1/Math/Sqrt", "level2/Foreach/ForeachCopy",
                          "level2/Foreach/ForeachExp"});
  const std::vector<LintReport> reports = LintTasks(tasks, {});
  ASSERT_EQ(reports.size(), 3u);
  for (size_t i = 0; i < tasks.size(); ++i) {
    EXPECT_EQ(reports[i].id, tasks[i]->id);
    EXPECT_TRUE(reports[i].findings.empty()) << Show(reports[i]);
    EXPECT_GT(reports[i].looked_at, 10u);
    EXPECT_GT(reports[i].shortcuts, 10u);
  }
  const auto copy = std::find_if(
      reports.begin(), reports.end(),
      [](const LintReport& r) { return r.id.ends_with("ForeachCopy"); });
  ASSERT_EQ(copy->waived.size(), 1u);
  EXPECT_EQ(copy->waived[0].shortcut, "identity");
}

TEST(Lint, TasksWithOneReferenceNeedTheirOwnCases) {
  const Suite suite = LoadShippedSuite();
  const Task& first = FindTask(suite, "level1/Math/Sqrt");
  Task second = first;
  second.id = "other/Sqrt";
  std::vector<LintReport> reports(2);
  AddDuplicates({&first, &second}, reports);
  EXPECT_TRUE(reports[0].findings.empty());
  ASSERT_EQ(reports[1].findings.size(), 1u);
  EXPECT_EQ(reports[1].findings[0].code, "BLY-K127");

  // Other shapes in all real cases: nothing is shared any more.
  for (CaseGroup& group : second.groups) {
    if (group.kind != CaseKind::kReal) continue;
    for (Value& sizes : group.sizes) sizes["S"] = {3, 5, 1021};
  }
  reports.assign(2, {});
  AddDuplicates({&first, &second}, reports);
  EXPECT_TRUE(reports[1].findings.empty()) << Show(reports[1]);
}

TEST(Lint, LooksAtMediumCasesFirstAndWithinItsLimits) {
  const Suite suite = LoadShippedSuite();
  const Task& task = FindTask(suite, "level1/Math/Sqrt");
  const std::vector<Case> cases = ExpandCases(task);
  const std::vector<Case> chosen = LintCases(task, cases);
  ASSERT_FALSE(chosen.empty());
  EXPECT_LT(chosen.size(), cases.size());
  int64_t total = 0;
  for (const Case& one_case : chosen) {
    EXPECT_LE(ElementsOf(task, one_case), kMostCaseElements);
    total += ElementsOf(task, one_case);
  }
  EXPECT_LE(total, kMostTaskElements);
  EXPECT_GT(ElementsOf(task, chosen.front()), 1000);
}

}  // namespace
}  // namespace belay::bench::test_task_lint
