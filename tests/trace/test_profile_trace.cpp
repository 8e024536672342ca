// SPDX-License-Identifier: Apache-2.0
// `belay profile --trace` on a shipped kernel, from source to trace.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>

#include "perfetto_reader.h"
#include "temporary_file.h"

namespace belay::trace::test_profile_trace {
namespace {

constexpr char kExample[] = BELAY_SOURCE_DIR "/examples/add/add.asc";
constexpr size_t kTiles = 8;  // of 4096 halves on each of two cores
constexpr size_t kTileBytes = 8192;

std::string ProfileExample(const std::string& trace) {
  const std::string command =
      fmt::format("'{}' profile '{}' --trace '{}' 2 {} >/dev/null 2>&1",
                  BELAY_PROGRAM, kExample, trace, 2 * kTiles * 4096);
  EXPECT_EQ(std::system(command.c_str()), 0) << command;
  return ReadFile(trace);
}

// "add.asc:62" for the first line with `text`.
std::string PlaceOf(const std::string& text) {
  std::istringstream source(ReadFile(kExample));
  std::string line;
  for (int number = 1; std::getline(source, line); ++number) {
    if (line.find(text) != std::string::npos) {
      return fmt::format("add.asc:{}", number);
    }
  }
  return "not there";
}

class ProfileTrace : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    const TemporaryFolder folder;
    bytes_ = new std::string(ProfileExample(folder.File("first.pftrace")));
    again_ = new std::string(ProfileExample(folder.File("second.pftrace")));
    trace_ = new ReadTrace(ReadPerfetto(*bytes_));
  }
  void SetUp() override { ASSERT_NE(trace_, nullptr); }

  inline static std::string* bytes_ = nullptr;
  inline static std::string* again_ = nullptr;
  inline static ReadTrace* trace_ = nullptr;
};

TEST_F(ProfileTrace, EachCoreHasTheInstructionsOfItsTiles) {
  for (const char* core : {"aiv 0", "aiv 1"}) {
    const auto sums = trace_->On(core, "V");
    ASSERT_EQ(sums.size(), kTiles) << core;
    for (const ReadSlice& sum : sums) {
      EXPECT_EQ(sum.name, "Add 32 repeats");
      EXPECT_TRUE(sum.arguments.at("source").ends_with(
          PlaceOf("AscendC::Add(z, x, y, n)")))
          << sum.arguments.at("source");
    }
    EXPECT_EQ(trace_->On(core, "MTE2").size(), 2 * kTiles) << core;
    const auto stores = trace_->On(core, "MTE3");
    EXPECT_EQ(stores.size(), kTiles) << core;
    for (const ReadSlice& store : stores) {
      EXPECT_EQ(store.arguments.at("bytes"), std::to_string(kTileBytes));
      EXPECT_TRUE(store.arguments.at("source").ends_with(
          PlaceOf("AscendC::DataCopyPad(z_[at], z, copy)")));
    }
  }
}

TEST_F(ProfileTrace, LoadsRunUnderTheSumsBeforeThem) {
  const auto sums = trace_->On("aiv 0", "V");
  const auto loads = trace_->On("aiv 0", "MTE2");
  ASSERT_EQ(sums.size(), kTiles);
  ASSERT_EQ(loads.size(), 2 * kTiles);
  size_t overlapped = 0;
  for (size_t tile = 0; tile < kTiles; ++tile) {
    EXPECT_GE(sums[tile].begin, loads[2 * tile + 1].end) << tile;
    if (tile + 1 == kTiles) break;
    // The next tile's loads begin before this tile's sum is done.
    overlapped += loads[2 * tile + 2].begin < sums[tile].end;
  }
  EXPECT_EQ(overlapped, kTiles - 1);
}

TEST_F(ProfileTrace, QueuesConnectLoadsSumsAndStores) {
  const auto sums = trace_->On("aiv 1", "V");
  const auto loads = trace_->On("aiv 1", "MTE2");
  const auto stores = trace_->On("aiv 1", "MTE3");
  const auto connected = [](const ReadSlice& from, const ReadSlice& to) {
    return std::any_of(
        from.leaving.begin(), from.leaving.end(), [&](uint64_t flow) {
          return std::count(to.arriving.begin(), to.arriving.end(), flow) == 1;
        });
  };
  ASSERT_EQ(sums.size(), kTiles);
  ASSERT_EQ(stores.size(), kTiles);
  for (size_t tile = 0; tile < kTiles; ++tile) {
    EXPECT_TRUE(connected(loads.at(2 * tile + 1), sums[tile])) << tile;
    EXPECT_TRUE(connected(sums[tile], stores[tile])) << tile;
  }
}

TEST_F(ProfileTrace, CountersSeeTheBuffersAndTheTraffic) {
  double most = 0;
  for (const ReadCount& level : trace_->Counter("aiv 0", "UB in use")) {
    most = std::max(most, level.value);
  }
  EXPECT_EQ(most, 6 * kTileBytes);  // two of each of three queues
  bool has_read = false;
  for (const ReadCount& count : trace_->counts) {
    const ReadTrack& track = trace_->tracks.at(count.track);
    has_read = has_read || (track.name == "HBM read" && count.value > 0);
  }
  EXPECT_TRUE(has_read);
}

TEST_F(ProfileTrace, TheSameRunGivesTheSameBytes) {
  EXPECT_EQ(*bytes_, *again_);
}

}  // namespace
}  // namespace belay::trace::test_profile_trace
