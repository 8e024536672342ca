// SPDX-License-Identifier: Apache-2.0
// The host headers compile without warnings, with both compilers and both
// language versions; each of them also alone.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace {

namespace fs = std::filesystem;

std::vector<std::string> HostHeaders() {
  std::vector<std::string> headers = {
      "belay/precompiled_host.h", "tiling_base.h", "utils/log/asc_cpu_log.h"};
  const fs::path include = BELAY_TEST_INCLUDE;
  for (const char* folder : {"register", "tiling", "graph", "exe_graph",
                             "platform", "log", "error"}) {
    for (const auto& entry :
         fs::recursive_directory_iterator(include / folder)) {
      if (entry.path().extension() == ".h") {
        headers.push_back(fs::relative(entry.path(), include).string());
      }
    }
  }
  return headers;
}

// A compiler with its language version, and whether headers are tried alone:
// that takes time, and the compiler hardly matters to it.
struct Trial {
  const char* compiler;
  bool alone;
};

class HeadersCompile : public testing::TestWithParam<Trial> {};

TEST_P(HeadersCompile, WithoutWarnings) {
  const std::string compiler = GetParam().compiler;
  const std::string name = compiler.substr(0, compiler.find(' '));
  if (std::system(("command -v " + name + " >/dev/null").c_str()) != 0) {
    GTEST_SKIP() << name << " is not installed";
  }
  const fs::path folder =
      fs::temp_directory_path() / fmt::format("belay_headers_{}", ::getpid());
  fs::create_directories(folder);
  const std::string log = (folder / "log").string();
  std::string all;
  const auto compile = [&](const std::string& text) {
    const std::string source = (folder / "source.cpp").string();
    std::ofstream(source) << text;
    const std::string command =
        fmt::format("{} -fsyntax-only -Wall -Wextra -Werror -I{} {} >{} 2>&1",
                    compiler, BELAY_TEST_INCLUDE, source, log);
    const int status = std::system(command.c_str());
    std::stringstream output;
    output << std::ifstream(log).rdbuf();
    EXPECT_EQ(status, 0) << text << output.str();
  };
  for (const std::string& header : HostHeaders()) {
    all += fmt::format("#include \"{}\"\n", header);
    if (GetParam().alone) compile(fmt::format("#include \"{}\"\n", header));
  }
  compile(all);
  fs::remove_all(folder);
}

INSTANTIATE_TEST_SUITE_P(Compilers, HeadersCompile,
                         testing::Values(Trial{"g++ -std=c++17", false},
                                         Trial{"g++ -std=c++20", false},
                                         Trial{"clang++-19 -std=c++17", true},
                                         Trial{"clang++-19 -std=c++20", false}),
                         [](const auto& info) {
                           std::string name = info.param.compiler;
                           std::erase_if(name, [](char letter) {
                             return !std::isalnum(
                                 static_cast<unsigned char>(letter));
                           });
                           return name;
                         });

}  // namespace
