// SPDX-License-Identifier: Apache-2.0
// `belay judge`: one candidate, one verdict.

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "bench/suite.h"
#include "cli/command.h"
#include "cli/judge_flags.h"
#include "cli/tasks_command.h"
#include "judge/judge.h"

namespace belay::cli {
namespace {

struct JudgeRequest {
  std::string candidate;
  TasksOptions task;
  JudgeFlags flags;
  bool json = false;
};

// One line on a terminal, rewritten as calls go by.
class ProgressLine {
 public:
  explicit ProgressLine(bool shown) : shown_(shown) {}
  ~ProgressLine() {
    if (shown_) fmt::print(stderr, "\r\033[K");
  }

  void Show(const judge::JudgeProgress& progress) const {
    if (!shown_) return;
    fmt::print(stderr, "\r\033[K{} {}/{}", NameOf(progress.stage),
               progress.calls, progress.of);
    std::fflush(stderr);
  }

 private:
  bool shown_;
};

void PrintTimes(const judge::Verdict& verdict) {
  if (verdict.times.empty()) return;
  fmt::print("\n  {:<8} {:>12} {:>10} {:>10} {:>7} {:>10} {:>8} {:>6}\n",
             "case", "elements", "sim. us", "bound us", "share", "eager us*",
             "speedup", "HAP");
  for (const judge::CaseTime& time : verdict.times) {
    if (time.simulated <= 0) {
      fmt::print("  {:<8} {:>12}  {}\n", time.name, time.elements, time.reason);
      continue;
    }
    fmt::print(
        "  {:<8} {:>12} {:>10.2f} {:>10.2f} {:>6.1f}% {:>10.2f} {:>8.2f} "
        "{:>6.3f}{}\n",
        time.name, time.elements, time.simulated, time.bound,
        100 * time.bound / time.simulated, time.baseline_85, time.speedup(),
        time.hap(), time.reason.empty() ? "" : "  " + time.reason);
  }
  fmt::print(
      "  speedup {:.2f} (geometric mean), HAP {:.3f}\n"
      "  * modelled: each operator of eager PyTorch at 85 % of its bound\n",
      verdict.speedup(), verdict.hap());
}

void PrintVerdict(const judge::Verdict& verdict) {
  fmt::print("{}: {} ({} problem, protocol {}, {} on {})\n",
             verdict.candidate_name, NameOf(verdict.outcome), verdict.problem,
             verdict.protocol, verdict.backend, verdict.chip);
  if (!verdict.reason.empty()) fmt::print("  {}\n", verdict.reason);
  if (!verdict.error_class.empty()) {
    fmt::print("  class: {}\n", verdict.error_class);
  }
  fmt::print("  task {}, reached {}: {} of {} calls right\n", verdict.task,
             NameOf(verdict.reached), verdict.calls_passed, verdict.calls);
  for (const judge::CaseResult& failure : verdict.failures) {
    fmt::print("  {:<8} {:<6} {:<12} {:<8} {}\n", failure.name,
               NameOf(failure.seed), NameOf(failure.regime),
               NameOf(failure.outcome), failure.reason);
  }
  for (const judge::Flag& flag : verdict.flags) {
    fmt::print("  flag: {} (rule {}): {}\n", flag.name, flag.rule, flag.text);
  }
  PrintTimes(verdict);
}

int Run(const JudgeRequest& options) {
  judge::JudgeOptions judging = ReadJudgeFlags(options.flags);
  const judge::Candidate candidate = judge::LoadCandidate(options.candidate);
  RegisterJudgeServices();
  // Before anything secret is in this process.
  const std::unique_ptr<guest::Broker> broker = guest::StartBroker();
  const auto selected = SelectTasks(options.task);
  if (judging.seeds.secret.empty()) {
    judging.seeds.secret = judge::MakeSecret();
  }
  judge::Judge judge(*broker);
  judge::Verdict verdict;
  {
    const ProgressLine line(!options.json && isatty(STDERR_FILENO) != 0);
    verdict = judge.Try(
        *selected->tasks.front(), candidate, judging, nullptr,
        [&](const judge::JudgeProgress& progress) { line.Show(progress); });
  }
  if (options.json) {
    fmt::print("{}\n", nlohmann::json(verdict).dump(2));
  } else {
    const bool color = isatty(STDERR_FILENO) != 0;
    for (const judge::Finding& finding : verdict.findings) {
      std::fputs(ToText(finding.diagnostic, color).c_str(), stderr);
    }
    PrintVerdict(verdict);
  }
  return judge::ExitCodeOf(verdict.outcome);
}

}  // namespace

void AddJudgeCommand(CLI::App& app, int* exit_code) {
  auto options = std::make_shared<JudgeRequest>();
  CLI::App* command = app.add_subcommand(
      "judge", "Judge one answer to a task: compile, precision, performance");
  command
      ->add_option("CANDIDATE", options->candidate,
                   "An operator project, a kernel (.cpp, .asc) or a Crux "
                   "program (.crux, or FILE.crux:KERNEL)")
      ->required();
  options->task.names.resize(1);
  command
      ->add_option("--task", options->task.names.front(),
                   "Id, end of an id, or folder of the task")
      ->required();
  command->add_option("--suite", options->task.suite,
                      "A folder with suite.toml instead of our own tasks");
  AddJudgeFlags(*command, options->flags);
  command->add_flag("--json", options->json,
                    "Print the verdict as JSON (docs/judge.md)");
  command->footer(
      "Exit codes: 0 passed, 10 wrong, 11 lucky, 12 failed, 13 not compiled,\n"
      "14 forbidden, 75 not the candidate's fault, 2 bad call.\n"
      "Example:\n"
      "  belay judge examples/crux/softmax.crux --task softmax");
  command->callback([options, exit_code] {
    *exit_code = ReportTaskErrors(options->json, [&] { return Run(*options); });
  });
}

}  // namespace belay::cli
