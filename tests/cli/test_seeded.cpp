// SPDX-License-Identifier: Apache-2.0
// Kernels with one planted fault each: `belay check` must find it, with its
// code, its line and the line of the other access, and nothing else. Compiled
// with REPAIRED the same kernel must be found clean. What a program expects it
// says in comments (expectation.h).

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <iomanip>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>

#include "expectation.h"
#include "run_belay.h"

namespace belay::testing {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* kFolder = "tests/seeded";

json Check(const std::string& program, const std::string& flags,
           int* exit_code) {
  const Outcome outcome =
      RunBelay("check --strict --json " + program + " " + flags);
  *exit_code = outcome.exit_code;
  const json result = json::parse(outcome.out, nullptr, false);
  EXPECT_FALSE(result.is_discarded()) << outcome.out << outcome.err;
  return result.is_discarded() ? json::array() : result["diagnostics"];
}

// The line of a place in `program`; 0 if it is somewhere else.
int LineIn(const std::string& program, const json& holder) {
  const auto place = holder.find("location");
  if (place == holder.end() || !place->is_object() ||
      fs::path((*place)["file"].get<std::string>()).filename() !=
          fs::path(program).filename()) {
    return 0;
  }
  return (*place)["line"].get<int>();
}

// The line of the first note that has one.
int OtherLineIn(const std::string& program, const json& finding) {
  if (!finding.contains("notes")) return 0;
  for (const json& note : finding["notes"]) {
    if (const int line = LineIn(program, note); line != 0) return line;
  }
  return 0;
}

void ExpectAsPlanted(const std::string& program, const Expectation& expected,
                     const json& finding) {
  SCOPED_TRACE(finding.dump(2));
  EXPECT_TRUE(std::regex_search(finding["message"].get<std::string>(),
                                std::regex(expected.message)));
  const int here = LineIn(program, finding);
  EXPECT_TRUE(expected.here.contains(here)) << "line " << here;
  if (expected.other.empty()) return;
  const int other = OtherLineIn(program, finding);
  EXPECT_TRUE(expected.other.contains(other)) << "other line " << other;
  if (!expected.both.empty()) {
    EXPECT_EQ((std::set<int>{here, other}), expected.both);
  }
}

class SeededProgram : public ::testing::TestWithParam<std::string> {};

TEST_P(SeededProgram, IsFoundAndItsTwinIsClean) {
  const Expectation expected = ReadExpectation(SourcePath(GetParam()));
  ASSERT_FALSE(expected.code.empty()) << "the program expects nothing";
  ASSERT_FALSE(expected.here.empty()) << "no line is marked";
  int exit_code = 0;
  const json found = Check(GetParam(), expected.flags, &exit_code);
  EXPECT_EQ(exit_code, 1);
  size_t planted = 0;
  std::set<std::string> also;
  for (const json& finding : found) {
    const auto code = finding["code"].get<std::string>();
    if (code == expected.code) {
      ++planted;
      ExpectAsPlanted(GetParam(), expected, finding);
    } else {
      also.insert(code);
    }
  }
  EXPECT_GE(planted, 1u) << found.dump(2);
  // Of two accesses by two blocks each may be the later one.
  EXPECT_LE(planted, std::max<size_t>(expected.both.size(), 1))
      << found.dump(2);
  EXPECT_EQ(also,
            (std::set<std::string>(expected.also.begin(), expected.also.end())))
      << found.dump(2);

  const json clean =
      Check(GetParam(), expected.flags + " -DREPAIRED", &exit_code);
  EXPECT_EQ(exit_code, 0);
  EXPECT_TRUE(clean.empty()) << "the repaired twin: " << clean.dump(2);
}

INSTANTIATE_TEST_SUITE_P(All, SeededProgram,
                         ::testing::ValuesIn(ProgramsIn(kFolder)),
                         [](const ::testing::TestParamInfo<std::string>& info) {
                           return fs::path(info.param).stem().string();
                         });

// Programs whose blocks may take turns in more than one order.
std::vector<std::string> ProgramsOfBlocks() {
  std::vector<std::string> programs = ProgramsIn(kFolder);
  std::erase_if(programs, [](const std::string& program) {
    return ReadFile(SourcePath(program)).find("#define SEEDED_BLOCKS") ==
           std::string::npos;
  });
  return programs;
}

class SeededBlocks : public ::testing::TestWithParam<std::string> {};

TEST_P(SeededBlocks, AreJudgedAlikeInReverse) {
  const Expectation expected = ReadExpectation(SourcePath(GetParam()));
  const std::string flags = expected.flags + " --schedule reverse";
  int exit_code = 0;
  bool is_found = false;
  for (const json& finding : Check(GetParam(), flags, &exit_code)) {
    if (finding["code"] != expected.code) continue;
    // Of the two accesses the other one may come later now.
    const int line = LineIn(GetParam(), finding);
    EXPECT_TRUE(expected.here.contains(line) || expected.other.contains(line))
        << finding.dump(2);
    is_found = true;
  }
  EXPECT_TRUE(is_found);
  const json clean = Check(GetParam(), flags + " -DREPAIRED", &exit_code);
  EXPECT_EQ(exit_code, 0);
  EXPECT_TRUE(clean.empty()) << "the repaired twin: " << clean.dump(2);
}

INSTANTIATE_TEST_SUITE_P(All, SeededBlocks,
                         ::testing::ValuesIn(ProgramsOfBlocks()),
                         [](const ::testing::TestParamInfo<std::string>& info) {
                           return fs::path(info.param).stem().string();
                         });

// Codes of the checkers, of queues and of flags: one page each.
std::set<std::string> CheckerCodes() {
  std::set<std::string> codes;
  for (const auto& page :
       fs::directory_iterator(SourcePath("docs/diagnostics"))) {
    const std::string name = page.path().stem().string();
    if (std::regex_match(name, std::regex("BLY-[RIMSQ]\\d+"))) {
      codes.insert(name);
    }
  }
  return codes;
}

void PrintCounts(const std::string& title,
                 const std::map<std::string, int>& counts) {
  std::cout << title << "\n";
  for (const auto& [what, count] : counts) {
    std::cout << "  " << std::left << std::setw(18) << what << std::right
              << std::setw(4) << count << "\n";
  }
}

TEST(SeededPrograms, CoverEveryCodeMemoryMaskQueueAndFlag) {
  const std::vector<std::string> programs = ProgramsIn(kFolder);
  std::map<std::string, int> by_code;
  std::map<std::string, int> by_word;
  for (const std::string& program : programs) {
    const Expectation expected = ReadExpectation(SourcePath(program));
    bool has_memory = false;
    for (const std::string& word : expected.covers) {
      ++by_word[word];
      if (word != "UB" && word != "GM") continue;
      ++by_code[expected.code + " " + word];
      has_memory = true;
    }
    if (!has_memory) ++by_code[expected.code + " -"];
  }
  PrintCounts("code, memory, programs", by_code);
  PrintCounts("about, programs", by_word);
  std::cout << programs.size() << " programs and their repaired twins\n";

  EXPECT_GE(programs.size(), 120u);
  for (const std::string& code : CheckerCodes()) {
    const auto first = by_code.lower_bound(code + " ");
    EXPECT_TRUE(first != by_code.end() && first->first.starts_with(code))
        << "no program for " << code;
  }
  for (const char* word : {"UB",
                           "GM",
                           "count",
                           "continuous-mask",
                           "bitwise-mask",
                           "counter-mode",
                           "raw-cce",
                           "pointer",
                           "VECIN",
                           "VECOUT",
                           "VECCALC",
                           "TQueBind",
                           "TBuf",
                           "MTE2_V",
                           "V_MTE3",
                           "MTE3_MTE2",
                           "V_MTE2",
                           "MTE3_V",
                           "MTE2_MTE3",
                           "V_S",
                           "S_V",
                           "MTE2_S",
                           "S_MTE2",
                           "MTE3_S",
                           "S_MTE3",
                           "V_V",
                           "MTE2_MTE2",
                           "MTE3_MTE3",
                           "SyncAll",
                           "IBSet",
                           "IBWait",
                           "WaitPreBlock",
                           "atomic",
                           "cache",
                           "false-sharing",
                           "tail",
                           "padding",
                           "workspace",
                           "gather-table",
                           "scratch",
                           "double-buffer",
                           "swapped-flag",
                           "wrong-event-id",
                           "barrier",
                           "auto-sync-off"}) {
    EXPECT_TRUE(by_word.contains(word)) << "no program about " << word;
  }
}

}  // namespace
}  // namespace belay::testing
