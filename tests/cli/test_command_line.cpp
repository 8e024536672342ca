// SPDX-License-Identifier: Apache-2.0
// What the belay program answers to good and bad calls.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "run_belay.h"

namespace belay::testing {
namespace {

void ExpectUsageError(const std::string& words, const std::string& text) {
  const Outcome outcome = RunBelay(words);
  EXPECT_EQ(outcome.exit_code, 2) << words;
  EXPECT_NE(outcome.err.find(text), std::string::npos) << words << "\n"
                                                       << outcome.err;
}

TEST(CommandLine, RefusesBadCalls) {
  ExpectUsageError("run no_such_file.asc", "no file 'no_such_file.asc'");
  ExpectUsageError("run examples/add/add.asc --chip ascend1",
                   "known: ascend910_93, ascend910b1");
  ExpectUsageError("run examples/add/add.asc --schedule soon",
                   "forward, reverse or a seed, not 'soon'");
  ExpectUsageError("run examples/add/add.asc --recip rough", "--recip");
  ExpectUsageError("run", "nothing to run: give a program");
  ExpectUsageError("", "subcommand is required");
  ExpectUsageError("fly",
                   "no command 'fly'; commands: run, check, profile, chips");
  ExpectUsageError("explain BLY-X999", "BLY-X999");
  ExpectUsageError("run examples/add/add.asc --rtol -1",
                   "--rtol: -1 is not allowed: use 0 or more");
  ExpectUsageError("crux run examples/crux/softmax.crux --atol nan",
                   "--atol: nan is not allowed: use 0 or more");
  ExpectUsageError("crux run examples/crux/softmax.crux --tile 0",
                   "--tile: 0 is not allowed: use more than 0");
}

TEST(CommandLine, EveryCommandHasHelpWithAnExample) {
  for (const char* command : {"run", "check", "profile", "chips", "explain"}) {
    const Outcome outcome = RunBelay(std::string(command) + " --help");
    EXPECT_EQ(outcome.exit_code, 0);
    EXPECT_NE(outcome.out.find("Example"), std::string::npos) << command;
    EXPECT_NE(outcome.out.find("--json"), std::string::npos) << command;
  }
}

TEST(CommandLine, ListsChipsAndExplainsCodes) {
  const auto chips = nlohmann::json::parse(RunBelay("chips --json").out);
  ASSERT_FALSE(chips.empty());
  const auto usual = std::find_if(chips.begin(), chips.end(),
                                  [](const auto& c) { return c["default"]; });
  ASSERT_NE(usual, chips.end());
  EXPECT_EQ((*usual)["name"], "ascend910b1");
  EXPECT_EQ((*usual)["vector_cores"], 48);
  const Outcome page = RunBelay("explain BLY-Q101");
  EXPECT_EQ(page.exit_code, 0);
  EXPECT_EQ(page.out.rfind("# BLY-Q101", 0), 0u) << page.out;
  // By the names that other tools have for the same fault.
  EXPECT_NE(RunBelay("explain 507035").out.find("BLY-N101"), std::string::npos);
  EXPECT_NE(RunBelay("explain errorsync2").out.find("BLY-R101"),
            std::string::npos);
}

TEST(CommandLine, ProgramsGetTheirArgumentsAndReturnTheirCode) {
  const std::string file =
      (std::filesystem::temp_directory_path() / "belay_arguments.asc").string();
  std::ofstream(file) << "#include <cstdio>\n"
                         "int main(int argc, char** argv) {\n"
                         "  for (int i = 1; i < argc; ++i)\n"
                         "    std::printf(\"[%s]\", argv[i]);\n"
                         "  return NUMBER;\n"
                         "}\n";
  const Outcome outcome =
      RunBelay("run -D NUMBER=42 " + file + " one 2 -- --three");
  std::filesystem::remove(file);
  EXPECT_EQ(outcome.exit_code, 42) << outcome.err;
  EXPECT_EQ(outcome.out, "[one][2][--three]");
}

TEST(CommandLine, JsonCarriesTheResultAndNothingElse) {
  const Outcome outcome = RunBelay("run --json examples/add/add.asc 2 100");
  const auto result = nlohmann::json::parse(outcome.out, nullptr, false);
  ASSERT_FALSE(result.is_discarded()) << outcome.out;
  EXPECT_EQ(result["exit_code"], 0);
  EXPECT_EQ(result["compiled"], true);
  EXPECT_TRUE(result["diagnostics"].empty());
  EXPECT_NE(outcome.err.find("add: 100 elements"), std::string::npos);
}

TEST(CommandLine, TraceShowsEveryInstructionWithItsLine) {
  const Outcome outcome =
      RunBelay("run --trace instructions examples/add/add.asc 1 100");
  EXPECT_EQ(outcome.exit_code, 0);
  for (const char* text :
       {"launch add_kernel", "MTE2 DataCopyPad", "V    Add dst=UB+",
        "WaitFlag MTE2_V", "MTE3 DataCopyPad", "add.asc:"}) {
    EXPECT_NE(outcome.err.find(text), std::string::npos) << text << "\n"
                                                         << outcome.err;
  }
}

TEST(CommandLine, RunsAreDeterministic) {
  const std::string words =
      "run --trace instructions examples/sum/sum.asc 3 5000";
  const Outcome first = RunBelay(words);
  const Outcome second = RunBelay(words);
  EXPECT_GT(first.err.size(), 1000u);
  EXPECT_EQ(first.err, second.err);
  EXPECT_EQ(first.out, second.out);
}

}  // namespace
}  // namespace belay::testing
