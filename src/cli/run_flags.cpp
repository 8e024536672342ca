// SPDX-License-Identifier: Apache-2.0
#include "cli/run_flags.h"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>

#include "base/error.h"
#include "cli/emit_compile_commands.h"

namespace belay::cli {
namespace {

bool IsSource(const std::string& word) {
  const std::string extension =
      std::filesystem::path(word).extension().string();
  for (const char* known : {".asc", ".cpp", ".cc", ".cxx", ".c", ".cce"}) {
    if (extension == known) return true;
  }
  return false;
}

void SplitWords(const RunFlags& flags, const PassedThrough& passed,
                guest::ProgramOptions& program) {
  size_t at = 0;
  // The first word is a source whatever it is called.
  while (at < flags.words.size() && (at == 0 || IsSource(flags.words[at]))) {
    program.sources.push_back(flags.words[at++]);
  }
  program.arguments.assign(flags.words.begin() + at, flags.words.end());
  program.arguments.insert(program.arguments.end(), passed.begin(),
                           passed.end());
}

void ReadSchedule(const std::string& text, runtime::DeviceOptions& device) {
  if (text == "forward") {
    device.schedule = runtime::Schedule::kForward;
  } else if (text == "reverse") {
    device.schedule = runtime::Schedule::kReverse;
  } else {
    device.schedule = runtime::Schedule::kSeeded;
    size_t used = 0;
    try {
      device.seed = std::stoull(text, &used);
    } catch (const std::exception&) {
      used = 0;
    }
    if (used != text.size()) {
      throw UserError(fmt::format(
          "[run] --schedule takes forward, reverse or a seed, not '{}'", text));
    }
  }
}

// Whether the words name an operator project, or a kernel was given instead.
bool IsOperatorForm(const RunFlags& flags) {
  const OperatorFlags& call = flags.operator_call;
  const bool folder = !flags.words.empty() &&
                      std::filesystem::is_directory(flags.words.front());
  if (flags.words.empty() && call.options.kernel_file.empty()) {
    throw UserError(
        "[run] nothing to run: give a program (FILE.asc), the folder of an "
        "operator project, or --kernel FILE");
  }
  if (!flags.words.empty() && !call.options.kernel_file.empty()) {
    throw UserError(fmt::format(
        "[run] --kernel runs a kernel alone: leave '{}' out, or the option",
        flags.words.front()));
  }
  if (!folder && !flags.words.empty() && call.any()) {
    throw UserError(fmt::format(
        "[run] --in, --out and the like belong to operator projects, but '{}' "
        "is no folder",
        flags.words.front()));
  }
  if (folder && flags.words.size() > 1) {
    throw UserError(
        fmt::format("[run] an operator project takes no arguments, got '{}': "
                    "inputs are given with --in",
                    flags.words[1]));
  }
  return folder || flags.words.empty();
}

}  // namespace

void AddRunFlags(CLI::App& run, RunFlags& flags, bool can_trace) {
  run.add_option("FILE|DIR", flags.words,
                 "The program (.asc, or several .asc and .cpp), then its "
                 "arguments; put `--` before arguments that look like "
                 "options. Or the folder of an operator project");
  run.add_option("-I", flags.program.include_dirs, "Include folder")
      ->allow_extra_args(false);
  run.add_option("-D", flags.program.defines, "Macro: NAME or NAME=VALUE")
      ->allow_extra_args(false);
  run.add_option("--chip", flags.program.device.chip,
                 "The chip; `belay chips` lists them")
      ->capture_default_str();
  run.add_option("--schedule", flags.schedule,
                 "Order in which blocks take turns: forward, reverse or a "
                 "seed")
      ->capture_default_str();
  run.add_option("--fuel", flags.program.device.fuel,
                 "Scalar work one block may do before it counts as endless")
      ->capture_default_str();
  run.add_option("--recip", flags.reciprocal,
                 "Rsqrt and Reciprocal: as imprecise as on the chip, or exact")
      ->check(CLI::IsMember({"chip", "exact"}))
      ->capture_default_str();
  run.add_option("--fresh-memory", flags.fresh_memory,
                 "What aclrtMalloc returns: poison (0xFF in every byte) shows "
                 "reads of what nobody wrote, zero hides them")
      ->check(CLI::IsMember({"poison", "zero"}))
      ->capture_default_str();
  if (can_trace) {
    run.add_option("--trace", flags.instruction_trace,
                   "Print every instruction and scalar access")
        ->check(CLI::IsMember({"instructions"}));
    run.add_option("--trace-file", flags.program.trace.file,
                   "Where the trace goes (default: standard error)");
  }
  run.add_option("--keep", flags.program.keep,
                 "Leave the compiled program in this folder");
  run.add_flag("--no-cache", flags.no_cache,
               "Compile anew, and do not keep what was compiled");
  run.add_option("--emit-compile-commands", flags.compile_commands,
                 "Do not run: write compile_commands.json for editors to this "
                 "folder or file");
  run.add_flag("--json", flags.json,
               "Print the result as JSON; the program's own output then goes "
               "to standard error");
  AddOperatorFlags(run, flags.operator_call);
}

RunPlan PlanRun(const RunFlags& flags, const PassedThrough& passed) {
  RunPlan plan;
  plan.is_operator = IsOperatorForm(flags);
  guest::ProgramOptions& program = plan.program;
  program = flags.program;
  if (!plan.is_operator) SplitWords(flags, passed, program);
  // Where the children that compile look.
  if (flags.no_cache) setenv("BELAY_CACHE", "off", /*overwrite=*/1);
  ReadSchedule(flags.schedule, program.device);
  program.device.exact_reciprocal = flags.reciprocal == "exact";
  program.device.zero_global_memory = flags.fresh_memory == "zero";
  program.trace.instructions = flags.instruction_trace == "instructions";
  program.output_to_stderr = flags.json;
  program.device.check = ReadCheckFlags(flags.check);
  if (!plan.is_operator) return plan;
  guest::OperatorOptions& call = plan.operator_call;
  call = ReadOperatorFlags(flags.operator_call);
  if (!flags.words.empty()) call.folder = flags.words.front();
  call.include_dirs = program.include_dirs;
  call.defines = program.defines;
  call.device = program.device;
  call.keep = program.keep;
  call.trace = program.trace;
  call.output_to_stderr = program.output_to_stderr;
  return plan;
}

int WriteForEditors(const RunFlags& flags, const RunPlan& plan) {
  SourcesToEdit what;
  what.include_dirs = plan.program.include_dirs;
  what.defines = plan.program.defines;
  if (!plan.is_operator) {
    what.sources = plan.program.sources;
  } else if (flags.words.empty()) {
    what.sources = {plan.operator_call.kernel_file};
  } else {
    what.project = flags.words.front();
  }
  return EmitCompileCommands(what, flags.compile_commands);
}

}  // namespace belay::cli
