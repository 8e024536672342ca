// SPDX-License-Identifier: Apache-2.0
// Every program of tests/must_fail/crux is refused with the messages it names
// in comments at its top:
//   # expect: CODE LINE:COLUMN REGEX   a finding, in the order of the source;
//                                      the regular expression is looked for in
//                                      message and fix
//   # run: name=value …                the program is right for the front end:
//                                      this call finds the fault (call.h says
//                                      how arguments are written; fits=no is
//                                      the answer of fits())
// There are no other findings than those named.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <regex>
#include <sstream>

#include "base/catalogue.h"
#include "call.h"
#include "crux/check.h"
#include "files.h"

namespace belay::testing::test_must_fail {
namespace {

struct Expected {
  std::string code;
  int line = 0;
  int column = 0;
  std::string regex;
};

struct Case {
  std::vector<Expected> expected;
  std::string call;
  bool runs = false;
};

Case ReadCase(const std::string& text) {
  Case read;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("# run:")) {
      read.runs = true;
      read.call = line.substr(6);
    }
    if (!line.starts_with("# expect: ")) continue;
    std::istringstream words(line.substr(10));
    Expected& expected = read.expected.emplace_back();
    char colon = 0;
    words >> expected.code >> expected.line >> colon >> expected.column >>
        std::ws;
    std::getline(words, expected.regex);
  }
  return read;
}

std::string Describe(const std::vector<Diagnostic>& diagnostics) {
  std::string text;
  for (const Diagnostic& one : diagnostics) {
    text += fmt::format("  {} {}:{} {} | {}\n", one.code, one.location.line,
                        one.location.column, one.message, one.fix);
  }
  return text.empty() ? "  nothing\n" : text;
}

void ExpectFindings(const std::vector<Expected>& expected,
                    const std::vector<Diagnostic>& found) {
  ASSERT_EQ(found.size(), expected.size()) << Describe(found);
  for (size_t i = 0; i < expected.size(); ++i) {
    const Diagnostic& one = found[i];
    EXPECT_EQ(one.code, expected[i].code) << Describe(found);
    EXPECT_NE(FindCode(one.code), nullptr) << one.code;
    EXPECT_EQ(one.location.line, expected[i].line) << Describe(found);
    EXPECT_EQ(one.location.column, expected[i].column) << Describe(found);
    EXPECT_TRUE(std::regex_search(one.message + " " + one.fix,
                                  std::regex(expected[i].regex)))
        << "no " << expected[i].regex << " in\n"
        << Describe(found);
  }
}

class MustFail : public ::testing::TestWithParam<std::filesystem::path> {};

TEST_P(MustFail, IsRefusedWithItsMessages) {
  const std::string text = ReadAll(GetParam());
  const Case test = ReadCase(text);
  ASSERT_FALSE(test.expected.empty()) << "expects nothing";
  const crux::Checked checked =
      crux::Check(GetParam().filename().string(), text);
  if (!test.runs) return ExpectFindings(test.expected, checked.diagnostics);

  ASSERT_TRUE(checked.ok()) << Describe(checked.diagnostics);
  const crux::typed::Kernel& kernel = *checked.program->kernels.front();
  crux::interpret::Arguments arguments;
  std::istringstream words(test.call);
  crux::interpret::Options options;
  options.file = GetParam().filename().string();
  options.limits.steps = 1'000'000;
  for (std::string word; words >> word;) {
    if (word == "fits=no") {
      options.fits = false;
    } else {
      AddArgument(kernel, word, arguments);
    }
  }
  const crux::interpret::Results results =
      crux::interpret::Interpret(kernel, arguments, options);
  ExpectFindings(test.expected, results.diagnostics);
}

INSTANTIATE_TEST_SUITE_P(
    Crux, MustFail,
    ::testing::ValuesIn(FilesIn("tests/must_fail/crux", ".crux")),
    [](const auto& test) { return test.param.stem().string(); });

// A code that no program shows is a code nobody has seen work.
TEST(MustFailCoverage, EveryCodeHasAProgram) {
  std::set<std::string> shown;
  size_t programs = 0;
  for (const auto& path : FilesIn("tests/must_fail/crux", ".crux")) {
    ++programs;
    for (const Expected& one : ReadCase(ReadAll(path)).expected) {
      shown.insert(one.code);
    }
  }
  EXPECT_GE(programs, 100u);
  for (const CodeInfo& info : AllCodes()) {
    // What the compiler refuses has programs in tests/must_fail/crux_compile.
    if (info.code[4] == 'X' && info.code < code::kX301) {
      EXPECT_TRUE(shown.contains(std::string(info.code)))
          << info.code << ": " << info.title;
    }
  }
}

}  // namespace
}  // namespace belay::testing::test_must_fail
