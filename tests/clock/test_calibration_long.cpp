// SPDX-License-Identifier: Apache-2.0
// The clock on groups of measurements its constants were not fitted to.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>

namespace belay::calibration::test_calibration_long {
namespace {

TEST(CalibrationLong, PredictsGroupsLeftOut) {
  FILE* pipe =
      popen(BELAY_CALIBRATE " --leave-one-out --keep --json 2>/dev/null", "r");
  ASSERT_NE(pipe, nullptr);
  std::string text;
  std::array<char, 4096> buffer;
  while (const size_t count = fread(buffer.data(), 1, buffer.size(), pipe)) {
    text.append(buffer.data(), count);
  }
  ASSERT_EQ(pclose(pipe), 0);
  const auto results = nlohmann::json::parse(text).at("leave_one_out");
  fmt::print("{}\n", results.dump(2));
  EXPECT_EQ(results.at("groups").size(), 5u);
  EXPECT_LE(results.at("median_error").get<double>(), 0.2);
}

}  // namespace
}  // namespace belay::calibration::test_calibration_long
