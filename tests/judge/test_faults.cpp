// SPDX-License-Identifier: Apache-2.0
// Ten wrong or lucky variants of each kind of fault, made of right answers in
// Crux, and the verdicts on them.

#include <gtest/gtest.h>

#include <functional>
#include <optional>
#include <regex>

#include "judging.h"

namespace belay::testing {
namespace {

using judge::Outcome;
using judge::Verdict;

constexpr int kVariants = 10;

const std::vector<std::string>& Activations() {
  static const std::vector<std::string> names = {
      "activation/elu",
      "activation/hardsigmoid",
      "activation/hardtanh",
      "activation/leaky_relu",
      "activation/relu",
      "activation/selu",
      "activation/sigmoid",
      "activation/softplus",
      "activation/softsign",
      "activation/tanh",
      "multikernelbench/activation/swish",
  };
  return names;
}

// Kernels of several dtypes that compute in f32.
const std::vector<std::string>& ManyDtypes() {
  static const std::vector<std::string> names = {
      "TanhMath",     "Sqrt",
      "Rsqrt",        "level2/Activation/Gelu",
      "GeluGrad",     "FastGelu",
      "FastGeluGrad", "level2/Activation/Swish",
      "ForeachAbs",   "InplaceAttnSoftmax",
  };
  return names;
}

std::optional<std::string> Replace(const std::string& text,
                                   const std::string& pattern,
                                   const std::string& by) {
  const std::regex what(pattern);
  if (!std::regex_search(text, what)) return std::nullopt;
  return std::regex_replace(text, what, by,
                            std::regex_constants::format_first_only);
}

using Mutation =
    std::function<std::optional<std::string>(const std::string& text)>;

struct Expected {
  Outcome outcome = Outcome::kWrong;
  std::string error_class;
};

// Applies the mutation to answers until there are ten variants, and judges
// them.
void ExpectVerdicts(const std::vector<std::string>& tasks,
                    const Mutation& mutate, const Expected& expected,
                    const judge::JudgeOptions& options = QuickOptions()) {
  TheBroker();
  int made = 0;
  for (const std::string& name : tasks) {
    if (made == kVariants) break;
    const bench::Task& task = TaskOf(name);
    const std::optional<std::string> text = mutate(AnswerOf(task));
    if (!text) continue;
    ++made;
    const Verdict verdict =
        TheJudge().Try(task, CruxCandidate(*text, task.answer_kernel), options);
    EXPECT_EQ(verdict.outcome, expected.outcome) << *text << Describe(verdict);
    EXPECT_EQ(verdict.error_class, expected.error_class)
        << *text << Describe(verdict);
    EXPECT_FALSE(verdict.reason.empty()) << name;
  }
  EXPECT_EQ(made, kVariants);
}

TEST(WrongAnswers, LeaveOutTheTail) {
  ExpectVerdicts(Activations(),
                 [](const std::string& text) {
                   return Replace(text, "cores\\(x\\.size,",
                                  "cores(x.size // 8 * 8,");
                 },
                 {Outcome::kWrong, "wrong-values"});
}

TEST(WrongAnswers, WorkInTooShortAType) {
  ExpectVerdicts(Activations(),
                 [](const std::string& text) {
                   return Replace(text, "load\\(x\\.flat\\[c\\]\\)",
                                  "load(x.flat[c]).to(f16).to(f32)");
                 },
                 {Outcome::kWrong, "wrong-values"});
}

TEST(WrongAnswers, TakeNanForZero) {
  ExpectVerdicts(Activations(),
                 [](const std::string& text) {
                   return Replace(text, "t = load\\(x\\.flat\\[c\\]\\)",
                                  "t = load(x.flat[c])\n"
                                  "        t = where(isnan(t), 0.0, t)");
                 },
                 {Outcome::kWrong, "wrong-values"});
}

TEST(WrongAnswers, AreWrongForOneDtype) {
  ExpectVerdicts(ManyDtypes(),
                 [](const std::string& text) {
                   return Replace(text, "\n( +)([a-z, ]*t = load[^\n]*)",
                                  "\n$1$2\n$1if T == f16:\n"
                                  "$1    t = t * 1.125");
                 },
                 {Outcome::kWrong, "wrong-values"});
}

TEST(WrongAnswers, AreWrongForLongTensors) {
  ExpectVerdicts(Activations(),
                 [](const std::string& text) {
                   return Replace(text, "\n( +)(t = load[^\n]*)",
                                  "\n$1$2\n$1if x.size > 4000:\n"
                                  "$1    t = t * 1.125 + 0.25");
                 },
                 {Outcome::kWrong, "wrong-values"});
}

TEST(WrongAnswers, AreWrongForTensorsOfOneElement) {
  ExpectVerdicts(Activations(),
                 [](const std::string& text) {
                   return Replace(text, "\n( +)(t = load[^\n]*)",
                                  "\n$1$2\n$1if x.size == 1:\n"
                                  "$1    t = t * 1.125 + 0.25");
                 },
                 {Outcome::kWrong, "wrong-values"});
}

TEST(LuckyAnswers, ReadWhatNobodyWrote) {
  ExpectVerdicts(Activations(),
                 [](const std::string& text) -> std::optional<std::string> {
                   const auto noted = Replace(text, "\n( +)for c",
                                              "\n$1s = scratch(i32[8])\n"
                                              "$1for c");
                   return Replace(*noted, "(t = load\\(x\\.flat\\[c\\]\\))",
                                  "$1 + (load(s[0]) & 0).to(f32)");
                 },
                 {Outcome::kLucky, "uninitialised"});
}

TEST(FailingAnswers, ReadBehindTheEnd) {
  ExpectVerdicts(Activations(),
                 [](const std::string& text) {
                   return Replace(text, "load\\(x\\.flat\\[c\\]\\)",
                                  "load(x.flat[c + 4096])");
                 },
                 {Outcome::kFailed, "out-of-bounds"});
}

TEST(FailingAnswers, StoreBehindTheEnd) {
  ExpectVerdicts(Activations(),
                 [](const std::string& text) {
                   return Replace(text, "store\\(y\\.flat\\[c\\]",
                                  "store(y.flat[c + 4096]");
                 },
                 {Outcome::kFailed, "out-of-bounds"});
}

TEST(FailingAnswers, RefuseCallsOfTheTask) {
  ExpectVerdicts(Activations(),
                 [](const std::string& text) {
                   return Replace(text, "\n( +)for c",
                                  "\n$1assert x.size > 0, \"not empty\"\n"
                                  "$1for c");
                 },
                 {Outcome::kFailed, "assertion"});
}

TEST(FailingAnswers, DoNotFitTheTask) {
  const auto rename = [](const std::string& from, const std::string& to) {
    return [from, to](const std::string& text) -> std::optional<std::string> {
      return std::regex_replace(text, std::regex("\\b" + from + "\\b"), to);
    };
  };
  const std::vector<std::string> all = Activations();
  const std::vector<std::string> some(all.begin(), all.begin() + 5);
  TheBroker();
  for (const Mutation& mutate :
       {Mutation(rename("x", "z")), Mutation(rename("y", "z"))}) {
    for (const std::string& name : some) {
      const bench::Task& task = TaskOf(name);
      const Verdict verdict = TheJudge().Try(
          task, CruxCandidate(*mutate(AnswerOf(task))), QuickOptions());
      EXPECT_EQ(verdict.outcome, Outcome::kFailed) << Describe(verdict);
      EXPECT_EQ(verdict.error_class, "signature") << Describe(verdict);
      EXPECT_NE(verdict.reason.find("BLY-J105"), std::string::npos)
          << verdict.reason;
    }
  }
}

TEST(FailingAnswers, TakeMoreMemoryThanTheyMay) {
  ExpectVerdicts(Activations(),
                 [](const std::string& text) -> std::optional<std::string> {
                   const auto noted =
                       Replace(text, "\n( +)for c",
                               "\n$1s = scratch(f32[4000000000])\n$1for c");
                   return Replace(*noted, "\n( +)(t = load[^\n]*)",
                                  "\n$1$2\n$1store(s[c], t)");
                 },
                 {Outcome::kFailed, "out-of-memory"});
}

TEST(FailingAnswers, TakeMoreTimeThanTheyMay) {
  judge::JudgeOptions options = QuickOptions();
  options.fail_fast = true;
  options.limits.run_seconds = 0.1;
  ExpectVerdicts(
      Activations(),
      [](const std::string& text) {
        return Replace(text, "\n( +)(t = load[^\n]*)",
                       "\n$1$2\n$1for i in range(1000000000):\n"
                       "$1    t = t + 0.0");
      },
      {Outcome::kFailed, "timeout"}, options);
}

// One mistake of each kind that the front end finds.
TEST(NotCompiled, AreAnswersWithErrors) {
  struct Mistake {
    const char* pattern;
    const char* by;
    const char* error_class;
  };
  const Mistake mistakes[] = {
      {"store\\(", "store((", "syntax"},
      {"cores\\(x\\.size, tile=auto\\):", "cores(x.size, tile=auto)", "syntax"},
      {"@kernel", "@kernal", "syntax"},
      {"@kernel", "import numpy\n\n\n@kernel", "syntax"},
      {"load\\(x\\.flat\\[c\\]\\)", "fetch(x.flat[c])", "api"},
      {"load\\(x\\.flat\\[c\\]\\)", "load(u.flat[c])", "scope"},
      {"load\\(x\\.flat\\[c\\]\\)", "load(x.flat[c]).to(i32)", "dtype"},
      {"store\\(y\\.flat\\[c\\]", "store(x.flat[c]", "memory-misuse"},
      {"store\\(y\\.flat\\[c\\]", "store(y[c]", "syntax"},
      {"y: out\\(f32\\[\\*S\\]\\)", "y: out(f32[*R])", "syntax"},
  };
  TheBroker();
  const bench::Task& task = TaskOf("activation/softsign");
  for (const Mistake& mistake : mistakes) {
    const auto text = Replace(AnswerOf(task), mistake.pattern, mistake.by);
    ASSERT_TRUE(text) << mistake.pattern;
    const Verdict verdict =
        TheJudge().Try(task, CruxCandidate(*text), QuickOptions());
    EXPECT_EQ(verdict.outcome, Outcome::kNotCompiled)
        << *text << Describe(verdict);
    EXPECT_EQ(verdict.error_class, mistake.error_class)
        << *text << Describe(verdict);
    ASSERT_FALSE(verdict.findings.empty());
    EXPECT_EQ(verdict.findings.front().diagnostic.location.file,
              "candidate.crux");
  }
}

}  // namespace
}  // namespace belay::testing
