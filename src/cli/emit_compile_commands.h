// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CLI_EMIT_COMPILE_COMMANDS_H_
#define BELAY_CLI_EMIT_COMPILE_COMMANDS_H_

// `belay run … --emit-compile-commands`: tells editors how to parse the sources
// instead of running them.

#include <string>
#include <vector>

namespace belay::cli {

struct SourcesToEdit {
  std::string project;               // folder of an operator, or empty
  std::vector<std::string> sources;  // of a program, or a kernel
  std::vector<std::string> include_dirs;
  std::vector<std::string> defines;
};

// Writes the database to `path` (a file, or a folder it goes into) and returns
// the exit code.
int EmitCompileCommands(const SourcesToEdit& what, const std::string& path);

}  // namespace belay::cli

#endif  // BELAY_CLI_EMIT_COMPILE_COMMANDS_H_
