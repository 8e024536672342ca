// SPDX-License-Identifier: Apache-2.0
// `belay run`: a single-source AscendC program on the simulated NPU.

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "cli/command.h"
#include "guest/program.h"

namespace belay::cli {
namespace {

struct RunFlags {
  std::vector<std::string> words;  // sources, then the program's arguments
  guest::ProgramOptions program;
  std::string schedule = "forward";
  std::string reciprocal = "chip";
  std::string fresh_memory = "poison";
  std::string trace;
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

void PrintJson(const guest::ProgramResult& result) {
  const toolchain::PhaseTimes& times = result.compile_milliseconds;
  const nlohmann::json json = {
      {"exit_code", result.exit_code},
      {"compiled", result.compiled},
      {"diagnostics", result.diagnostics},
      {"compile_milliseconds",
       {{"front_end", times.front_end},
        {"passes", times.passes},
        {"code_generation", times.code_generation},
        {"link", times.link}}},
  };
  std::puts(json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace)
                .c_str());
}

int Run(const RunFlags& flags, const PassedThrough& passed) {
  guest::ProgramOptions program = flags.program;
  SplitWords(flags, passed, program);
  ReadSchedule(flags.schedule, program.device);
  program.device.exact_reciprocal = flags.reciprocal == "exact";
  program.device.zero_global_memory = flags.fresh_memory == "zero";
  program.trace_instructions = flags.trace == "instructions";
  program.output_to_stderr = flags.json;

  const guest::ProgramResult result = guest::RunProgram(program);
  if (flags.json) {
    PrintJson(result);
  } else {
    const bool color = isatty(STDERR_FILENO) != 0;
    for (const Diagnostic& diagnostic : result.diagnostics) {
      std::fputs(ToText(diagnostic, color).c_str(), stderr);
    }
  }
  return result.exit_code;
}

}  // namespace

void AddRunCommand(CLI::App& app, const PassedThrough& passed, int* exit_code) {
  auto flags = std::make_shared<RunFlags>();
  CLI::App* run = app.add_subcommand(
      "run", "Run a single-source AscendC program on the simulated NPU");
  run->add_option("FILE", flags->words,
                  "The program (.asc, or several .asc and .cpp), then its "
                  "arguments; put `--` before arguments that look like options")
      ->required();
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
  run->add_option("--trace-file", flags->program.trace_file,
                  "Where the trace goes (default: standard error)");
  run->add_option("--keep", flags->program.keep,
                  "Leave the compiled program in this folder");
  run->add_flag("--json", flags->json,
                "Print the result as JSON; the program's own output then goes "
                "to standard error");
  run->footer(
      "Example:\n  belay run examples/add/add.asc\n"
      "  belay run softmax.asc -D ROWS=8 -- --verbose\n"
      "Exit code: the program's own; 1 when the kernel is at fault; 2 for a "
      "bad call.");
  run->callback(
      [flags, &passed, exit_code] { *exit_code = Run(*flags, passed); });
}

}  // namespace belay::cli
