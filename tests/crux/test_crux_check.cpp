// SPDX-License-Identifier: Apache-2.0
// `belay crux check` and `belay crux format` as a user calls them.

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "../cli/run_belay.h"

namespace belay::testing::test_crux_check {
namespace {

class CruxCheck : public ::testing::Test {
 protected:
  CruxCheck()
      : path_(std::filesystem::temp_directory_path() /
              ("belay_crux_check_" + std::to_string(getpid()) + ".crux")) {}
  ~CruxCheck() override { std::filesystem::remove(path_); }

  std::string Write(const std::string& text) const {
    std::ofstream(path_) << text;
    return path_.string();
  }

 private:
  std::filesystem::path path_;
};

constexpr char kWrong[] =
    "@kernel\ndef k(x: f32[N], y: out(f32[N])):\n"
    "    store(y[:], max(load(x[:]), 0.0))\n";

TEST_F(CruxCheck, GoodProgramIsOk) {
  const Outcome outcome = RunBelay("crux check examples/crux/softmax.crux");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "examples/crux/softmax.crux: ok (softmax)\n");
}

TEST_F(CruxCheck, TreeIsPrinted) {
  const Outcome outcome =
      RunBelay("crux check --tree examples/crux/softmax.crux");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("for r: index in cores(M)"), std::string::npos)
      << outcome.out;
}

TEST_F(CruxCheck, WrongProgramShowsPlaceCaretAndFix) {
  const Outcome outcome = RunBelay("crux check " + Write(kWrong));
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_NE(outcome.err.find(".crux:3:17: error: "), std::string::npos)
      << outcome.err;
  EXPECT_NE(outcome.err.find("^~~~~~~"), std::string::npos);
  EXPECT_NE(outcome.err.find("fix: write maximum(load(x[:]), 0.0)"),
            std::string::npos);
}

TEST_F(CruxCheck, JsonHasWhatARepairNeeds) {
  const Outcome outcome = RunBelay("crux check --json " + Write(kWrong));
  EXPECT_EQ(outcome.exit_code, 1);
  const auto json = nlohmann::json::parse(outcome.out);
  ASSERT_EQ(json.size(), 1u);
  EXPECT_EQ(json[0]["ok"], false);
  const auto& diagnostic = json[0]["diagnostics"][0];
  EXPECT_EQ(diagnostic["code"], "BLY-X137");
  EXPECT_EQ(diagnostic["location"]["line"], 3);
  EXPECT_EQ(diagnostic["location"]["column"], 17);
  EXPECT_GT(diagnostic["location"]["end_column"], 17);
  EXPECT_EQ(diagnostic["page"], "docs/diagnostics/BLY-X137.md");
  EXPECT_EQ(diagnostic["fix"], "write maximum(load(x[:]), 0.0)");
}

TEST_F(CruxCheck, MissingFileIsAUserError) {
  const Outcome outcome = RunBelay("crux check nowhere.crux");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_NE(outcome.err.find("nowhere.crux"), std::string::npos);
}

TEST_F(CruxCheck, FormatPrintsChecksAndWrites) {
  const std::string path = Write("N=4\n" + std::string(kWrong));
  EXPECT_EQ(RunBelay("crux format --check " + path).exit_code, 1);
  const Outcome printed = RunBelay("crux format " + path);
  EXPECT_EQ(printed.exit_code, 0) << printed.err;
  EXPECT_EQ(printed.out, "N = 4\n\n\n" + std::string(kWrong));
  EXPECT_EQ(RunBelay("crux format --in-place " + path).exit_code, 0);
  EXPECT_EQ(ReadFile(path), printed.out);
  EXPECT_EQ(RunBelay("crux format --check " + path).exit_code, 0);
  EXPECT_EQ(RunBelay("crux format --check --in-place " + path).exit_code, 2);
}

TEST_F(CruxCheck, FormatInPlaceKeepsRightsAndLinks) {
  namespace fs = std::filesystem;
  const fs::path path = Write("N=4\n" + std::string(kWrong));
  fs::permissions(path, fs::perms::owner_read | fs::perms::owner_write);
  const fs::path link = path.string() + ".link";
  fs::create_symlink(path, link);
  EXPECT_EQ(RunBelay("crux format --in-place " + link.string()).exit_code, 0);
  EXPECT_TRUE(fs::is_symlink(link));
  EXPECT_EQ(ReadFile(path), "N = 4\n\n\n" + std::string(kWrong));
  EXPECT_EQ(fs::status(path).permissions(),
            fs::perms::owner_read | fs::perms::owner_write);
  fs::remove(link);
}

TEST_F(CruxCheck, SyntaxErrorsAreNotFormatted) {
  const std::string path = Write("N = (4\n");
  const Outcome outcome = RunBelay("crux format --in-place " + path);
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_NE(outcome.err.find("BLY-X103"), std::string::npos) << outcome.err;
  EXPECT_EQ(ReadFile(path), "N = (4\n");
}

}  // namespace
}  // namespace belay::testing::test_crux_check
