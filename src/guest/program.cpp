// SPDX-License-Identifier: Apache-2.0
#include "guest/program.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/catalogue.h"
#include "base/error.h"
#include "guest/child.h"
#include "guest/crash.h"
#include "guest/fault_message.h"
#include "guest/module.h"
#include "guest/place_fault.h"
#include "guest/same_course.h"
#include "guest/work_folder.h"

namespace belay::guest {
namespace {

void RequireSources(const std::vector<std::string>& sources) {
  if (sources.empty()) throw UserError("[run] no source file was given");
  for (const std::string& source : sources) {
    if (!std::filesystem::is_regular_file(source)) {
      throw UserError(fmt::format("[run] no file '{}'", source));
    }
  }
}

// An exception that the program leaves to itself is its own; Belay's are not.
int CallMain(const LoadedModule& module, size_t words, char** argv,
             runtime::Device& device) {
  try {
    return module.main(static_cast<int>(words), argv, environ);
  } catch (const InternalError&) {
    throw;
  } catch (const GuestFault&) {
    throw;
  } catch (const std::exception& error) {
    npu::Fault fault;
    fault.diagnostic.code = code::kG106;
    fault.diagnostic.message = fmt::format(
        "the program was ended by an exception that nothing caught: {}",
        error.what());
    device.Raise(std::move(fault));
    return 1;
  }
}

int RunModule(const ProgramOptions& options, const std::string& path, int log,
              const SendLine& send) {
  if (options.output_to_stderr) dup2(STDERR_FILENO, STDOUT_FILENO);
  if (options.discard_output) DiscardOutput();
  runtime::DeviceOptions device_options = options.device;
  device_options.record = options.record.has_value();
  runtime::Device device(std::move(device_options));
  runtime::Device::Install(&device);
  uint64_t module_base = 0;
  device.SetFaultSink(
      [&](npu::Fault fault) { send(EncodeFault(fault, module_base)); });
  CatchCrashes();
  const LoadedModule module = LoadModule(path);
  module_base = module.image.base;
  if (module.main == nullptr) {
    npu::Fault fault;
    fault.diagnostic.code = code::kC107;
    fault.diagnostic.message = "the program has no main function";
    fault.diagnostic.fix = "add a main that launches the kernel with <<<…>>>";
    device.Raise(std::move(fault));
    return 1;
  }
  const InstructionTrace trace(options.trace, device, path, module_base);
  LaunchRecording recording(device, log, module_base, send);

  std::vector<std::string> words = options.arguments;
  words.insert(words.begin(), options.sources.front());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  const int code = CallMain(module, words.size(), argv.data(), device);
  std::fflush(nullptr);
  recording.Finish();
  send(nlohmann::json{{"launch_milliseconds", device.launch_milliseconds()}}
           .dump());
  return code & 0xFF;
}

void RunInSecondChild(const ProgramOptions& options, const std::string& path,
                      ProgramResult& result) {
  const Descriptor log = options.record ? MakeLogFile() : Descriptor();
  const ChildResult child = RunInChild([&](const SendLine& send) {
    return RunModule(options, path, log.get(), send);
  });
  toolchain::Symbolizer symbolizer(path);
  for (const std::string& line : child.lines) {
    if (const auto fault = DecodeFault(line)) {
      AddPlaced(*fault, symbolizer, result.diagnostics);
      continue;
    }
    const auto message = nlohmann::json::parse(line, nullptr, false);
    if (message.is_object() && message.contains("launch_milliseconds")) {
      message["launch_milliseconds"].get_to(result.launch_milliseconds);
    }
  }
  if (options.record) {
    result.recorded =
        LoadLaunches(log.get(), child.lines, symbolizer, *options.record);
  }
  result.exit_code = child.exit_code;
  if (child.signal != 0) {
    result.exit_code = 1;
    Diagnostic crash;
    crash.code = code::kG106;
    crash.message = fmt::format("the program was ended by {}",
                                DescribeSignal(child.signal));
    result.diagnostics.push_back(std::move(crash));
  }
}

void RequireSameCourse(const ProgramOptions& options, const std::string& path,
                       ProgramResult& result) {
  auto dependence =
      FindDependence(result.recorded, [&](npu::Pretence pretence) {
        ProgramOptions again = options;
        again.device.timing_only = pretence;
        again.record = RecordOptions{};
        again.trace = {};
        again.discard_output = true;
        ProgramResult other;
        RunInSecondChild(again, path, other);
        return std::move(other.recorded);
      });
  if (!dependence) return;
  result.diagnostics.push_back(std::move(*dependence));
  result.recorded.launches.clear();
  result.exit_code = 1;
}

}  // namespace

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
  ChildCompilation compilation = CompileInChild(compile);
  result.compiled = compilation.ok;
  result.diagnostics = std::move(compilation.diagnostics);
  result.compile_milliseconds = compilation.milliseconds;
  if (result.compiled) RunInSecondChild(options, compile.output, result);
  if (options.device.timing_only && options.record) {
    RequireSameCourse(options, compile.output, result);
  }
  return result;
}

}  // namespace belay::guest
