// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <map>
#include <set>

#include "base/error.h"
#include "perfetto_reader.h"
#include "sample_launch.h"
#include "temporary_file.h"
#include "trace/perfetto_writer.h"
#include "trace/trace.h"

namespace belay::trace::test_perfetto {
namespace {

const RunFacts kFacts{.chip = "Ascend 910B1",
                      .clock_mhz = 1850,
                      .model_error = "median 4 %, worst 18 %",
                      .program = "add.asc"};
constexpr char kDevice[] = "simulated Ascend 910B1, 1850 MHz";

// The bytes of a trace of `launches` launches.
std::string TraceOf(const SampleLaunch& sample, int launches = 1) {
  const TemporaryFolder folder;
  const std::string path = folder.File("a.pftrace");
  const auto writer = OpenWriter(path, kFacts);
  const clock::LaunchLog log = sample.Log();
  for (int i = 0; i < launches; ++i) {
    writer->BeginLaunch(log);
    writer->EndLaunch(sample.Play(*writer));
  }
  writer->Finish();
  return ReadFile(path);
}

std::vector<std::string> NamesOf(const std::vector<ReadSlice>& slices) {
  std::vector<std::string> names;
  for (const ReadSlice& slice : slices) names.push_back(slice.name);
  return names;
}

TEST(Perfetto, ASmallLaunchHasTheTracksOfItsCores) {
  const ReadTrace trace = ReadPerfetto(
      TraceOf({.cores = 2, .tiles = 1, .overlap = false, .source = "add.asc"}));
  std::set<std::pair<std::string, std::string>> tracks;
  for (const auto& [id, track] : trace.tracks) {
    if (id > 0) tracks.insert({track.process, track.name});
  }
  EXPECT_EQ(tracks, (std::set<std::pair<std::string, std::string>>{
                        {kDevice, ""},
                        {kDevice, "launches"},
                        {kDevice, "HBM read"},
                        {kDevice, "HBM written"},
                        {"aiv 0", ""},
                        {"aiv 0", "S"},
                        {"aiv 0", "V"},
                        {"aiv 0", "MTE2"},
                        {"aiv 0", "MTE3"},
                        {"aiv 0", "UB in use"},
                        {"aiv 1", ""},
                        {"aiv 1", "S"},
                        {"aiv 1", "V"},
                        {"aiv 1", "MTE2"},
                        {"aiv 1", "MTE3"},
                        {"aiv 1", "UB in use"}}));
  EXPECT_EQ(NamesOf(trace.On("aiv 1", "MTE2")),
            (std::vector<std::string>{"DataCopy 8 KB", "DataCopy 8 KB"}));
  EXPECT_EQ(NamesOf(trace.On("aiv 1", "V")),
            (std::vector<std::string>{"Add 32 repeats"}));
  EXPECT_EQ(NamesOf(trace.On("aiv 1", "MTE3")),
            (std::vector<std::string>{"DataCopy 8 KB"}));
  EXPECT_EQ(NamesOf(trace.On("aiv 1", "S")),
            (std::vector<std::string>{"issue DataCopy", "issue DataCopy",
                                      "issue Add", "issue DataCopy"}));
}

TEST(Perfetto, SlicesSayWhatTheyAre) {
  const ReadTrace trace = ReadPerfetto(
      TraceOf({.cores = 1, .tiles = 2, .overlap = false, .source = "add.asc"}));
  const ReadSlice sum = trace.On("aiv 0", "V").at(1);
  EXPECT_EQ(sum.category, "vector");
  EXPECT_EQ(sum.arguments.at("source"), "add.asc:12");
  EXPECT_EQ(sum.arguments.at("block"), "0");
  EXPECT_EQ(sum.arguments.at("repeats"), "32");
  EXPECT_EQ(sum.arguments.at("elements"), "4096");
  EXPECT_EQ(sum.arguments.at("cycles"), "180");
  EXPECT_EQ(sum.arguments.at("bank conflicts (cycles)"), "16");
  EXPECT_EQ(sum.arguments.at("stall cause"), "flag of another pipe");
  EXPECT_EQ(sum.arguments.at("waited for"), "MTE2");
  const ReadSlice load = trace.On("aiv 0", "MTE2").at(0);
  EXPECT_EQ(load.category, "move");
  EXPECT_EQ(load.arguments.at("source"), "add.asc:10");
  EXPECT_EQ(load.arguments.at("bytes"), "8192");
  EXPECT_EQ(load.arguments.at("contention (cycles)"), "20");
  const ReadSlice launch = trace.On(kDevice, "launches").at(0);
  EXPECT_EQ(launch.name, "add_kernel");
  EXPECT_EQ(launch.arguments.at("time"), "simulated");
  EXPECT_EQ(launch.arguments.at("model error"), "median 4 %, worst 18 %");
}

TEST(Perfetto, NanosecondsKeepTheOrderOfTicks) {
  const SampleLaunch sample{
      .cores = 3, .tiles = 50, .overlap = false, .source = "add.asc"};
  Timeline timeline;
  sample.Play(timeline);
  timeline.Complete();
  const ReadTrace trace = ReadPerfetto(TraceOf(sample));
  for (const auto& [id, core] : timeline.cores()) {
    const Row& row = core.pipes[static_cast<size_t>(abi::Pipe::kMte2)].rows[0];
    const auto read = trace.On(CoreName(id.core, id.cube), "MTE2");
    ASSERT_EQ(read.size(), row.size());
    for (size_t i = 0; i < row.size(); ++i) {
      EXPECT_NEAR(static_cast<double>(read[i].begin),
                  clock::ToMicroseconds(row[i].start, 1850) * 1000, 1.0);
      EXPECT_NEAR(static_cast<double>(read[i].end),
                  clock::ToMicroseconds(row[i].end, 1850) * 1000, 1.0);
      EXPECT_EQ(read[i].depth, 0);
      if (i > 0) {
        EXPECT_GE(read[i].begin, read[i - 1].end);
      }
    }
  }
}

TEST(Perfetto, SlicesBelowANanosecondStayInOrder) {
  const TemporaryFolder folder;
  const std::string path = folder.File("a.pftrace");
  PerfettoWriter writer(path, kFacts);
  const clock::LaunchLog log;
  clock::Record record;
  record.kind = clock::Kind::kReadClock;
  writer.BeginLaunch(log);
  for (int i = 0; i < 40; ++i) {
    clock::Span span{};
    span.pipe = abi::Pipe::kS;
    span.start = clock::FromCycles(i);  // 0.54 ns
    span.end = clock::FromCycles(i + 1);
    span.record = &record;
    span.block = i;
    writer.OnSpan(span);
  }
  clock::LaunchTime time;
  time.total = clock::FromCycles(40);
  writer.EndLaunch(time);
  writer.Finish();
  const auto slices = ReadPerfetto(ReadFile(path)).On("aiv 0", "S");
  ASSERT_EQ(slices.size(), 40u);
  for (size_t i = 0; i < slices.size(); ++i) {
    EXPECT_EQ(slices[i].arguments.at("block"), std::to_string(i));
    EXPECT_EQ(slices[i].depth, 0);
    EXPECT_EQ(slices[i].end,
              i + 1 < slices.size() ? slices[i + 1].begin : slices[i].end);
  }
}

TEST(Perfetto, EveryFlowLeavesOnceAndArrivesOnceLater) {
  const ReadTrace trace = ReadPerfetto(
      TraceOf({.cores = 2, .tiles = 6, .overlap = false, .source = "add.asc"}));
  std::map<uint64_t, const ReadSlice*> leaving;
  std::map<uint64_t, const ReadSlice*> arriving;
  for (const ReadSlice& slice : trace.slices) {
    for (const uint64_t flow : slice.leaving) {
      EXPECT_TRUE(leaving.emplace(flow, &slice).second);
    }
    for (const uint64_t flow : slice.arriving) {
      EXPECT_TRUE(arriving.emplace(flow, &slice).second);
    }
  }
  EXPECT_EQ(leaving.size(), 2u * (6 + 6 + 4));
  ASSERT_EQ(leaving.size(), arriving.size());
  std::map<std::string, int> pairs;
  for (const auto& [flow, from] : leaving) {
    const ReadSlice* to = arriving.at(flow);
    EXPECT_LE(from->end, to->begin);
    const ReadTrack& source = trace.tracks.at(from->track);
    const ReadTrack& target = trace.tracks.at(to->track);
    EXPECT_EQ(source.process, target.process);
    ++pairs[source.name + " " + target.name];
  }
  EXPECT_EQ(pairs, (std::map<std::string, int>{
                       {"MTE2 V", 12}, {"V MTE2", 8}, {"V MTE3", 12}}));
}

TEST(Perfetto, InstructionsThatOverlapGetThreadsOfTheirOwn) {
  const ReadTrace trace = ReadPerfetto(
      TraceOf({.cores = 1, .tiles = 5, .overlap = true, .source = "add.asc"}));
  const auto first = trace.On("aiv 0", "MTE2");
  const auto second = trace.On("aiv 0", "MTE2 (2)");
  EXPECT_EQ(first.size() + second.size(), 10u);
  ASSERT_FALSE(second.empty());
  EXPECT_LT(second[0].begin, first[0].end);
  for (const ReadSlice& slice : trace.slices) EXPECT_EQ(slice.depth, 0);
}

TEST(Perfetto, CountersFollowMemory) {
  const SampleLaunch sample{
      .cores = 2, .tiles = 6, .overlap = false, .source = ""};
  const ReadTrace trace = ReadPerfetto(TraceOf(sample));
  const auto levels = trace.Counter("aiv 0", "UB in use");
  ASSERT_GE(levels.size(), 2u);
  EXPECT_EQ(levels[0].value, 3 * 8192);
  EXPECT_EQ(levels[1].value, 6 * 8192);
  const auto read = trace.Counter(kDevice, "HBM read");
  ASSERT_GE(read.size(), 2u);
  // 32 KB in 512 cycles of 1.85 GHz.
  EXPECT_NEAR(read[0].value, 32768 / (512 / 1.85), 1e-9);
  EXPECT_EQ(read.back().value, 0);
}

TEST(Perfetto, LaunchesFollowEachOther) {
  const SampleLaunch sample{
      .cores = 1, .tiles = 3, .overlap = false, .source = "add.asc"};
  const ReadTrace trace = ReadPerfetto(TraceOf(sample, 3));
  const auto launches = trace.On(kDevice, "launches");
  ASSERT_EQ(launches.size(), 3u);
  EXPECT_EQ(launches[0].begin, 0u);
  for (size_t i = 1; i < launches.size(); ++i) {
    EXPECT_EQ(launches[i].begin, launches[i - 1].end);
  }
  const auto sums = trace.On("aiv 0", "V");
  ASSERT_EQ(sums.size(), 9u);
  EXPECT_GE(sums[3].begin, launches[1].begin);
  EXPECT_LE(sums[5].end, launches[1].end);
}

TEST(Perfetto, StringsAreWrittenOnce) {
  const std::string few =
      TraceOf({.cores = 1, .tiles = 10, .overlap = false, .source = "add.asc"});
  const std::string many = TraceOf(
      {.cores = 1, .tiles = 1000, .overlap = false, .source = "add.asc"});
  EXPECT_EQ(ReadPerfetto(few).interned, ReadPerfetto(many).interned);
  const double slice = static_cast<double>(many.size() - few.size()) /
                       static_cast<double>(SampleSlices(990));
  EXPECT_LT(slice, 140) << "bytes a slice, arguments and flows included";
}

TEST(Perfetto, ProtocReadsTheBytes) {
  if (std::system("command -v protoc >/dev/null 2>&1") != 0) {
    GTEST_SKIP() << "protobuf-compiler is not installed";
  }
  const TemporaryFolder folder;
  const std::string path = folder.File("a.pftrace");
  WriteFile(
      path,
      TraceOf({.cores = 2, .tiles = 6, .overlap = false, .source = "add.asc"}));
  const std::string text = folder.File("a.txt");
  ASSERT_EQ(
      std::system(
          fmt::format("protoc --decode_raw <'{}' >'{}'", path, text).c_str()),
      0);
  EXPECT_NE(ReadFile(text).find("\"Add 32 repeats\""), std::string::npos);
}

TEST(Perfetto, WhatCannotBeWrittenIsTheUsersError) {
  EXPECT_THROW(OpenWriter("/nowhere/a.pftrace", kFacts), UserError);
  EXPECT_THROW(OpenWriter("/nowhere/a.html", kFacts), UserError);
  try {
    OpenWriter("a.json", kFacts);
    FAIL() << "an unknown ending was taken";
  } catch (const UserError& error) {
    EXPECT_NE(std::string(error.what()).find("a.json"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find(".pftrace"), std::string::npos);
  }
  EXPECT_TRUE(IsTracePath("x.html"));
  EXPECT_FALSE(IsTracePath("x.json"));
}

}  // namespace
}  // namespace belay::trace::test_perfetto
