// SPDX-License-Identifier: Apache-2.0
#include "judging.h"

#include <fmt/format.h>

#include <fstream>
#include <iterator>

#include "base/error.h"
#include "judge/session.h"

namespace belay::testing {

guest::Broker& TheBroker() {
  static const std::unique_ptr<guest::Broker> broker = [] {
    judge::RegisterOperatorServices();
    judge::RegisterCruxServices();
    return guest::StartBroker();
  }();
  return *broker;
}

judge::Judge& TheJudge() {
  static judge::Judge judge(TheBroker());
  return judge;
}

const bench::Suite& ShippedTasks() {
  static const bench::Suite suite = bench::LoadShippedSuite();
  return suite;
}

const bench::Task& TaskOf(const std::string& name) {
  return bench::FindTask(ShippedTasks(), name);
}

judge::JudgeOptions QuickOptions() {
  judge::JudgeOptions options;
  options.last = judge::Stage::kPrecision;
  options.most_elements = int64_t{1} << 16;
  options.seeds.secret = "the secret of the tests";
  return options;
}

std::string AnswerOf(const bench::Task& task) {
  std::ifstream file(task.answer_file, std::ios::binary);
  if (!file) throw UserError("[test] no answer of " + task.id);
  return {std::istreambuf_iterator<char>(file), {}};
}

judge::Candidate CruxCandidate(std::string text, std::string kernel) {
  return judge::MakeCandidate(judge::CandidateKind::kCrux, "candidate.crux",
                              {{"candidate.crux", std::move(text)}},
                              std::move(kernel));
}

judge::Candidate KernelCandidate(std::string text) {
  return judge::MakeCandidate(judge::CandidateKind::kKernel, "candidate.cpp",
                              {{"candidate.cpp", std::move(text)}});
}

std::string Describe(const judge::Verdict& verdict) {
  std::string text =
      fmt::format("{}: {} ({}), {} of {} calls passed: {}\n", verdict.task,
                  NameOf(verdict.outcome), verdict.error_class,
                  verdict.calls_passed, verdict.calls, verdict.reason);
  for (const judge::CaseResult& failure : verdict.failures) {
    text += fmt::format("  {} {}: {}\n", failure.name, NameOf(failure.outcome),
                        failure.reason);
  }
  for (const judge::Finding& finding : verdict.findings) {
    text += fmt::format("  [{}] {}\n", finding.diagnostic.code,
                        finding.diagnostic.message);
  }
  return text;
}

}  // namespace belay::testing
