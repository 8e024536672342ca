// SPDX-License-Identifier: Apache-2.0
// What is recorded of compiled kernels: their scalar work by class, their
// lines, and what GetSystemCycle tells them.

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "clock/log_file.h"
#include "run_belay.h"

namespace belay::clock::test_recorded_programs {
namespace {

using belay::testing::Outcome;
using belay::testing::RunBelay;

std::vector<LaunchLog> Record(const std::string& program) {
  const std::string file = (std::filesystem::temp_directory_path() /
                            fmt::format("belay_recorded_{}.log", getpid()))
                               .string();
  const Outcome outcome = RunBelay(fmt::format(
      "profile tests/clock/programs/{} --save-log {}", program, file));
  EXPECT_EQ(outcome.err, "");
  std::vector<LaunchLog> logs = LogFile::Read(file);
  std::filesystem::remove(file);
  return logs;
}

const LaunchLog& Find(const std::vector<LaunchLog>& logs,
                      const std::string& kernel) {
  const auto found =
      std::find_if(logs.begin(), logs.end(),
                   [&](const LaunchLog& log) { return log.kernel == kernel; });
  if (found == logs.end()) throw std::runtime_error("no launch of " + kernel);
  return *found;
}

ScalarWork Sum(const LaunchLog& log, size_t block = 0) {
  ScalarWork sum;
  log.logs[block].records.ForEachFolded(
      [&](const clock::Record& record, uint64_t times) {
        const ScalarWork& work = log.scalar[record.scalar];
        const auto n = static_cast<uint32_t>(times);
        sum.simple += n * work.simple;
        sum.multiply += n * work.multiply;
        sum.divide += n * work.divide;
        sum.floating += n * work.floating;
        sum.stack_load += n * work.stack_load;
        sum.stack_store += n * work.stack_store;
        sum.local_load += n * work.local_load;
        sum.local_store += n * work.local_store;
        sum.cached_load += n * work.cached_load;
        sum.cached_store += n * work.cached_store;
      });
  return sum;
}

constexpr uint32_t kCount = 1024;  // elements the programs go over

TEST(RecordedPrograms, ElementLoopCountsWhatTheChipWouldDo) {
  const auto logs = Record("scalar_loop.asc");
  const LaunchLog& log = Find(logs, "elements");
  const ScalarWork sum = Sum(log);
  EXPECT_EQ(sum.local_load, 2 * kCount);
  EXPECT_EQ(sum.local_store, kCount);
  EXPECT_EQ(sum.floating, kCount);
  // The loop's own: count, compare, branch, and perhaps addresses. Packing of
  // the headers is not in it.
  EXPECT_GE(sum.simple, 2 * kCount);
  EXPECT_LE(sum.simple, 6 * kCount);
  EXPECT_LE(sum.stack_load + sum.stack_store, kCount / 2);

  // The loop has a record of its own, at the line of its accesses.
  bool found = false;
  log.logs[0].records.ForEachFolded([&](const clock::Record& record, uint64_t) {
    if (record.kind != Kind::kScalar) return;
    if (log.scalar[record.scalar].local_load < kCount) return;
    found = true;
    const SourceLocation& place = log.places.at(record.place);
    EXPECT_EQ(std::filesystem::path(place.file).filename(), "scalar_loop.asc");
    EXPECT_EQ(place.line, 14);
  });
  EXPECT_TRUE(found);
}

TEST(RecordedPrograms, HalvesAreConvertedForEachOperation) {
  const auto logs = Record("scalar_loop.asc");
  const ScalarWork sum = Sum(Find(logs, "halves"));
  EXPECT_EQ(sum.local_load, 2 * kCount);
  EXPECT_EQ(sum.floating, 4 * kCount);
}

TEST(RecordedPrograms, GlobalElementsMissOncePerLine) {
  const auto logs = Record("scalar_loop.asc");
  const LaunchLog& log = Find(logs, "global_elements");
  ASSERT_EQ(log.logs.size(), 2u);
  for (size_t block = 0; block < 2; ++block) {
    uint64_t missed = 0;
    log.logs[block].records.ForEachFolded(
        [&](const clock::Record& record, uint64_t times) {
          if (record.kind == Kind::kGlobalScalar) missed += times;
        });
    EXPECT_EQ(missed, kCount * 4 / 64);
    EXPECT_EQ(Sum(log, block).cached_load, kCount - missed);
  }
  // A loop of 16 elements and a miss.
  EXPECT_LE(log.logs[0].records.folded_size(), 8u);
}

TEST(RecordedPrograms, SystemCycleIsTheTimeOfTheWork) {
  struct {
    const char* chip;
    double mhz;
  } const chips[] = {{"ascend910b1", 1850}, {"ascend910b2", 1800}};
  for (const auto& [chip, mhz] : chips) {
    const Outcome outcome = RunBelay(fmt::format(
        "run tests/clock/programs/system_cycle.asc --chip {}", chip));
    EXPECT_EQ(outcome.exit_code, 3);
    std::istringstream out(outcome.out);
    std::vector<int> ticks;
    for (std::string word; out >> word;) {
      if (word == "ticks") out >> ticks.emplace_back();
    }
    ASSERT_EQ(ticks.size(), 2u) << outcome.out << outcome.err;
    // 22 cycles to start and 64 repeats, at 50 MHz; on the card 2390 at
    // 1.8 GHz.
    const double expected = 1000 * (22 + 64) * 50 / mhz;
    EXPECT_NEAR(ticks[0], expected, 0.01 * expected) << chip;
    EXPECT_EQ(ticks[0], ticks[1]);
  }
}

TEST(RecordedPrograms, SystemCycleIsTheSameUnderTheClock) {
  const auto logs = Record("system_cycle.asc");
  ASSERT_EQ(logs.size(), 1u);  // kept although the program calls exit
  uint64_t readings = 0;
  logs[0].logs[0].records.ForEachFolded(
      [&](const clock::Record& record, uint64_t times) {
        if (record.kind == Kind::kReadClock) readings += times;
      });
  EXPECT_EQ(readings, 2u);
  const Outcome plain = RunBelay("run tests/clock/programs/system_cycle.asc");
  const Outcome timed =
      RunBelay("profile tests/clock/programs/system_cycle.asc");
  const auto ticks = [](const std::string& text) {
    return text.substr(text.find("ticks"), 10);
  };
  ASSERT_NE(plain.out.find("ticks"), std::string::npos) << plain.out;
  ASSERT_NE(timed.out.find("ticks"), std::string::npos) << timed.out;
  EXPECT_EQ(ticks(plain.out), ticks(timed.out));
}

}  // namespace
}  // namespace belay::clock::test_recorded_programs
