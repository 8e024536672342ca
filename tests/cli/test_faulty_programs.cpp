// SPDX-License-Identifier: Apache-2.0
// Programs that must be refused or stopped: the first error with its code, its
// message and its line, as the program's comments say (expectation.h).

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <nlohmann/json.hpp>
#include <regex>

#include "expectation.h"
#include "run_belay.h"

namespace belay::testing {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> Programs() {
  std::vector<std::string> programs = ProgramsIn("tests/must_fail");
  for (const char* folder : {"tests/must_fail/cube", "tests/lines"}) {
    std::ranges::copy(ProgramsIn(folder), std::back_inserter(programs));
  }
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
  if (!expected.here.empty()) {
    EXPECT_EQ((*error)["location"]["line"], *expected.here.rbegin())
        << error->dump(2);
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
