// SPDX-License-Identifier: Apache-2.0
// Calls of operator projects that must be refused or stopped, each with one
// clear message. A case is a file tests/must_fail/host/*.case that says how it
// differs from the right project tests/must_fail/host/right:
//   # text                      what is wrong
//   replace: FILE: OLD => NEW   in a file; \n is a line break
//   write: FILE: TEXT           a file of its own
//   rename: OLD => NEW          a file or folder
//   remove: PATH                a file or folder
//   args: WORDS                 after `belay run DIR`; {f32:8,16} is a file
//                               with such a tensor, {dir} the case's folder
//   expect: CODE REGEX          of the error; - for one without a code
//   note: REGEX                 a line that must follow it
//   exit: 1|2                   1 the operator is at fault, 2 the call

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <vector>

#include "base/npy.h"
#include "operator_files.h"
#include "run_belay.h"

namespace belay::testing {
namespace {

namespace fs = std::filesystem;

constexpr const char* kCases = "tests/must_fail/host";

struct Case {
  std::string args;
  std::string code;
  std::string message;
  std::vector<std::string> notes;
  int exit_code = 0;
};

std::string Unescape(const std::string& text) {
  return std::regex_replace(text, std::regex("\\\\n"), "\n");
}

// "A: B => C" without A, as {B, C}.
std::pair<std::string, std::string> Arrow(const std::string& text) {
  const size_t at = text.find(" => ");
  if (at == std::string::npos) return {text, ""};
  return {text.substr(0, at), text.substr(at + 4)};
}

void Replace(const fs::path& file, const std::string& from,
             const std::string& to) {
  std::string text = ReadFile(file.string());
  const size_t at = text.find(from);
  ASSERT_NE(at, std::string::npos) << file << " does not hold: " << from;
  ASSERT_EQ(text.find(from, at + 1), std::string::npos)
      << file << " holds it twice: " << from;
  text.replace(at, from.size(), to);
  std::ofstream(file, std::ios::binary) << text;
}

// Makes a file for each {dtype:shape} and puts its path there.
std::string WithFiles(const std::string& args, const fs::path& folder) {
  std::string result;
  std::string rest = args;
  std::smatch match;
  int number = 0;
  while (std::regex_search(rest, match,
                           std::regex("\\{(dir|(\\w+):([0-9,]*))\\}"))) {
    result += match.prefix();
    if (match[1] == "dir") {
      result += folder.string();
    } else {
      const Shape shape = ParseShape(match[3].str());
      std::vector<double> values(ElementCount(shape));
      for (size_t i = 0; i < values.size(); ++i) values[i] = i % 97;
      const fs::path file = folder / (std::to_string(number++) + ".npy");
      WriteNpy(file, MakeArray(*ParseDType(match[2].str()), shape, values));
      result += file.string();
    }
    rest = match.suffix();
  }
  return result + rest;
}

// Reads a case and applies its changes to the project in `folder`.
void Prepare(const std::string& path, const fs::path& folder, Case& test) {
  std::istringstream in(ReadFile(path));
  std::string line;
  while (std::getline(in, line)) {
    std::smatch match;
    if (line.empty() || line[0] == '#') continue;
    ASSERT_TRUE(std::regex_match(line, match, std::regex("(\\w+): ?(.*)")))
        << line;
    const std::string word = match[1];
    const std::string text = match[2];
    const size_t colon = text.find(": ");
    const std::string file = text.substr(0, colon);
    const std::string after =
        colon == std::string::npos ? "" : text.substr(colon + 2);
    if (word == "replace") {
      const auto [from, to] = Arrow(after);
      Replace(folder / file, Unescape(from), Unescape(to));
    } else if (word == "write") {
      fs::create_directories((folder / file).parent_path());
      std::ofstream(folder / file, std::ios::binary) << Unescape(after) << "\n";
    } else if (word == "rename") {
      const auto [from, to] = Arrow(text);
      fs::rename(folder / from, folder / to);
    } else if (word == "remove") {
      ASSERT_GT(fs::remove_all(folder / text), 0u) << text;
    } else if (word == "args") {
      test.args = text;
    } else if (word == "expect") {
      test.code = text.substr(0, text.find(' '));
      test.message = text.substr(text.find(' ') + 1);
    } else if (word == "note") {
      test.notes.push_back(text);
    } else if (word == "exit") {
      test.exit_code = std::stoi(text);
    } else {
      FAIL() << "unknown word in a case: " << line;
    }
  }
}

std::vector<std::string> Cases() {
  std::vector<std::string> cases;
  for (const auto& entry : fs::directory_iterator(SourcePath(kCases))) {
    if (entry.path().extension() == ".case") {
      cases.push_back(entry.path().stem().string());
    }
  }
  std::sort(cases.begin(), cases.end());
  return cases;
}

Outcome RunIn(const fs::path& folder, const std::string& args) {
  return RunBelay("run " + (folder / "project").string() + " " + args);
}

TEST(RightProject, RunsSoThatOnlyTheChangesAreWrong) {
  TemporaryFolder folder;
  fs::copy(SourcePath(kCases) + "/right", folder.path() / "project",
           fs::copy_options::recursive);
  for (const char* dtype : {"f32", "f16"}) {
    const std::string tensor = std::string("{") + dtype + ":8,16}";
    const Outcome outcome = RunIn(
        folder.path(),
        WithFiles("--in x=" + tensor + " --attr factor=1 --expect y=" + tensor,
                  folder.path()));
    EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
  }
}

class MustFailHost : public ::testing::TestWithParam<std::string> {};

TEST_P(MustFailHost, IsStoppedWithOneClearMessage) {
  TemporaryFolder folder;
  fs::copy(SourcePath(kCases) + "/right", folder.path() / "project",
           fs::copy_options::recursive);
  Case test;
  ASSERT_NO_FATAL_FAILURE(
      Prepare(SourcePath(kCases) + "/" + GetParam() + ".case",
              folder.path() / "project", test));
  ASSERT_FALSE(test.code.empty()) << "the case expects nothing";
  const Outcome outcome =
      RunIn(folder.path(), WithFiles(test.args, folder.path()));
  EXPECT_EQ(outcome.exit_code, test.exit_code) << outcome.err;

  std::vector<std::string> errors;
  std::istringstream lines(outcome.err);
  for (std::string line; std::getline(lines, line);) {
    if (line.find("error: ") != std::string::npos) errors.push_back(line);
  }
  ASSERT_EQ(errors.size(), 1u) << outcome.err;
  if (test.code != "-") {
    EXPECT_TRUE(
        std::regex_search(errors[0], std::regex("\\[" + test.code + "\\]$")))
        << outcome.err;
  }
  EXPECT_TRUE(std::regex_search(errors[0], std::regex(test.message)))
      << outcome.err;
  for (const std::string& note : test.notes) {
    EXPECT_TRUE(std::regex_search(outcome.err, std::regex(note)))
        << "no note " << note << " in\n"
        << outcome.err;
  }
  EXPECT_EQ(outcome.err.find("internal error"), std::string::npos)
      << outcome.err;
}

INSTANTIATE_TEST_SUITE_P(All, MustFailHost, ::testing::ValuesIn(Cases()),
                         [](const ::testing::TestParamInfo<std::string>& info) {
                           return info.param;
                         });

}  // namespace
}  // namespace belay::testing
