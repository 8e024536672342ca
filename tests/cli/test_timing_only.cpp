// SPDX-License-Identifier: Apache-2.0
// `belay profile --timing-only`: the same time as with values, for what does
// not fit too, and a refusal where values decide.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "run_belay.h"

namespace belay::testing {
namespace {

nlohmann::json Profile(const std::string& words) {
  const Outcome outcome = RunBelay("profile --json " + words);
  nlohmann::json json = nlohmann::json::parse(outcome.out, nullptr, false);
  EXPECT_TRUE(json.is_object()) << outcome.out << outcome.err;
  return json;
}

uint64_t OverCores(const nlohmann::json& launch, const char* key) {
  uint64_t sum = 0;
  for (const nlohmann::json& core : launch.at("cores")) {
    sum += core.at(key).get<uint64_t>();
  }
  return sum;
}

class SameTime : public ::testing::TestWithParam<const char*> {};

TEST_P(SameTime, WithAndWithoutValues) {
  const nlohmann::json with = Profile(GetParam());
  const nlohmann::json without =
      Profile("--timing-only " + std::string(GetParam()));
  ASSERT_TRUE(with["launches"].is_array());
  ASSERT_FALSE(with["launches"].empty());
  ASSERT_EQ(with["launches"].size(), without["launches"].size());
  for (size_t i = 0; i < with["launches"].size(); ++i) {
    const nlohmann::json& left = with["launches"][i];
    const nlohmann::json& right = without["launches"][i];
    EXPECT_FALSE(left["timing_only"]);
    EXPECT_TRUE(right["timing_only"]);
    for (const char* key : {"total_cycles", "cores", "memory", "pipes"}) {
      EXPECT_EQ(left[key], right[key]) << key;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Kernels, SameTime,
    ::testing::Values("examples/add/add.asc", "examples/softmax/softmax.asc",
                      "examples/sum/sum.asc",
                      "tests/profile/timing_only/add_one.asc 1048576"));

TEST(TimingOnly, TimesShapesThatDoNotFit) {
  // 16 GiB in and out.
  const nlohmann::json json =
      Profile("--timing-only tests/profile/timing_only/add_one.asc");
  ASSERT_EQ(json["launches"].size(), 1u);
  const nlohmann::json& launch = json["launches"][0];
  EXPECT_EQ(OverCores(launch, "bytes_read"), uint64_t{8} << 30);
  EXPECT_EQ(OverCores(launch, "bytes_written"), uint64_t{8} << 30);
  EXPECT_GE(launch["total_us"], launch["bound"]["total_us"]);
}

TEST(TimingOnly, RefusesKernelsThatBranchOnValues) {
  const std::string program = "tests/profile/timing_only/branch_on_result.asc";
  const nlohmann::json json = Profile("--timing-only " + program);
  EXPECT_EQ(json["exit_code"], 1);
  EXPECT_TRUE(json["launches"].empty());
  ASSERT_EQ(json["diagnostics"].size(), 1u) << json["diagnostics"].dump(2);
  const nlohmann::json& diagnostic = json["diagnostics"][0];
  EXPECT_EQ(diagnostic["code"], "BLY-T101");
  EXPECT_EQ(diagnostic["location"]["line"], 25);
  EXPECT_EQ(Profile(program)["launches"].size(), 1u);
}

TEST(TimingOnly, RefusesToCheckOrReturnWhatIsNotComputed) {
  const Outcome checked =
      RunBelay("profile --timing-only --check examples/add/add.asc");
  EXPECT_EQ(checked.exit_code, 2) << checked.err;
  const Outcome given = RunBelay(
      "profile --timing-only examples/ops/layer_norm --in x=shape:8,64:f32 "
      "--in gamma=shape:64:f32 --out y=y.npy");
  EXPECT_EQ(given.exit_code, 2) << given.err;
  EXPECT_NE(given.err.find("--out"), std::string::npos) << given.err;
  const Outcome shape = RunBelay(
      "run examples/ops/layer_norm --in x=shape:8,64:f32 "
      "--in gamma=shape:64:f32");
  EXPECT_EQ(shape.exit_code, 2) << shape.err;
  EXPECT_NE(shape.err.find("--timing-only"), std::string::npos) << shape.err;
}

TEST(TimingOnly, TimesOperatorsByTheShapesOfTheirInputs) {
  const nlohmann::json json = Profile(
      "--timing-only examples/ops/layer_norm --in x=shape:4096,1024:f32 "
      "--in gamma=shape:1024:f32");
  ASSERT_EQ(json["launches"].size(), 1u) << json.dump(2);
  EXPECT_GE(OverCores(json["launches"][0], "bytes_read"),
            uint64_t{4} * 4096 * 1024);
}

}  // namespace
}  // namespace belay::testing
