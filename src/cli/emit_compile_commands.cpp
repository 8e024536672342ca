// SPDX-License-Identifier: Apache-2.0
#include "cli/emit_compile_commands.h"

#include <fmt/format.h>

#include <cstdio>

#include "guest/compile_child.h"
#include "guest/operator_project.h"
#include "toolchain/compile_commands.h"

namespace belay::cli {

using toolchain::SourceKind;

int EmitCompileCommands(const SourcesToEdit& what, const std::string& path) {
  toolchain::CompileOptions options = guest::DefaultCompileOptions();
  options.include_dirs = what.include_dirs;
  options.defines = what.defines;
  std::vector<toolchain::CompileCommand> commands;
  const auto add = [&](const std::vector<std::string>& sources,
                       SourceKind kind) {
    options.sources = sources;
    for (auto& command : toolchain::CompileCommands(options, kind))
      commands.push_back(std::move(command));
  };
  if (what.project.empty()) {
    add(what.sources, SourceKind::kKernel);
  } else {
    const guest::OperatorProject project =
        guest::FindOperatorProject(what.project);
    options.include_dirs.insert(options.include_dirs.end(),
                                project.include_dirs.begin(),
                                project.include_dirs.end());
    add(project.host_sources, SourceKind::kHost);
    options.defines.insert(options.defines.end(),
                           {"__BELAY_KERNEL_TU__", "ASCENDC_CPU_DEBUG"});
    add(project.kernel_sources, SourceKind::kKernel);
  }
  const std::string written = toolchain::WriteCompileCommands(commands, path);
  std::fputs(
      fmt::format("{} sources in {}\n", commands.size(), written).c_str(),
      stdout);
  return 0;
}

}  // namespace belay::cli
