// SPDX-License-Identifier: Apache-2.0
#include "guest/program.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "base/error.h"
#include "base/resources.h"
#include "guest/child.h"
#include "guest/crash.h"
#include "guest/fault_message.h"
#include "guest/module.h"
#include "guest/place_fault.h"
#include "npu/tracer.h"

namespace belay::guest {
namespace fs = std::filesystem;
namespace {

// A folder that goes when it goes out of scope, unless it is kept.
class WorkFolder {
 public:
  explicit WorkFolder(const std::string& keep) : keep_(!keep.empty()) {
    if (keep_) {
      path_ = keep;
      std::error_code error;
      fs::create_directories(path_, error);
      if (error) {
        throw UserError(fmt::format("[run] cannot make folder '{}': {}", keep,
                                    error.message()));
      }
      return;
    }
    std::string pattern = (fs::temp_directory_path() / "belay-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) {
      throw UserError(fmt::format("[run] cannot make a folder in '{}'",
                                  fs::temp_directory_path().string()));
    }
    path_ = pattern;
  }
  ~WorkFolder() {
    std::error_code ignored;
    if (!keep_) fs::remove_all(path_, ignored);
  }
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;

  std::string File(const char* name) const { return (path_ / name).string(); }

 private:
  bool keep_;
  fs::path path_;
};

void RequireSources(const std::vector<std::string>& sources) {
  if (sources.empty()) throw UserError("[run] no source file was given");
  for (const std::string& source : sources) {
    if (!fs::is_regular_file(source)) {
      throw UserError(fmt::format("[run] no file '{}'", source));
    }
  }
}

Diagnostic CrashOf(const char* code, std::string message) {
  Diagnostic diagnostic;
  diagnostic.code = code;
  diagnostic.message = std::move(message);
  return diagnostic;
}

// Compiles in a child; diagnostics and times arrive as JSON lines.
void CompileInChild(const toolchain::CompileOptions& options,
                    ProgramResult& result) {
  const ChildResult child = RunInChild([&](const SendLine& send) {
    const toolchain::CompileResult compiled = toolchain::Compile(options);
    for (const Diagnostic& diagnostic : compiled.diagnostics) {
      send(nlohmann::json(diagnostic)
               .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
    }
    const toolchain::PhaseTimes& times = compiled.milliseconds;
    send(nlohmann::json{
        {"times",
         {times.front_end, times.passes, times.code_generation, times.link}}}
             .dump());
    return compiled.ok ? 0 : 1;
  });
  for (const std::string& line : child.lines) {
    const auto message = nlohmann::json::parse(line, nullptr, false);
    if (message.is_discarded()) continue;
    if (message.contains("times")) {
      const auto times = message["times"].get<std::vector<double>>();
      result.compile_milliseconds = {times[0], times[1], times[2], times[3]};
    } else {
      result.diagnostics.push_back(message.get<Diagnostic>());
    }
  }
  result.compiled = child.signal == 0 && child.exit_code == 0;
  if (child.signal != 0) {
    result.diagnostics.push_back(
        CrashOf("BLY-C106", fmt::format("the compiler crashed on this program: "
                                        "{}",
                                        DescribeSignal(child.signal))));
  } else if (child.exit_code > 1) {
    throw InternalError("[run] the compiling child failed");
  }
}

// "file:line" of a program counter, remembered.
class Locator {
 public:
  Locator(const std::string& module, uint64_t base)
      : symbolizer_(module), base_(base) {}

  std::string operator()(uint64_t pc) {
    auto [entry, is_new] = known_.try_emplace(pc);
    if (is_new) {
      const auto frames = symbolizer_.Frames(pc - base_);
      if (!frames.empty() && frames.front().known()) {
        entry->second = fmt::format(
            "{}:{}", fs::path(frames.front().file).filename().string(),
            frames.front().line);
      }
    }
    return entry->second;
  }

 private:
  toolchain::Symbolizer symbolizer_;
  uint64_t base_;
  std::unordered_map<uint64_t, std::string> known_;
};

int RunModule(const ProgramOptions& options, const std::string& path,
              const SendLine& send) {
  if (options.output_to_stderr) dup2(STDERR_FILENO, STDOUT_FILENO);
  runtime::Device device(options.device);
  runtime::Device::Install(&device);
  uint64_t module_base = 0;
  device.SetFaultSink(
      [&](npu::Fault fault) { send(EncodeFault(fault, module_base)); });
  CatchCrashes();
  const LoadedModule module = LoadModule(path);
  module_base = module.image.base;
  if (module.main == nullptr) {
    npu::Fault fault;
    fault.diagnostic.code = "BLY-C107";
    fault.diagnostic.message = "the program has no main function";
    fault.diagnostic.fix = "add a main that launches the kernel with <<<…>>>";
    device.Raise(std::move(fault));
    return 1;
  }

  Locator locator(path, module_base);
  std::FILE* trace = stderr;
  if (!options.trace_file.empty()) {
    trace = std::fopen(options.trace_file.c_str(), "w");
    if (trace == nullptr) {
      throw UserError(
          fmt::format("[run] cannot write '{}'", options.trace_file));
    }
  }
  npu::Tracer tracer(device.chip(), trace,
                     [&](uint64_t pc) { return locator(pc); });
  if (options.trace_instructions) device.chip().AddObserver(&tracer);

  std::vector<std::string> words = options.arguments;
  words.insert(words.begin(), options.sources.front());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  const int code =
      module.main(static_cast<int>(words.size()), argv.data(), environ);
  std::fflush(nullptr);
  return device.errors() > 0 ? 1 : code & 0xFF;
}

void RunInSecondChild(const ProgramOptions& options, const std::string& path,
                      ProgramResult& result) {
  const ChildResult child = RunInChild(
      [&](const SendLine& send) { return RunModule(options, path, send); });
  toolchain::Symbolizer symbolizer(path);
  for (const std::string& line : child.lines) {
    if (const auto fault = DecodeFault(line)) {
      result.diagnostics.push_back(PlaceFault(*fault, symbolizer));
    }
  }
  result.exit_code = child.exit_code;
  if (child.signal != 0) {
    result.exit_code = 1;
    result.diagnostics.push_back(
        CrashOf("BLY-G106", fmt::format("the program was ended by {}",
                                        DescribeSignal(child.signal))));
  }
}

}  // namespace

toolchain::CompileOptions DefaultCompileOptions() {
  toolchain::CompileOptions options;
  options.headers = Resource("include").string();
  // Built beside the program; compiling works without it, more slowly.
  std::error_code ignored;
  const fs::path program = fs::read_symlink("/proc/self/exe", ignored);
  for (const char* place : {"../share/belay/kernel.pch", "kernel.pch"}) {
    const fs::path file = program.parent_path() / place;
    if (fs::exists(file, ignored)) options.precompiled_header = file.string();
  }
  return options;
}

ProgramResult RunProgram(const ProgramOptions& options) {
  RequireSources(options.sources);
  npu::LoadChip(options.device.chip);
  const WorkFolder folder(options.keep);

  toolchain::CompileOptions compile = DefaultCompileOptions();
  compile.sources = options.sources;
  compile.include_dirs = options.include_dirs;
  compile.defines = options.defines;
  compile.output = folder.File("guest.so");

  ProgramResult result;
  CompileInChild(compile, result);
  if (result.compiled) RunInSecondChild(options, compile.output, result);
  const bool failed = std::any_of(
      result.diagnostics.begin(), result.diagnostics.end(),
      [](const Diagnostic& d) { return d.severity == Severity::kError; });
  if (failed && result.exit_code == 0) result.exit_code = 1;
  return result;
}

}  // namespace belay::guest
