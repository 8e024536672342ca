// SPDX-License-Identifier: Apache-2.0
#include "rewrite/driver.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string_view>

#include "base/error.h"

namespace belay::rewrite {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view kCompilerOption = "--belay-compiler=";
constexpr std::string_view kArchOption = "--npu-arch=";

bool IsSource(const std::string& word) {
  const std::string extension = fs::path(word).extension().string();
  for (const char* known : {".asc", ".cpp", ".cc", ".cxx", ".c++", ".cce"}) {
    if (extension == known) return true;
  }
  return false;
}

// Options whose value is the next word.
bool TakesValue(const std::string& option) {
  for (const char* known :
       {"-I", "-D", "-U", "-L", "-l", "-isystem", "-iquote", "-idirafter",
        "-include", "-MF", "-MT", "-MQ", "-Xlinker", "-Xclang", "-arch"}) {
    if (option == known) return true;
  }
  return false;
}

// Options of the AscendC compiler that mean nothing to a C++ compiler.
bool IsForDeviceOnly(const std::string& option) {
  for (const char* prefix : {"--npu-", "--cce-", "-xasc", "--enable-simt",
                             "--run-mode", "--gcc-toolchain="}) {
    if (option.starts_with(prefix)) return true;
  }
  return false;
}

void RequireArchitecture(std::string_view name) {
  if (name == "dav-2201" || name.starts_with("dav-c220")) return;
  throw UserError(fmt::format(
      "[belay-c++] {}{}: the simulated chip is dav-2201 (Ascend 910B)",
      kArchOption, name));
}

// The command line, sorted into what matters here.
struct Words {
  std::string compiler;
  std::string output;
  bool compiles = false;  // -c
  bool links = true;
  bool has_standard = false;
  std::vector<std::string> kept;     // without -o, sources and device options
  std::vector<std::string> options;  // of these, what a compilation takes
  std::vector<std::string> sources;
  std::vector<std::string> include_dirs;
};

Words Sort(const std::vector<std::string>& arguments) {
  Words words;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string& word = arguments[i];
    if (word.starts_with(kCompilerOption)) {
      words.compiler = word.substr(kCompilerOption.size());
    } else if (word.starts_with(kArchOption)) {
      RequireArchitecture(word.substr(kArchOption.size()));
    } else if (word == "-x") {
      ++i;
    } else if (IsForDeviceOnly(word)) {
      continue;
    } else if (word == "-o" && i + 1 < arguments.size()) {
      words.output = arguments[++i];
    } else if (TakesValue(word) && i + 1 < arguments.size()) {
      const std::string& value = arguments[++i];
      if (word == "-I" || word == "-iquote") {
        words.include_dirs.push_back(value);
      }
      words.kept.insert(words.kept.end(), {word, value});
      if (word != "-L" && word != "-l" && word != "-Xlinker") {
        words.options.insert(words.options.end(), {word, value});
      }
    } else if (!word.starts_with("-") && IsSource(word)) {
      words.sources.push_back(word);
    } else {
      if (word.starts_with("-I")) words.include_dirs.push_back(word.substr(2));
      words.compiles |= word == "-c";
      words.links &= word != "-c" && word != "-S" && word != "-E" &&
                     word != "-M" && word != "-MM" && word != "-fsyntax-only";
      words.has_standard |= word.starts_with("-std=");
      words.kept.push_back(word);
      if (word.starts_with("-") && !word.starts_with("-l") &&
          !word.starts_with("-L") && !word.starts_with("-Wl,")) {
        words.options.push_back(word);
      }
    }
  }
  return words;
}

// A compiler call for kernel code, up to the source.
std::vector<std::string> CompileCommand(const Words& words,
                                        const Installation& installation) {
  std::vector<std::string> command = {words.compiler};
  if (!words.has_standard) command.push_back("-std=c++17");
  command.insert(
      command.end(),
      {"-g", "-fno-omit-frame-pointer", "-fno-optimize-sibling-calls",
       "-fno-delete-null-pointer-checks", "-fsanitize=thread",
       "-fsanitize-coverage=trace-pc", "-D__NPU_ARCH__=2201",
       "-D__CCE_AICORE__=220", "-D__DAV_C220__", "-isystem",
       installation.headers, "-include",
       installation.headers + "/belay/launch.h"});
  command.insert(command.end(), words.options.begin(), words.options.end());
  return command;
}

}  // namespace

DriverPlan PlanCommand(const std::vector<std::string>& arguments,
                       const Installation& installation,
                       const std::string& temporary) {
  Words words = Sort(arguments);
  if (words.compiler.empty()) words.compiler = installation.compiler;
  DriverPlan plan;
  plan.include_dirs = words.include_dirs;

  std::vector<std::string> objects;
  for (const std::string& source : words.sources) {
    const std::string name = fs::path(source).filename().string();
    // Beside the object, so that what depends on it finds it again.
    const bool keep = words.compiles && !words.output.empty();
    const std::string rewritten = keep ? words.output + ".belay.cpp"
                                       : fmt::format("{}/{}-{}.cpp", temporary,
                                                     plan.sources.size(), name);
    plan.sources.push_back({source, rewritten});
    std::vector<std::string> command = CompileCommand(words, installation);
    std::string object = words.output;
    if (words.links) {
      object = rewritten + ".o";
      command.push_back("-c");
      objects.push_back(object);
    } else if (words.compiles && object.empty()) {
      object = fs::path(source).stem().string() + ".o";
    }
    if (!object.empty()) command.insert(command.end(), {"-o", object});
    command.push_back(rewritten);
    plan.commands.push_back(std::move(command));
  }
  if (!words.links && !words.sources.empty()) return plan;

  // With -fsanitize=thread here a library of the compiler's would come in.
  std::vector<std::string> link = {words.compiler};
  link.insert(link.end(), objects.begin(), objects.end());
  link.insert(link.end(), words.kept.begin(), words.kept.end());
  if (!words.output.empty()) link.insert(link.end(), {"-o", words.output});
  if (words.links) {
    link.insert(link.end(), {"-L" + installation.library, "-lbelay",
                             "-Wl,-rpath," + installation.library});
  }
  plan.commands.push_back(std::move(link));
  return plan;
}

}  // namespace belay::rewrite
