// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CLI_COMMAND_H_
#define BELAY_CLI_COMMAND_H_

// The commands of the `belay` program. Each adds its sub-command to the parser
// and leaves its exit code in *exit_code when it was the one called.

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace belay::cli {

// 0 success, kFinding a finding in the user's kernel, kUsage a bad call, kBug
// a bug of Belay.
inline constexpr int kFinding = 1;
inline constexpr int kUsage = 2;
inline constexpr int kBug = 70;

// Words after "--" on the command line, which no option parser touches.
using PassedThrough = std::vector<std::string>;

void AddRunCommand(CLI::App& app, const PassedThrough& passed, int* exit_code);
void AddCheckCommand(CLI::App& app, const PassedThrough& passed,
                     int* exit_code);
void AddProfileCommand(CLI::App& app, const PassedThrough& passed,
                       int* exit_code);
void AddChipsCommand(CLI::App& app, int* exit_code);
void AddCruxCommand(CLI::App& app, int* exit_code);
void AddTasksCommand(CLI::App& app, int* exit_code);
void AddJudgeCommand(CLI::App& app, int* exit_code);
void AddBenchCommand(CLI::App& app, int* exit_code);
void AddCompareCommand(CLI::App& app, int* exit_code);
void AddReportCommand(CLI::App& app, int* exit_code);
void AddExplainCommand(CLI::App& app, int* exit_code);

}  // namespace belay::cli

#endif  // BELAY_CLI_COMMAND_H_
