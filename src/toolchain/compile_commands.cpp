// SPDX-License-Identifier: Apache-2.0
#include "toolchain/compile_commands.h"

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "toolchain/front_end_arguments.h"

namespace belay::toolchain {
namespace fs = std::filesystem;
namespace {

std::string Absolute(const std::string& path) {
  return fs::absolute(path).lexically_normal().string();
}

std::vector<std::string> ArgumentsFor(const CompileOptions& options,
                                      SourceKind kind,
                                      const std::string& source) {
  std::vector<std::string> list = {"clang++", "-std=gnu++17", "-msse4.2",
                                   "-fsyntax-only"};
  const auto append = [&](const std::vector<std::string>& more) {
    list.insert(list.end(), more.begin(), more.end());
  };
  if (kind == SourceKind::kKernel) {
    // So that k<<<…>>>(…) is syntax.
    append({"-x", "cuda", "--cuda-host-only", "-nocudainc", "-nocudalib",
            "-Xclang", "-fcuda-allow-variadic-functions",
            "-Wno-unknown-cuda-version", "-D__BELAY_EDITOR__"});
  } else {
    append({"-x", "c++"});
  }
  append({"-Wno-unknown-attributes", "-Wno-ignored-attributes"});
  append(ChipDefinitions(options.core));
  for (const std::string& define : options.defines)
    list.push_back("-D" + define);
  for (const std::string& directory : options.include_dirs)
    list.push_back("-I" + Absolute(directory));
  append({"-isystem", Absolute(options.headers), "-include",
          Absolute(options.headers) + "/belay/launch.h", Absolute(source)});
  return list;
}

}  // namespace

std::vector<CompileCommand> CompileCommands(const CompileOptions& options,
                                            SourceKind kind) {
  std::vector<CompileCommand> commands;
  for (const std::string& source : options.sources) {
    commands.push_back({fs::current_path().string(), Absolute(source),
                        ArgumentsFor(options, kind, source)});
  }
  return commands;
}

std::string WriteCompileCommands(const std::vector<CompileCommand>& commands,
                                 const std::string& path) {
  nlohmann::json entries = nlohmann::json::array();
  for (const CompileCommand& command : commands) {
    entries.push_back({{"directory", command.directory},
                       {"file", command.file},
                       {"arguments", command.arguments}});
  }
  fs::path target = path;
  if (fs::is_directory(target)) target /= "compile_commands.json";
  std::ofstream file(target);
  file << entries.dump(2) << "\n";
  file.close();
  if (!file) {
    throw UserError("[compile] cannot write '" + target.string() +
                    "'; give a folder or a file in one that exists");
  }
  return target.string();
}

}  // namespace belay::toolchain
