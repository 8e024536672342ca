// SPDX-License-Identifier: Apache-2.0
// Programs that must be refused or stopped, each with its code, its message
// and its line. A program says in comments what it expects:
//   // expect: CODE REGEX     the first error's code and (part of) its message
//   // flags: …               further flags for `belay run`
//   … // <-- here             the line the error must name

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>

#include "run_belay.h"

namespace belay::testing {
namespace {

namespace fs = std::filesystem;

struct Expectation {
  std::string code;
  std::string message;
  std::string flags;
  int line = 0;  // 0: not checked
};

Expectation ReadExpectation(const std::string& path) {
  Expectation expectation;
  std::istringstream in(ReadFile(path));
  std::string line;
  for (int number = 1; std::getline(in, line); ++number) {
    std::smatch match;
    if (std::regex_search(line, match,
                          std::regex("^// expect: (\\S+) (.*)$"))) {
      expectation.code = match[1];
      expectation.message = match[2];
    } else if (std::regex_search(line, match, std::regex("^// flags: (.*)$"))) {
      expectation.flags = match[1];
    } else if (line.find("// <-- here") != std::string::npos) {
      expectation.line = number;
    }
  }
  return expectation;
}

std::vector<std::string> Programs() {
  std::vector<std::string> programs;
  for (const char* folder : {"tests/must_fail", "tests/lines"}) {
    for (const auto& entry : fs::directory_iterator(SourcePath(folder))) {
      if (entry.path().extension() == ".asc") {
        programs.push_back(std::string(folder) + "/" +
                           entry.path().filename().string());
      }
    }
  }
  std::sort(programs.begin(), programs.end());
  return programs;
}

class FaultyProgram : public ::testing::TestWithParam<std::string> {};

TEST_P(FaultyProgram, IsStoppedWithItsMessageAndLine) {
  const Expectation expected = ReadExpectation(SourcePath(GetParam()));
  ASSERT_FALSE(expected.code.empty()) << "the program expects nothing";
  const Outcome outcome =
      RunBelay("run --json " + GetParam() + " " + expected.flags);
  EXPECT_EQ(outcome.exit_code, 1) << outcome.err;
  const auto result = nlohmann::json::parse(outcome.out, nullptr, false);
  ASSERT_FALSE(result.is_discarded()) << outcome.out << outcome.err;
  const nlohmann::json* error = nullptr;
  for (const auto& diagnostic : result["diagnostics"]) {
    if (diagnostic["severity"] == "error") {
      error = &diagnostic;
      break;
    }
  }
  ASSERT_NE(error, nullptr) << outcome.out;
  EXPECT_EQ((*error)["code"], expected.code);
  EXPECT_TRUE(std::regex_search((*error)["message"].get<std::string>(),
                                std::regex(expected.message)))
      << (*error)["message"];
  if (expected.line != 0) {
    EXPECT_EQ((*error)["location"]["line"], expected.line) << error->dump(2);
    EXPECT_EQ(
        fs::path((*error)["location"]["file"].get<std::string>()).filename(),
        fs::path(GetParam()).filename());
  }
}

INSTANTIATE_TEST_SUITE_P(All, FaultyProgram, ::testing::ValuesIn(Programs()),
                         [](const ::testing::TestParamInfo<std::string>& info) {
                           return fs::path(info.param).stem().string();
                         });

}  // namespace
}  // namespace belay::testing
