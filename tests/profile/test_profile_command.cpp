// SPDX-License-Identifier: Apache-2.0
// Tests `belay profile` as a user calls it.

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "../cli/run_belay.h"

namespace belay::testing {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

class ProfileCommand : public ::testing::Test {
 protected:
  ProfileCommand()
      : folder_(fs::temp_directory_path() /
                ("belay_profile_" + std::to_string(::getpid()))) {
    fs::create_directories(folder_);
  }
  ~ProfileCommand() override { fs::remove_all(folder_); }
  std::string In(const std::string& name) const {
    return (folder_ / name).string();
  }

  const fs::path folder_;
};

TEST_F(ProfileCommand, ReportsAfterTheProgramsOwnOutput) {
  const Outcome outcome = RunBelay("profile examples/softmax/softmax.asc");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  const size_t own = outcome.out.find("softmax: 100 x 1003");
  const size_t report = outcome.out.find("softmax_kernel: simulated");
  ASSERT_NE(own, std::string::npos) << outcome.out;
  ASSERT_NE(report, std::string::npos) << outcome.out;
  EXPECT_LT(own, report);
  EXPECT_NE(outcome.out.find("softmax.asc:"), std::string::npos);
}

TEST_F(ProfileCommand, SavedLogsGiveTheSameProfile) {
  const Outcome ran =
      RunBelay("profile examples/add/add.asc --json --save-log " + In("k.log"));
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  const Outcome again = RunBelay("profile --json --log " + In("k.log"));
  ASSERT_EQ(again.exit_code, 0) << again.err;
  const json first = json::parse(ran.out);
  const json second = json::parse(again.out);
  ASSERT_EQ(first.at("launches").size(), 1u);
  EXPECT_EQ(first.at("launches"), second.at("launches"));
  EXPECT_TRUE(first.contains("compile_milliseconds"));
}

TEST_F(ProfileCommand, WarmCachesAreFaster) {
  RunBelay("profile examples/add/add.asc --json --save-log " + In("k.log"));
  const json cold =
      json::parse(RunBelay("profile --json --log " + In("k.log")).out);
  const json warm = json::parse(
      RunBelay("profile --l2 warm --json --log " + In("k.log")).out);
  EXPECT_LT(warm.at("launches")[0].at("total_us").get<double>(),
            cold.at("launches")[0].at("total_us").get<double>());
  EXPECT_EQ(warm.at("launches")[0].at("memory").at("hbm_read"), 0);
}

TEST_F(ProfileCommand, WritesTracesAndTables) {
  const Outcome outcome = RunBelay("profile examples/add/add.asc --trace " +
                                   In("t.pftrace") + " --csv " + In("csv"));
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_GT(fs::file_size(In("t.pftrace")), 1000u);
  for (const char* name :
       {"OpBasicInfo", "PipeUtilization", "Memory", "ResourceConflictRatio"}) {
    EXPECT_TRUE(fs::exists(folder_ / "csv" / (std::string(name) + ".csv")));
  }
}

TEST_F(ProfileCommand, TimesOperatorProjects) {
  const Outcome outcome = RunBelay(
      "profile examples/ops/layer_norm --timing-only --in "
      "x=shape:64,1024:f32 --in gamma=shape:1024:f32 --in "
      "bias=shape:1024:f32 --json");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err << outcome.out;
  const json launch = json::parse(outcome.out).at("launches").at(0);
  EXPECT_TRUE(launch.at("timing_only"));
  EXPECT_GT(launch.at("total_us").get<double>(), 0);
}

TEST_F(ProfileCommand, ChecksWhenAsked) {
  const Outcome plain = RunBelay("profile examples/add/add.asc");
  EXPECT_EQ(plain.err.find("checked with"), std::string::npos);
  const Outcome checked = RunBelay("profile examples/add/add.asc --check");
  EXPECT_NE(checked.err.find("checked with"), std::string::npos);
}

TEST_F(ProfileCommand, FaultyKernelsEndAsInRun) {
  const std::string program = "tests/must_fail/outside_allocation.asc";
  const Outcome run = RunBelay("run " + program);
  const Outcome outcome = RunBelay("profile " + program + " --json");
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_EQ(outcome.exit_code, run.exit_code);
  const json result = json::parse(outcome.out);
  EXPECT_TRUE(result.at("launches").empty());
  EXPECT_EQ(result.at("untimed").size(), 1u);
  EXPECT_FALSE(result.at("diagnostics").empty());
}

TEST_F(ProfileCommand, BadCallsAreRefused) {
  const struct {
    const char* words;
    const char* message;
  } calls[] = {
      {"profile", "nothing to run"},
      {"profile examples/add/add.asc --trace t.txt", ".pftrace"},
      {"profile examples/add/add.asc --launch 7", "1 launches were recorded"},
      {"profile --log no_such_file", "no_such_file"},
      {"profile examples/add/add.asc --log k.log", "leave 'examples"},
      {"profile examples/add/add.asc --timing-only --check", "leave out"},
      {"profile examples/add/add.asc --l2 tepid", "--l2"},
      {"profile examples/add/add.asc --csv /dev/null/x", "cannot make"},
  };
  for (const auto& call : calls) {
    const Outcome outcome = RunBelay(call.words);
    EXPECT_EQ(outcome.exit_code, 2) << call.words;
    EXPECT_NE(outcome.err.find(call.message), std::string::npos)
        << call.words << "\n"
        << outcome.err;
  }
}

TEST_F(ProfileCommand, HelpHasExamples) {
  const Outcome outcome = RunBelay("profile --help");
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_NE(outcome.out.find("Example:"), std::string::npos);
  EXPECT_NE(outcome.out.find("--save-log"), std::string::npos);
}

}  // namespace
}  // namespace belay::testing
