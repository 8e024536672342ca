// SPDX-License-Identifier: Apache-2.0
// Tests when advice is given at all, on logs made by hand; what each rule says
// of real kernels is in test_advised_kernels.

#include <gtest/gtest.h>

#include <algorithm>

#include "base/catalogue.h"
#include "clock/advice.h"
#include "logs.h"

namespace belay::clock {
namespace {

using belay::testing::MakeTileLoop;
using belay::testing::Spec;
using belay::testing::TileLoop;

struct Launch {
  explicit Launch(LaunchLog made) : log(std::move(made)) {
    ReplayOptions options;
    options.sink = &statistics;
    time = Replay(log, Spec(), options);
    bound = HardwareBound(log, Spec(), L2State::kCold);
  }
  std::vector<Advice> Advices() const {
    return Advise({log, Spec(), L2State::kCold, time, statistics, bound});
  }

  LaunchLog log;
  Statistics statistics{log, Spec()};
  LaunchTime time;
  Bound bound;
};

LaunchLog SmallTiles() {
  TileLoop loop;
  loop.blocks = 48;
  loop.tiles = 64;
  loop.tile_bytes = 512;
  return MakeTileLoop(Spec(), loop);
}

TEST(Advice, NamesLineCodeAndGain) {
  const Launch launch(SmallTiles());
  const std::vector<Advice> advice = launch.Advices();
  const auto small = std::ranges::find_if(advice, [](const Advice& one) {
    return one.diagnostic.code == code::kP101;
  });
  ASSERT_NE(small, advice.end());
  EXPECT_EQ(small->diagnostic.location.line, 41);
  EXPECT_EQ(small->diagnostic.severity, Severity::kNote);
  EXPECT_FALSE(small->diagnostic.fix.empty());
  EXPECT_GT(small->saved, 0);
  EXPECT_NE(small->diagnostic.message.find("512 bytes"), std::string::npos)
      << small->diagnostic.message;
}

TEST(Advice, ComesLargestGainFirst) {
  TileLoop loop;
  loop.blocks = 4;
  loop.tiles = 64;
  loop.tile_bytes = 512;
  loop.buffers = 1;
  const Launch launch(MakeTileLoop(Spec(), loop));
  const std::vector<Advice> advice = launch.Advices();
  ASSERT_GE(advice.size(), 2u);
  EXPECT_TRUE(std::ranges::is_sorted(
      advice,
      [](const Advice& a, const Advice& b) { return a.saved > b.saved; }));
}

TEST(Advice, IsSilentAtTheBound) {
  Launch launch(SmallTiles());
  ASSERT_FALSE(launch.Advices().empty());
  launch.bound.total =
      ToMicroseconds(launch.time.total, Spec().clock_mhz()) / 1.05;
  EXPECT_TRUE(launch.Advices().empty());
}

TEST(Advice, IsSilentOnEmptyLaunches) {
  LaunchLog log = belay::testing::NewLog(1);
  belay::testing::AddBlock(log, 0, {});
  EXPECT_TRUE(Launch(std::move(log)).Advices().empty());
}

}  // namespace
}  // namespace belay::clock
