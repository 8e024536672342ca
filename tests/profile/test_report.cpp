// SPDX-License-Identifier: Apache-2.0
// Tests the profile of a launch as values, text and JSON.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "logs.h"
#include "profile/json.h"
#include "profile/profile.h"
#include "profile/text.h"

namespace belay::profile {
namespace {

using belay::testing::MakeTileLoop;
using belay::testing::Spec;
using belay::testing::TileLoop;

LaunchProfile MakeProfile() {
  TileLoop loop;
  loop.blocks = 4;
  loop.tiles = 16;
  clock::LaunchLog log = MakeTileLoop(Spec(), loop);
  return ProfileLaunch(log, Spec(), {});
}

TEST(Profile, PartsMakeTheWhole) {
  const LaunchProfile profile = MakeProfile();
  EXPECT_GT(profile.time.total, profile.time.cores);
  EXPECT_EQ(profile.reads.bytes, 4u * 16 * 2048);
  EXPECT_EQ(profile.writes.bytes, profile.reads.bytes);
  // Add of 2048 / 4 elements for each tile.
  EXPECT_EQ(profile.flops, 4u * 16 * 512);
  EXPECT_GT(profile.vector_share, 0);
  EXPECT_LT(profile.vector_share, 1);
  EXPECT_NEAR(profile.vector_peak, 48 * 64 * 1850e6, 1);
  EXPECT_GE(profile.assumed_percent, 0);
  EXPECT_LE(profile.assumed_percent, 100);
  EXPECT_GE(profile.Microseconds(profile.time.total), profile.bound.total);
}

TEST(Profile, IsTheSameEveryTime) {
  EXPECT_EQ(ToJson(MakeProfile()), ToJson(MakeProfile()));
}

TEST(Profile, TextSaysItIsSimulated) {
  LaunchProfile profile = MakeProfile();
  profile.model_error = clock::ModelError{"ascend910b1", 32, 4.25, 17.9, 11.0};
  const std::string text = ToText(profile);
  EXPECT_EQ(text.find("test_kernel: simulated, Ascend 910B1 at 1850 MHz; model "
                      "error median 4.2 %, worst 17.9 % on 32 published "
                      "measurements\n"),
            0u)
      << text;
  for (const char* part :
       {"task", "cores", "launch", "bound", "assumed", "pipe", "MTE2", "MTE3",
        "balance", "memory", "HBM", "vector", "UB", "banks", "bytes per move",
        "2.00 KB …", "k.asc:41", "advice"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  }
  profile.model_error->chip = "ascend910b4";
  EXPECT_NE(ToText(profile).find("extrapolated"), std::string::npos);
  profile.model_error.reset();
  EXPECT_NE(ToText(profile).find("not calibrated"), std::string::npos);
  profile.timing_only = true;
  EXPECT_NE(ToText(profile).find("no values were computed"), std::string::npos);
}

// Two blocks of a cube core and two vector cores: each type has its own table.
TEST(Profile, CubeAndVectorCoresAreToldApart) {
  clock::LaunchLog log = belay::testing::NewLog(2);
  for (int block = 0; block < 2; ++block) {
    belay::testing::AddBlock(
        log, block,
        {belay::testing::Move(abi::Pipe::kMte2, 1, belay::testing::kInput,
                              4096)});
    log.logs.back().cube = true;
    for (int core = 2 * block; core < 2 * block + 2; ++core) {
      belay::testing::AddBlock(
          log, core, {belay::testing::Vector(Spec(), abi::Op::kAdd, 2, 8)});
    }
  }
  const LaunchProfile profile = ProfileLaunch(log, Spec(), {});
  EXPECT_EQ(CoresOf(profile.time, true), 2);
  EXPECT_EQ(CoresOf(profile.time, false), 4);
  EXPECT_EQ(SumOf(profile.time, abi::Pipe::kMte2, true).instructions, 2u);
  EXPECT_EQ(SumOf(profile.time, abi::Pipe::kMte2, false).instructions, 0u);
  const std::string text = ToText(profile);
  for (const char* part : {"2 blocks on 2 of 24 cube and 4 of 48 vector cores",
                           "(mean of the cube cores)",
                           "(mean of the vector cores)", "  UB  ", "  L1  "}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  }
}

TEST(Profile, TextSaysWhyThereIsNoAdvice) {
  LaunchProfile profile = MakeProfile();
  profile.advice.clear();
  EXPECT_NE(ToText(profile).find("nothing was found"), std::string::npos);
  profile.bound.total = profile.Microseconds(profile.time.total);
  EXPECT_NE(ToText(profile).find("at its bound"), std::string::npos);
}

TEST(Profile, TextShowsFiveAdvices) {
  LaunchProfile profile = MakeProfile();
  profile.advice.resize(7);
  EXPECT_NE(ToText(profile).find("2 more with --json"), std::string::npos);
}

TEST(Profile, JsonHoldsEverything) {
  const LaunchProfile profile = MakeProfile();
  const nlohmann::json json = ToJson(profile);
  EXPECT_TRUE(json.at("simulated"));
  EXPECT_DOUBLE_EQ(json.at("total_us"),
                   profile.Microseconds(profile.time.total));
  EXPECT_EQ(json.at("cores").size(), 4u);
  EXPECT_EQ(json.at("moves").at("MTE2").at(0).at("at_least"), 2048);
  EXPECT_EQ(json.at("moves").at("MTE2").at(0).at("moves"), 64);
  EXPECT_EQ(json.at("advice").size(), profile.advice.size());
  ASSERT_FALSE(profile.advice.empty());
  EXPECT_DOUBLE_EQ(json.at("advice").at(0).at("saved_us"),
                   profile.advice[0].saved);
  EXPECT_EQ(json.at("bound").at("binding"), profile.bound.binding());
  double busy = 0;
  for (const nlohmann::json& core : json.at("cores")) {
    busy += core.at("pipes").at("V").at("busy_us").get<double>();
  }
  EXPECT_NEAR(busy, json.at("pipes").at("V").at("busy_us").get<double>(), 1e-9);
}

TEST(Profile, AnotherSinkSeesTheReplay) {
  struct Counter : clock::TimelineSink {
    uint64_t spans = 0;
    void OnSpan(const clock::Span&) override { ++spans; }
  } counter;
  ProfileOptions options;
  options.sink = &counter;
  options.advise = false;
  const LaunchProfile profile =
      ProfileLaunch(MakeTileLoop(Spec(), {}), Spec(), options);
  uint64_t lines = 0;
  for (const Line& line : profile.lines) lines += line.instructions;
  EXPECT_EQ(counter.spans, lines);
  EXPECT_TRUE(profile.advice.empty());
}

}  // namespace
}  // namespace belay::profile
