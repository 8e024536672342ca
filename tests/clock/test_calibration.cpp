// SPDX-License-Identifier: Apache-2.0
// The clock against published measurements, with the constants as committed.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>

namespace belay::calibration::test_calibration {
namespace {

constexpr double kMedianTarget = 0.08;
constexpr double kWorstTarget = 0.25;

std::string Output(const std::string& command) {
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return {};
  std::string text;
  std::array<char, 4096> buffer;
  while (const size_t count = fread(buffer.data(), 1, buffer.size(), pipe)) {
    text.append(buffer.data(), count);
  }
  return pclose(pipe) == 0 ? text : std::string();
}

// One run of `calibrate` for all tests.
class CalibrationTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    results_ = new nlohmann::json(nlohmann::json::parse(
        Output(BELAY_CALIBRATE " --json 2>/dev/null"), nullptr, false));
  }
  static void TearDownTestSuite() { delete results_; }

  void SetUp() override {
    ASSERT_TRUE(results_->is_object()) << "`calibrate --json` failed";
  }
  static const nlohmann::json& rows() { return results_->at("rows"); }

  static nlohmann::json* results_;
};

nlohmann::json* CalibrationTest::results_ = nullptr;

TEST_F(CalibrationTest, ComesCloseToMeasurements) {
  fmt::print("{}", results_->at("table").get<std::string>());
  EXPECT_EQ(rows().size(), 32u);
  EXPECT_LE(results_->at("median_error").get<double>(), kMedianTarget);
  EXPECT_LE(results_->at("worst_error").get<double>(), kWorstTarget);
}

TEST_F(CalibrationTest, NothingIsFasterThanTheBound) {
  for (const auto& row : rows()) {
    if (!row.contains("bound_us")) continue;
    const auto bound = row["bound_us"].get<double>();
    SCOPED_TRACE(row["row"].get<std::string>());
    EXPECT_GE(row["measured_us"].get<double>(), bound);
    EXPECT_GE(row["simulated_us"].get<double>(), bound);
  }
}

TEST_F(CalibrationTest, TheBestAddIsNearItsBound) {
  for (const auto& row : rows()) {
    if (row["row"] != "and no bank conflicts") continue;
    const auto bound = row["bound_us"].get<double>();
    EXPECT_LE(row["measured_us"].get<double>(), 1.1 * bound);
    return;
  }
  FAIL() << "there is no such row";
}

TEST_F(CalibrationTest, FreeConstantsAreAThirdOfTheRowsAtMost) {
  EXPECT_LE(results_->at("free_constants").size() * 3, rows().size());
}

TEST_F(CalibrationTest, DocumentHasTheTables) {
  std::ifstream in(BELAY_SOURCE_DIR "/docs/clock.md");
  const std::string document{std::istreambuf_iterator<char>(in), {}};
  for (const auto& table : results_->at("markdown")) {
    EXPECT_NE(document.find(table.get<std::string>()), std::string::npos)
        << "run `calibrate --update`";
  }
}

TEST_F(CalibrationTest, KnownErrorIsCurrent) {
  std::ifstream in(BELAY_SOURCE_DIR "/data/chips/costs/model_error.toml");
  const std::string file{std::istreambuf_iterator<char>(in), {}};
  for (const auto& [name, key] : {std::pair{"median_percent", "median_error"},
                                  std::pair{"worst_percent", "worst_error"}}) {
    const std::string line = fmt::format("\n{} = {:.1f}\n", name,
                                         results_->at(key).get<double>() * 100);
    EXPECT_NE(file.find(line), std::string::npos)
        << "run `calibrate --update`; expected " << line;
  }
}

}  // namespace
}  // namespace belay::calibration::test_calibration
