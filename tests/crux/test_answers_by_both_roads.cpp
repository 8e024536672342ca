// SPDX-License-Identifier: Apache-2.0
// The answers of all tasks by both roads, on small cases of the tasks and a
// large one: the same bits, times that agree, and nothing that a checker finds.
// BELAY_TASKS names the tasks, as `belay tasks list` takes them; else all.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <map>
#include <memory>
#include <set>

#include "bench/case.h"
#include "bench/reference_runner.h"
#include "bench/suite.h"
#include "calls_by_both_roads.h"
#include "crux/check.h"
#include "files.h"
#include "judge/crux_call.h"
#include "judge/crux_fit.h"

namespace belay::testing::test_answers_by_both_roads {
namespace {

constexpr int64_t kMostElements = 1 << 15;
constexpr size_t kMostCases = 6;
constexpr int64_t kMostElementsOfLargest = 1 << 22;

// What may make another variant of the kernel, but for sizes.
std::string KindOf(const bench::Case& one) {
  std::string kind = one.attributes.dump();
  for (const auto& [name, dtype] : one.types) {
    kind += name + std::string(NameOf(dtype));
  }
  for (const std::string& name : one.absent) kind += " " + name;
  return kind;
}

// Small ones: of every kind that with the most elements, then others; and one
// that is large, but not so large that it takes long.
std::vector<bench::Case> CasesOf(const bench::Task& task) {
  std::vector<bench::Case> cases = bench::ExpandCases(task);
  const auto elements = [&](const bench::Case& one) {
    return bench::ElementsOf(task, one);
  };
  std::erase_if(cases, [&](const bench::Case& one) {
    return elements(one) > kMostElementsOfLargest;
  });
  std::ranges::stable_sort(cases, std::greater(), elements);
  if (cases.empty()) return cases;
  const bench::Case largest = cases.front();
  std::erase_if(cases, [&](const bench::Case& one) {
    return elements(one) > kMostElements;
  });
  std::set<std::string> kinds;
  std::ranges::stable_partition(cases, [&](const bench::Case& one) {
    return kinds.insert(KindOf(one)).second;
  });
  cases.resize(std::min(cases.size(), kMostCases));
  if (elements(largest) > kMostElements) cases.push_back(largest);
  return cases;
}

class AnswersByBothRoads : public CallsByBothRoads {
 protected:
  // The first case is printed with all variants for its dtypes, others with the
  // one they take.
  void AddAnswer(const bench::Task& task) {
    const crux::typed::Kernel& kernel = AnswerOf(task);
    const std::unique_ptr<bench::ReferenceRunner> runner =
        bench::MakeReferenceRunner(task);
    bool first = true;
    for (const bench::Case& one : CasesOf(task)) {
      judge::CruxCall call =
          judge::MakeCruxCall(task, one, runner->Inputs(one));
      if (batch_is_empty()) arguments_.clear();
      arguments_.push_back(
          judge::FitCall(kernel, call, "answer.crux").arguments);
      Add(task.id + " " + one.name + " " + bench::Describe(task, one), kernel,
          arguments_.back(), first);
      first = false;
    }
  }

 private:
  const crux::typed::Kernel& AnswerOf(const bench::Task& task) {
    const auto [found, fresh] = answers_.try_emplace(task.answer_file);
    if (fresh) {
      found->second =
          crux::Check(task.answer_file.string(), ReadAll(task.answer_file));
    }
    const crux::typed::Program& program = *found->second.program;
    return task.answer_kernel.empty() ? *program.kernels.front()
                                      : *program.FindKernel(task.answer_kernel);
  }

  std::map<std::filesystem::path, crux::Checked> answers_;
  std::deque<crux::interpret::Arguments> arguments_;  // of the batch
};

TEST_F(AnswersByBothRoads, Agree) {
  const bench::Suite suite = bench::LoadShippedSuite();
  std::vector<std::string> patterns;
  if (const char* given = std::getenv("BELAY_TASKS")) patterns = {given};
  int answers = 0;
  for (const bench::Task* task : bench::SelectTasks(suite, patterns)) {
    if (task->answer_file.empty()) continue;
    AddAnswer(*task);
    ++answers;
  }
  Flush();
  PrintWorst();
  EXPECT_EQ(refused(), 0);
  if (patterns.empty()) EXPECT_GE(answers, 130);
}

}  // namespace
}  // namespace belay::testing::test_answers_by_both_roads
