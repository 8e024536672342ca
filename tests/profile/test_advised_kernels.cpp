// SPDX-License-Identifier: Apache-2.0
// Profiles slow kernels: each gets the advice its source announces, at that
// line, with a gain like that of its repaired twin, which does not get it.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "../cli/run_belay.h"

namespace belay::testing {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

std::vector<std::string> Kernels() {
  std::vector<std::string> kernels;
  for (const auto& entry :
       fs::directory_iterator(SourcePath("tests/profile/kernels"))) {
    if (entry.path().extension() == ".asc") {
      kernels.push_back(entry.path().stem().string());
    }
  }
  std::ranges::sort(kernels);
  return kernels;
}

struct Announced {
  std::string code;
  int line = 0;
};

Announced ReadAnnouncement(const std::string& kernel) {
  constexpr std::string_view kMark = "// advice: ";
  std::stringstream source(
      ReadFile(SourcePath("tests/profile/kernels/" + kernel + ".asc")));
  std::string line;
  for (int number = 1; std::getline(source, line); ++number) {
    const size_t at = line.find(kMark);
    if (at != std::string::npos) {
      return {line.substr(at + kMark.size()), number};
    }
  }
  return {};
}

json Profile(const std::string& kernel, const std::string& flags) {
  const Outcome outcome =
      RunBelay("profile tests/profile/kernels/" + kernel + ".asc --json " +
               (kernel == "streamed_inputs" ? "--timing-only " : "") + flags);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  return json::parse(outcome.out).at("launches").at(0);
}

class AdvisedKernels : public ::testing::TestWithParam<std::string> {};

TEST_P(AdvisedKernels, GetTheirAdviceUntilRepaired) {
  const Announced announced = ReadAnnouncement(GetParam());
  ASSERT_FALSE(announced.code.empty());
  const json slow = Profile(GetParam(), "");
  const json repaired = Profile(GetParam(), "-D REPAIRED");
  const auto has_code = [&](const json& advice) {
    return advice.at("code") == announced.code;
  };
  const auto advice = std::ranges::find_if(slow.at("advice"), has_code);
  ASSERT_NE(advice, slow.at("advice").end()) << slow.at("advice").dump(2);
  EXPECT_EQ(advice->at("location").at("line"), announced.line);
  EXPECT_EQ(advice->at("severity"), "note");
  EXPECT_TRUE(std::ranges::none_of(repaired.at("advice"), has_code))
      << repaired.at("advice").dump(2);

  const double gained =
      slow.at("total_us").get<double>() - repaired.at("total_us").get<double>();
  const double said = advice->at("saved_us");
  EXPECT_LT(said, 2 * gained);
  EXPECT_GT(said, gained / 2);
  RecordProperty("said_us", std::to_string(said));
  RecordProperty("gained_us", std::to_string(gained));
}

INSTANTIATE_TEST_SUITE_P(All, AdvisedKernels, ::testing::ValuesIn(Kernels()),
                         [](const auto& info) { return info.param; });

TEST(AdvisedKernels, ThereIsOneForEveryCode) {
  std::vector<std::string> covered;
  for (const std::string& kernel : Kernels()) {
    covered.push_back(ReadAnnouncement(kernel).code);
  }
  std::ranges::sort(covered);
  std::vector<std::string> pages;
  for (const auto& entry :
       fs::directory_iterator(SourcePath("docs/diagnostics"))) {
    const std::string stem = entry.path().stem().string();
    if (stem.starts_with("BLY-P")) pages.push_back(stem);
  }
  std::ranges::sort(pages);
  EXPECT_EQ(covered, pages);
}

}  // namespace
}  // namespace belay::testing
