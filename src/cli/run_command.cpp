// SPDX-License-Identifier: Apache-2.0
// `belay run` and `belay check`: a single-source AscendC program, an operator
// project or a kernel on the simulated NPU.

#include <memory>
#include <nlohmann/json.hpp>

#include "cli/check_flags.h"
#include "cli/command.h"
#include "cli/run_flags.h"
#include "cli/run_operator.h"
#include "cli/run_program.h"
#include "guest/program.h"

namespace belay::cli {
namespace {

int Run(const RunFlags& flags, const PassedThrough& passed) {
  const RunPlan plan = PlanRun(flags, passed);
  if (!flags.compile_commands.empty()) return WriteForEditors(flags, plan);
  if (plan.is_operator) {
    return RunOperatorForm(plan.operator_call, flags.check, flags.json);
  }
  guest::ProgramResult result = guest::RunProgram(plan.program);
  const Verdict verdict =
      Judge(flags.check, result.exit_code, result.diagnostics);
  if (flags.json) {
    PrintJson(ToJson(result, flags.check, verdict));
  } else {
    PrintText(result, flags.check, verdict);
  }
  return verdict.exit_code;
}

}  // namespace

void AddRunCommand(CLI::App& app, const PassedThrough& passed, int* exit_code) {
  CLI::App* run = app.add_subcommand(
      "run",
      "Run a single-source AscendC program, or an operator project, on the "
      "simulated NPU");
  auto flags = std::make_shared<RunFlags>();
  AddRunFlags(*run, *flags, /*can_trace=*/true);
  run->callback(
      [flags, &passed, exit_code] { *exit_code = Run(*flags, passed); });
  AddCheckFlags(*run, flags->check, Checking::kUnlessOff);
  run->footer(
      "Example:\n  belay run examples/add/add.asc\n"
      "  belay run softmax.asc -D ROWS=8 -- --verbose\n"
      "  belay run my_op --in x=x.npy --attr eps=1e-5 --out y=y.npy\n"
      "  belay run --kernel k.cpp --blocks 8 --in x=x.npy --out-like y=x --out "
      "y=y.npy\n"
      "Exit code: the program's own; 1 when the kernel is at fault; 2 for a "
      "bad call.");
}

void AddCheckCommand(CLI::App& app, const PassedThrough& passed,
                     int* exit_code) {
  CLI::App* check = app.add_subcommand(
      "check",
      "Run as `run` does, and judge: undefined bytes, races, flags, queues, "
      "buffers");
  auto flags = std::make_shared<RunFlags>();
  AddRunFlags(*check, *flags, /*can_trace=*/true);
  check->callback(
      [flags, &passed, exit_code] { *exit_code = Run(*flags, passed); });
  AddCheckFlags(*check, flags->check, Checking::kAlways);
  check->footer(
      "Example:\n  belay check examples/add/add.asc\n"
      "  belay check kernel.asc --tool racecheck --auto-sync off\n"
      "  belay check my_op --in x=x.npy --strict --suppressions known.txt\n"
      "Exit code: 1 for an error, with --strict for anything; else the "
      "program's own; 2 for a bad call.");
}

}  // namespace belay::cli
