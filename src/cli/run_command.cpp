// SPDX-License-Identifier: Apache-2.0
// `belay run`: a single-source AscendC program, an operator project or a kernel
// on the simulated NPU.

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "cli/check_flags.h"
#include "cli/command.h"
#include "cli/emit_compile_commands.h"
#include "cli/run_operator.h"
#include "guest/program.h"

namespace belay::cli {
namespace {

struct RunFlags {
  std::vector<std::string> words;  // sources, then the program's arguments
  guest::ProgramOptions program;
  OperatorFlags operator_call;
  CheckFlags check;
  std::string schedule = "forward";
  std::string reciprocal = "chip";
  std::string fresh_memory = "poison";
  std::string trace;
  std::string compile_commands;
  bool no_cache = false;
  bool json = false;
};

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

void PrintJson(const guest::ProgramResult& result, const CheckFlags& check,
               const Verdict& verdict) {
  const toolchain::PhaseTimes& times = result.compile_milliseconds;
  const nlohmann::json json = {
      {"exit_code", verdict.exit_code},
      {"compiled", result.compiled},
      {"diagnostics", result.diagnostics},
      {"check", ToJson(check, verdict)},
      {"launch_milliseconds", result.launch_milliseconds},
      {"compile_milliseconds",
       {{"front_end", times.front_end},
        {"passes", times.passes},
        {"code_generation", times.code_generation},
        {"link", times.link}}},
  };
  std::puts(json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace)
                .c_str());
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

int RunOperatorCall(const RunFlags& flags,
                    const guest::ProgramOptions& program) {
  guest::OperatorOptions options = flags.operator_call.options;
  if (!flags.words.empty()) options.folder = flags.words.front();
  options.include_dirs = program.include_dirs;
  options.defines = program.defines;
  options.device = program.device;
  options.keep = program.keep;
  options.trace = program.trace;
  return RunOperatorForm(flags.operator_call, options, flags.check, flags.json);
}

int WriteForEditors(const RunFlags& flags, bool operator_form,
                    const guest::ProgramOptions& program) {
  SourcesToEdit what;
  what.include_dirs = program.include_dirs;
  what.defines = program.defines;
  if (!operator_form) {
    what.sources = program.sources;
  } else if (flags.words.empty()) {
    what.sources = {flags.operator_call.options.kernel_file};
  } else {
    what.project = flags.words.front();
  }
  return EmitCompileCommands(what, flags.compile_commands);
}

int Run(const RunFlags& flags, const PassedThrough& passed) {
  guest::ProgramOptions program = flags.program;
  const bool operator_form = IsOperatorForm(flags);
  if (!operator_form) SplitWords(flags, passed, program);
  if (!flags.compile_commands.empty())
    return WriteForEditors(flags, operator_form, program);
  // Where the children that compile look.
  if (flags.no_cache) setenv("BELAY_CACHE", "off", /*overwrite=*/1);
  ReadSchedule(flags.schedule, program.device);
  program.device.exact_reciprocal = flags.reciprocal == "exact";
  program.device.zero_global_memory = flags.fresh_memory == "zero";
  program.trace.instructions = flags.trace == "instructions";
  program.output_to_stderr = flags.json;
  program.device.check = ReadCheckFlags(flags.check);
  if (operator_form) return RunOperatorCall(flags, program);

  guest::ProgramResult result = guest::RunProgram(program);
  const Verdict verdict =
      Judge(flags.check, result.exit_code, result.diagnostics);
  if (flags.json) {
    PrintJson(result, flags.check, verdict);
  } else {
    const bool color = isatty(STDERR_FILENO) != 0;
    for (const Diagnostic& diagnostic : result.diagnostics) {
      std::fputs(belay::ToText(diagnostic, color).c_str(), stderr);
    }
    if (result.compiled) {
      std::fputs(ToText(flags.check, verdict).c_str(), stderr);
    }
  }
  return verdict.exit_code;
}

// The options that `run` and `check` share.
void AddRunFlags(CLI::App* run, const std::shared_ptr<RunFlags>& flags,
                 const PassedThrough& passed, int* exit_code) {
  run->add_option("FILE|DIR", flags->words,
                  "The program (.asc, or several .asc and .cpp), then its "
                  "arguments; put `--` before arguments that look like "
                  "options. Or the folder of an operator project");
  run->add_option("-I", flags->program.include_dirs, "Include folder")
      ->allow_extra_args(false);
  run->add_option("-D", flags->program.defines, "Macro: NAME or NAME=VALUE")
      ->allow_extra_args(false);
  run->add_option("--chip", flags->program.device.chip,
                  "The chip; `belay chips` lists them")
      ->capture_default_str();
  run->add_option("--schedule", flags->schedule,
                  "Order in which blocks take turns: forward, reverse or a "
                  "seed")
      ->capture_default_str();
  run->add_option("--fuel", flags->program.device.fuel,
                  "Scalar work one block may do before it counts as endless")
      ->capture_default_str();
  run->add_option("--recip", flags->reciprocal,
                  "Rsqrt and Reciprocal: as imprecise as on the chip, or exact")
      ->check(CLI::IsMember({"chip", "exact"}))
      ->capture_default_str();
  run->add_option("--fresh-memory", flags->fresh_memory,
                  "What aclrtMalloc returns: poison (0xFF in every byte) shows "
                  "reads of what nobody wrote, zero hides them")
      ->check(CLI::IsMember({"poison", "zero"}))
      ->capture_default_str();
  run->add_option("--trace", flags->trace,
                  "Print every instruction and scalar access")
      ->check(CLI::IsMember({"instructions"}));
  run->add_option("--trace-file", flags->program.trace.file,
                  "Where the trace goes (default: standard error)");
  run->add_option("--keep", flags->program.keep,
                  "Leave the compiled program in this folder");
  run->add_flag("--no-cache", flags->no_cache,
                "Compile anew, and do not keep what was compiled");
  run->add_option("--emit-compile-commands", flags->compile_commands,
                  "Do not run: write compile_commands.json for editors to this "
                  "folder or file");
  run->add_flag("--json", flags->json,
                "Print the result as JSON; the program's own output then goes "
                "to standard error");
  AddOperatorFlags(*run, flags->operator_call);
  run->callback(
      [flags, &passed, exit_code] { *exit_code = Run(*flags, passed); });
}

}  // namespace

void AddRunCommand(CLI::App& app, const PassedThrough& passed, int* exit_code) {
  CLI::App* run = app.add_subcommand(
      "run",
      "Run a single-source AscendC program, or an operator project, on the "
      "simulated NPU");
  auto flags = std::make_shared<RunFlags>();
  AddRunFlags(run, flags, passed, exit_code);
  AddCheckFlags(*run, flags->check, /*must_check=*/false);
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
  AddRunFlags(check, flags, passed, exit_code);
  AddCheckFlags(*check, flags->check, /*must_check=*/true);
  check->footer(
      "Example:\n  belay check examples/add/add.asc\n"
      "  belay check kernel.asc --tool racecheck --auto-sync off\n"
      "  belay check my_op --in x=x.npy --strict --suppressions known.txt\n"
      "Exit code: 1 for an error, with --strict for anything; else the "
      "program's own; 2 for a bad call.");
}

}  // namespace belay::cli
