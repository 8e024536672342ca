// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CLI_RUN_FLAGS_H_
#define BELAY_CLI_RUN_FLAGS_H_

// The options that every command has that runs a program, an operator project
// or a kernel: `belay run`, `belay check`, `belay profile`.

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "cli/check_flags.h"
#include "cli/command.h"
#include "cli/run_operator.h"
#include "guest/program.h"

namespace belay::cli {

struct RunFlags {
  std::vector<std::string> words;  // sources, then the program's arguments
  guest::ProgramOptions program;
  OperatorFlags operator_call;
  CheckFlags check;
  std::string schedule = "forward";
  std::string reciprocal = "chip";
  std::string fresh_memory = "poison";
  std::string instruction_trace;
  std::string compile_commands;
  bool no_cache = false;
  bool json = false;
};

// All but those of checking. `can_trace`: with --trace instructions.
void AddRunFlags(CLI::App& command, RunFlags& flags, bool can_trace);

// What the options ask for: exactly one of the two is to be run.
struct RunPlan {
  bool is_operator = false;
  guest::ProgramOptions program;
  guest::OperatorOptions operator_call;
};

// Throws UserError for options that do not fit together.
RunPlan PlanRun(const RunFlags& flags, const PassedThrough& passed);

// For --emit-compile-commands: writes the file and returns the exit code.
int WriteForEditors(const RunFlags& flags, const RunPlan& plan);

}  // namespace belay::cli

#endif  // BELAY_CLI_RUN_FLAGS_H_
