// SPDX-License-Identifier: Apache-2.0
// `belay tasks lint`: proves that tasks cannot be fooled.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "bench/lint_suite.h"
#include "cli/command.h"
#include "cli/number_checks.h"
#include "cli/tasks_command.h"

namespace belay::cli {
namespace {

struct LintCommand {
  TasksOptions tasks;
  int jobs = 2;
  double seconds = 120;
  std::string waivers;  // a file for the list of waivers, or ""
};

// A page with every waiver in use and its reason.
void WriteWaivers(const std::string& path,
                  const std::vector<bench::LintReport>& reports) {
  std::ofstream file(path);
  file << "# Waivers of the tasks\n\n"
          "Shortcuts that pass a task and are right for it. Written by\n"
          "`belay tasks lint --write-waivers`; docs/tasks.md says what "
          "shortcuts are.\n\n"
          "| task | shortcut | reason |\n|---|---|---|\n";
  for (const bench::LintReport& report : reports) {
    for (const bench::Waived& waived : report.waived) {
      file << fmt::format("| {} | {} | {} |\n", report.id, waived.shortcut,
                          waived.reason);
    }
  }
  file.close();
  if (!file) {
    throw UserError(fmt::format("[tasks lint] {} cannot be written", path));
  }
}

int Lint(const LintCommand& command) {
  const auto begin = std::chrono::steady_clock::now();
  const auto selected = SelectTasks(command.tasks);
  bench::LintOptions options;
  options.jobs = command.jobs;
  options.seconds = command.seconds;
  const size_t count = selected->tasks.size();
  options.progress = [count](const bench::LintReport& report, size_t done) {
    fmt::print(
        stderr,
        "[{:>3}/{}] {:<44} {:>4}/{} cases {:>4} shortcuts {:>5.1f} s  {}\n",
        done, count, report.id, report.looked_at, report.cases,
        report.shortcuts, report.seconds,
        report.findings.empty()
            ? "ok"
            : fmt::format("{} findings", report.findings.size()));
  };
  std::fflush(stdout);
  const std::vector<bench::LintReport> reports =
      bench::LintTasks(selected->tasks, options);
  if (!command.waivers.empty()) WriteWaivers(command.waivers, reports);
  size_t findings = 0;
  size_t bad_tasks = 0;
  size_t waivers = 0;
  for (const bench::LintReport& report : reports) {
    findings += report.findings.size();
    bad_tasks += report.findings.empty() ? 0 : 1;
    waivers += report.waived.size();
  }
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin)
          .count();
  if (command.tasks.json) {
    const nlohmann::json json = {
        {"suite", selected->suite.name}, {"version", selected->suite.version},
        {"hash", selected->suite.hash},  {"seconds", seconds},
        {"findings", findings},          {"tasks", reports}};
    fmt::print("{}\n", json.dump(2));
  } else {
    for (const bench::LintReport& report : reports) {
      for (const Diagnostic& finding : report.findings) {
        fmt::print("{}", ToText(finding));
      }
    }
    fmt::print("{} tasks in {:.0f} s: {}, {} waivers\n", count, seconds,
               findings == 0 ? "nothing found"
                             : fmt::format("{} findings in {} tasks", findings,
                                           bad_tasks),
               waivers);
  }
  return findings == 0 ? 0 : kFinding;
}

}  // namespace

void AddTasksLint(CLI::App& tasks, int* exit_code) {
  auto command = std::make_shared<LintCommand>();
  CLI::App* lint = tasks.add_subcommand(
      "lint", "Prove that tasks refuse shortcuts and accept what is right");
  AddTasksOptions(*lint, command->tasks, "Ids, names or folders of tasks");
  lint->add_option("--jobs,-j", command->jobs, "Worker processes")
      ->check(CLI::Range(1, 256))
      ->capture_default_str();
  lint->add_option("--timeout", command->seconds,
                   "Seconds for one task, after which it is a finding")
      ->check(Positive())
      ->capture_default_str();
  lint->add_option("--write-waivers", command->waivers,
                   "Write the waivers in use to this file, as a table");
  lint->footer(
      "Progress goes to standard error, findings to standard output; exit "
      "code 1 if there are any.\n"
      "Example:\n  belay tasks lint level2/Norm");
  lint->callback([command, exit_code] {
    *exit_code =
        ReportTaskErrors(command->tasks.json, [&] { return Lint(*command); });
  });
}

}  // namespace belay::cli
