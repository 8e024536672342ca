// SPDX-License-Identifier: Apache-2.0
// The Crux kernels that come with tasks solve them.

#include <gtest/gtest.h>

#include <cstdio>

#include "bench/task_reader.h"
#include "bench/toml_reader.h"
#include "judging.h"

namespace belay::testing {
namespace {

constexpr int kParts = 8;

class Answers : public ::testing::TestWithParam<int> {};

// All edge cases and small real ones, under both seeds and all checkers; the
// answers are shared out over kParts tests.
TEST_P(Answers, Pass) {
  TheBroker();
  int number = 0;
  for (const bench::Task& task : ShippedTasks().tasks) {
    if (task.answer_file.empty()) continue;
    if (number++ % kParts != GetParam()) continue;
    const judge::Verdict verdict =
        TheJudge().Try(task, CruxCandidate(AnswerOf(task), task.answer_kernel),
                       QuickOptions());
    EXPECT_EQ(verdict.outcome, judge::Outcome::kPassed) << Describe(verdict);
    EXPECT_EQ(verdict.calls_passed, verdict.calls) << task.id;
    EXPECT_GT(verdict.calls, 0) << task.id;
  }
  EXPECT_GT(number, 30);
}

INSTANTIATE_TEST_SUITE_P(OfTasks, Answers, ::testing::Range(0, kParts));

TEST(AnswerKey, DoesNotMakeATaskAnother) {
  const bench::Task& task = TaskOf("level2/Activation/Swish");
  ASSERT_FALSE(task.answer_file.empty());
  bench::TaskText text;
  text.id = task.id;
  text.file = task.file;
  text.reference_file = task.reference_file;
  text.toml = bench::ReadText(task.file);
  text.reference = task.reference;
  ASSERT_NE(text.toml.find("answer = \"swish.crux\"\n"), std::string::npos);
  EXPECT_EQ(bench::ReadTask(text).hash, task.hash);
  text.toml.replace(text.toml.find("answer = \"swish.crux\"\n"),
                    sizeof("answer = \"swish.crux\"\n") - 1, "");
  const bench::Task without = bench::ReadTask(text);
  EXPECT_EQ(without.hash, task.hash);
  EXPECT_TRUE(without.answer_file.empty());
}

TEST(AnswerKey, NamesAFileThatIsThere) {
  bench::TaskText text;
  text.id = "level2/Activation/Swish";
  text.file = TaskOf(text.id).file;
  text.reference_file = TaskOf(text.id).reference_file;
  text.toml = bench::ReadText(text.file);
  text.reference = TaskOf(text.id).reference;
  const size_t at = text.toml.find("swish.crux");
  ASSERT_NE(at, std::string::npos);
  text.toml.insert(at, "no_");
  EXPECT_THROW(bench::ReadTask(text), bench::TaskError);
}

}  // namespace
}  // namespace belay::testing
