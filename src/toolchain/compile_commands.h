// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TOOLCHAIN_COMPILE_COMMANDS_H_
#define BELAY_TOOLCHAIN_COMPILE_COMMANDS_H_

// compile_commands.json: how an editor's own Clang (clangd 14 or newer) parses
// the sources of a program or an operator, without Belay's attributes.

#include <string>
#include <vector>

#include "toolchain/compile.h"

namespace belay::toolchain {

// One entry, as the JSON compilation database has it.
struct CompileCommand {
  std::string directory;
  std::string file;
  std::vector<std::string> arguments;
};

enum class SourceKind {
  kKernel,  // has kernels or launches
  kHost,    // plain C++, such as op_host
};

// One for each of `options.sources`; of the other options, headers, core,
// definitions and include directories count. Paths are made absolute.
std::vector<CompileCommand> CompileCommands(const CompileOptions& options,
                                            SourceKind kind);

// Writes them to `path`, or to compile_commands.json in it when it is a
// folder, and says where. Throws UserError when that cannot be written.
std::string WriteCompileCommands(const std::vector<CompileCommand>& commands,
                                 const std::string& path);

}  // namespace belay::toolchain

#endif  // BELAY_TOOLCHAIN_COMPILE_COMMANDS_H_
