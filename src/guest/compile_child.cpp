// SPDX-License-Identifier: Apache-2.0
#include "guest/compile_child.h"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/catalogue.h"
#include "base/error.h"
#include "base/resources.h"
#include "guest/child.h"
#include "toolchain/compile_cache.h"

namespace belay::guest {
namespace fs = std::filesystem;
namespace {

// A file built beside the program; empty when it is not there.
std::string BesideProgram(const std::string& name) {
  std::error_code ignored;
  const fs::path program = fs::read_symlink("/proc/self/exe", ignored);
  std::string found;
  for (const std::string& place : {"../share/belay/" + name, name}) {
    const fs::path file = program.parent_path() / place;
    if (fs::exists(file, ignored)) found = file.string();
  }
  return found;
}

toolchain::CompileOptions OptionsWith(const char* precompiled_header) {
  toolchain::CompileOptions options;
  options.headers = Resource("include").string();
  // Compiling works without it, more slowly.
  options.precompiled_header = BesideProgram(precompiled_header);
  return options;
}

int CompileHere(const toolchain::CompileOptions& options,
                const SendLine& send) {
  const auto cache = toolchain::DefaultCompileCache();
  const toolchain::CompileResult compiled =
      cache ? toolchain::CompileCached(options, *cache)
            : toolchain::Compile(options);
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
}

}  // namespace

ChildCompilation CompileInChild(const toolchain::CompileOptions& options) {
  // Diagnostics and times arrive as JSON lines.
  const ChildResult child = RunInChild(
      [&](const SendLine& send) { return CompileHere(options, send); });
  ChildCompilation result;
  for (const std::string& line : child.lines) {
    const auto message = nlohmann::json::parse(line, nullptr, false);
    if (message.is_discarded()) continue;
    if (message.contains("times")) {
      const auto times = message["times"].get<std::vector<double>>();
      result.milliseconds = {times[0], times[1], times[2], times[3]};
    } else {
      result.diagnostics.push_back(message.get<Diagnostic>());
    }
  }
  result.ok = child.signal == 0 && child.exit_code == 0;
  if (child.signal != 0) {
    Diagnostic crash;
    crash.code = code::kC106;
    crash.message = fmt::format("the compiler crashed on this program: {}",
                                DescribeSignal(child.signal));
    result.diagnostics.push_back(std::move(crash));
  } else if (child.exit_code > 1) {
    throw InternalError("[run] the compiling child failed");
  }
  return result;
}

toolchain::CompileOptions DefaultCompileOptions() {
  toolchain::CompileOptions options = OptionsWith("kernel.pch");
  options.cube_precompiled_header = BesideProgram("kernel_cube.pch");
  return options;
}

toolchain::CompileOptions DefaultHostCompileOptions() {
  toolchain::CompileOptions options = OptionsWith("host.pch");
  options.host_only = true;
  return options;
}

}  // namespace belay::guest
