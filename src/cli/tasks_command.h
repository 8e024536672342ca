// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CLI_TASKS_COMMAND_H_
#define BELAY_CLI_TASKS_COMMAND_H_

// The sub-commands of `belay tasks` and what they share.

#include <CLI/CLI.hpp>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "bench/suite.h"

namespace belay::cli {

// What every sub-command takes.
struct TasksOptions {
  std::vector<std::string> names;  // ids, names or folders of tasks
  std::string suite;               // a folder with suite.toml, "" for our own
  bool json = false;
};

// Adds TASK… (optional or not), --suite and --json to a sub-command.
void AddTasksOptions(CLI::App& command, TasksOptions& options,
                     const std::string& what);

// The tasks the options name. A name that is a folder with a task.toml is
// loaded from there, outside the suite. The tasks live as long as the result.
struct SelectedTasks {
  bench::Suite suite;
  std::vector<std::unique_ptr<bench::Task>> loose;
  std::vector<const bench::Task*> tasks;
};
std::unique_ptr<SelectedTasks> SelectTasks(const TasksOptions& options);

// Calls a sub-command; a TaskError is printed as the diagnostic it is (JSON on
// standard output with `json`), and kUsage comes back.
int ReportTaskErrors(bool json, const std::function<int()>& command);

void AddTasksRun(CLI::App& tasks, int* exit_code);
void AddTasksCompare(CLI::App& tasks, int* exit_code);
void AddTasksLint(CLI::App& tasks, int* exit_code);
void AddTasksMutate(CLI::App& tasks, int* exit_code);
void AddTasksImport(CLI::App& tasks, int* exit_code);
void AddTasksExport(CLI::App& tasks, int* exit_code);

}  // namespace belay::cli

#endif  // BELAY_CLI_TASKS_COMMAND_H_
