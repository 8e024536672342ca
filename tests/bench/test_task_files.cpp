// SPDX-License-Identifier: Apache-2.0
// Tests what broken task files are told, and that the page of all tasks is up
// to date.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>

#include "bench/case.h"
#include "bench/family.h"
#include "bench/reference_runner.h"
#include "bench/suite.h"
#include "bench/task_error.h"
#include "bench/task_list.h"
#include "bench/task_reader.h"

namespace belay::bench::test_task_files {
namespace {

namespace fs = std::filesystem;

std::string Read(const fs::path& file) {
  std::ifstream stream(file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::vector<fs::path> BrokenTasks() {
  std::vector<fs::path> folders;
  for (const auto& entry : fs::directory_iterator(BELAY_BROKEN_TASKS)) {
    folders.push_back(entry.path());
  }
  std::sort(folders.begin(), folders.end());
  return folders;
}

// Does with a folder what `belay tasks run` would do.
void RunAll(const fs::path& folder) {
  std::vector<Task> tasks;
  if (fs::exists(folder / "members.toml")) {
    for (const TaskText& text : ExpandFamily(folder, "")) {
      tasks.push_back(ReadTask(text));
    }
  } else {
    tasks.push_back(LoadTask(folder));
  }
  for (const Task& task : tasks) {
    const std::vector<Case> cases = ExpandCases(task);
    const auto runner = MakeReferenceRunner(task);
    for (const Case& one_case : cases) {
      const Arguments inputs = runner->Inputs(one_case);
      runner->Reference(one_case, inputs);
      runner->Eager(one_case, inputs);
    }
  }
}

// Each folder holds expected.txt: its lines must be lines of what is said,
// file names relative to the folder.
TEST(BrokenTasks, AreToldWhatIsWrong) {
  const std::vector<fs::path> folders = BrokenTasks();
  EXPECT_GE(folders.size(), 25u);
  std::set<std::string> codes;
  for (const fs::path& folder : folders) {
    std::string said;
    try {
      RunAll(folder);
    } catch (const TaskError& error) {
      said = ToText(error.diagnostic());
      codes.insert(error.diagnostic().code);
    }
    const std::string prefix = folder.string() + "/";
    for (size_t at; (at = said.find(prefix)) != std::string::npos;) {
      said.erase(at, prefix.size());
    }
    std::istringstream expected(Read(folder / "expected.txt"));
    int lines = 0;
    for (std::string line; std::getline(expected, line); ++lines) {
      EXPECT_NE(("\n" + said).find("\n" + line + "\n"), std::string::npos)
          << folder.filename() << "\nexpected: " << line << "\nsaid: " << said;
    }
    EXPECT_GT(lines, 0) << folder.filename() << "\nsaid: " << said;
  }
  EXPECT_GE(codes.size(), 15u);
}

TEST(TaskList, PageIsUpToDate) {
  const Suite suite = LoadShippedSuite();
  EXPECT_TRUE(MarkdownList(suite, SelectTasks(suite, {})) ==
              Read(BELAY_TASK_LIST))
      << "docs/task_list.md is not what `belay tasks list --markdown` prints: "
         "write it anew";
}

// Lint refuses waivers that nothing needs, so the page must have all.
TEST(TaskList, PageOfWaiversIsUpToDate) {
  const std::string page = Read(BELAY_TASK_WAIVERS);
  size_t waivers = 0;
  for (const Task& task : LoadShippedSuite().tasks) {
    for (const Waiver& waiver : task.waivers) {
      ++waivers;
      const std::string row = "\n| " + task.id + " | " + waiver.shortcut +
                              " | " + waiver.reason + " |\n";
      EXPECT_NE(page.find(row), std::string::npos)
          << "docs/task_waivers.md lacks" << row
          << "write it anew: belay tasks lint --write-waivers "
             "docs/task_waivers.md";
    }
  }
  // Two lines above the rows begin a table.
  size_t lines = 0;
  for (size_t at = page.find("\n|"); at != std::string::npos;
       at = page.find("\n|", at + 1)) {
    ++lines;
  }
  EXPECT_EQ(lines, waivers + 2);
}

TEST(TaskList, NamesWhatATaskTakes) {
  const Task task = LoadTask(fs::path(BELAY_TEST_TASKS) / "everything");
  EXPECT_EQ(DTypesOf(task, "T"), (std::vector<std::string>{"f16", "f32"}));
  EXPECT_EQ(DTypesOf(task, "i8"), std::vector<std::string>{"i8"});
  const std::string inputs = InputsInShort(task);
  EXPECT_NE(inputs.find("bias?: "), std::string::npos) << inputs;
  EXPECT_NE(inputs.find("parts[]: "), std::string::npos) << inputs;
}

}  // namespace
}  // namespace belay::bench::test_task_files
