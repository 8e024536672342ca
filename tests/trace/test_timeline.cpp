// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "sample_launch.h"
#include "trace/timeline.h"

namespace belay::trace::test_timeline {
namespace {

using clock::FromCycles;
using clock::Ticks;

clock::Span SpanOf(const clock::Record& record, int core, double start,
                   double end) {
  return {.core = core,
          .cube = false,
          .block = core,
          .pipe = record.pipe,
          .issued = FromCycles(start),
          .start = FromCycles(start),
          .end = FromCycles(end),
          .stall = 0,
          .cause = clock::Cause::kNone,
          .waited_for = abi::Pipe::kS,
          .record = &record,
          .conflict = 0,
          .contention = 0};
}

clock::Record MoveOf(uint32_t bytes) {
  clock::Record record;
  record.kind = clock::Kind::kMove;
  record.op = abi::Op::kDataCopy;
  record.pipe = abi::Pipe::kMte2;
  record.move.bursts = 1;
  record.move.burst_bytes = bytes;
  return record;
}

const PipeRows& RowsOf(const Timeline& timeline, int core, abi::Pipe pipe) {
  return timeline.cores()
      .at(CoreId{false, core})
      .pipes[static_cast<size_t>(pipe)];
}

TEST(Timeline, SlicesThatOverlapGetRowsOfTheirOwn) {
  Timeline timeline;
  const clock::Record record = MoveOf(512);
  timeline.OnSpan(SpanOf(record, 0, 0, 100));
  timeline.OnSpan(SpanOf(record, 0, 20, 120));
  timeline.OnSpan(SpanOf(record, 0, 100, 140));
  timeline.OnSpan(SpanOf(record, 0, 110, 150));
  timeline.OnSpan(SpanOf(record, 0, 150, 160));
  timeline.Complete();
  const PipeRows& pipe = RowsOf(timeline, 0, abi::Pipe::kMte2);
  ASSERT_EQ(pipe.rows.size(), 3u);
  EXPECT_EQ(pipe.rows[0].size(), 3u);  // 0, 100, 150
  EXPECT_EQ(pipe.rows[1].size(), 1u);
  EXPECT_EQ(pipe.rows[2].size(), 1u);
  for (const Row& row : pipe.rows) {
    for (size_t i = 1; i < row.size(); ++i) {
      EXPECT_GE(row[i].start, row[i - 1].end);
    }
  }
}

TEST(Timeline, SlicesThatLookAlikeShareAKind) {
  Timeline timeline;
  const clock::Record small = MoveOf(512);
  const clock::Record large = MoveOf(32768);
  timeline.OnSpan(SpanOf(small, 0, 0, 10));
  timeline.OnSpan(SpanOf(large, 0, 10, 20));
  timeline.OnSpan(SpanOf(small, 1, 0, 10));
  timeline.Complete();
  ASSERT_EQ(timeline.kinds().size(), 2u);
  EXPECT_EQ(timeline.kinds()[0].name, "DataCopy 512 B");
  EXPECT_EQ(timeline.kinds()[1].name, "DataCopy 32 KB");
  EXPECT_EQ(timeline.kinds()[1].category, "move");
}

TEST(Timeline, NamesSayOperationAndSize) {
  Timeline timeline;
  clock::Record sum;
  sum.kind = clock::Kind::kVector;
  sum.op = abi::Op::kAdd;
  sum.pipe = abi::Pipe::kV;
  sum.vector = {};
  sum.vector.repeats = 1;
  clock::Record issued = sum;
  issued.vector.repeats = 64;
  clock::Record flag;
  flag.kind = clock::Kind::kWaitFlag;
  flag.op = abi::Op::kWaitFlag;
  flag.sync = {.from = abi::Pipe::kMte2,
               .to = abi::Pipe::kS,
               .by_queue = 0,
               .id = 3,
               .distance = 0,
               .token = 0};
  timeline.OnSpan(SpanOf(sum, 0, 0, 10));
  timeline.OnSpan(SpanOf(issued, 0, 10, 20));
  clock::Span issue = SpanOf(issued, 0, 0, 5);
  issue.pipe = abi::Pipe::kS;
  timeline.OnSpan(issue);
  timeline.OnSpan(SpanOf(flag, 0, 5, 9));
  clock::Span over_at_once = SpanOf(flag, 0, 20, 20);
  timeline.OnSpan(over_at_once);
  timeline.Complete();
  std::vector<std::string> names;
  for (const SliceKind& kind : timeline.kinds()) names.push_back(kind.name);
  EXPECT_EQ(names,
            (std::vector<std::string>{"Add 1 repeat", "Add 64 repeats",
                                      "issue Add", "WaitFlag MTE2_S 3"}));
  EXPECT_EQ(timeline.given(), 4u);
}

TEST(Timeline, SizesReadWell) {
  EXPECT_EQ(SizeText(0), "0 B");
  EXPECT_EQ(SizeText(1023), "1023 B");
  EXPECT_EQ(SizeText(32768), "32 KB");
  EXPECT_EQ(SizeText(2006), "1.96 KB");
  EXPECT_EQ(SizeText(3 << 20), "3 MB");
}

TEST(Timeline, FlagsConnectTheSlicesTheyOrder) {
  const SampleLaunch sample{
      .cores = 2, .tiles = 6, .overlap = false, .source = ""};
  Timeline timeline;
  sample.Play(timeline);
  timeline.Complete();
  for (const auto& [id, core] : timeline.cores()) {
    int loads_to_sums = 0;
    for (const Arrow& arrow : core.arrows) {
      const Slice& from = core.pipes[static_cast<size_t>(arrow.from.pipe)]
                              .rows[arrow.from.row][arrow.from.index];
      const Slice& to = core.pipes[static_cast<size_t>(arrow.to.pipe)]
                            .rows[arrow.to.row][arrow.to.index];
      EXPECT_EQ(from.end, arrow.flow.set);
      EXPECT_EQ(to.start, arrow.flow.met);
      EXPECT_LE(from.end, to.start);
      loads_to_sums += arrow.flow.from == abi::Pipe::kMte2;
    }
    EXPECT_EQ(loads_to_sums, 6);
    EXPECT_EQ(core.arrows.size(), 6u + 6u + 4u);
  }
}

TEST(Timeline, CoresInTheMiddleAreLeftOutFirst) {
  const SampleLaunch sample{
      .cores = 7, .tiles = 10, .overlap = false, .source = ""};
  const uint64_t of_core = SampleSlices(10);
  Timeline timeline(of_core * 3);
  sample.Play(timeline);
  timeline.Complete();
  EXPECT_EQ(timeline.given(), of_core * 7);
  EXPECT_LE(timeline.kept(), of_core * 3);
  uint64_t kept = 0;
  for (const auto& [id, core] : timeline.cores()) {
    EXPECT_EQ(core.slices, of_core);
    uint64_t slices = 0;
    for (const PipeRows& pipe : core.pipes) {
      for (const Row& row : pipe.rows) slices += row.size();
    }
    EXPECT_EQ(slices, core.kept ? of_core : 0);
    EXPECT_EQ(core.arrows.empty(), !core.kept);
    // What is left out can still be drawn in outline.
    EXPECT_FALSE(
        RowsOf(timeline, id.core, abi::Pipe::kV).activity.bins().empty());
    kept += slices;
  }
  EXPECT_EQ(timeline.kept(), kept);
  EXPECT_TRUE(timeline.cores().at(CoreId{false, 0}).kept);
  EXPECT_TRUE(timeline.cores().at(CoreId{false, 6}).kept);
  EXPECT_FALSE(timeline.cores().at(CoreId{false, 3}).kept);
}

TEST(Timeline, OneCoreWithTooMuchLosesItsEnd) {
  const SampleLaunch sample{
      .cores = 1, .tiles = 100, .overlap = false, .source = ""};
  Timeline whole;
  sample.Play(whole);
  whole.Complete();
  Timeline cut(200);
  sample.Play(cut);
  cut.Complete();
  EXPECT_EQ(cut.given(), SampleSlices(100));
  EXPECT_LE(cut.kept(), 200u);
  EXPECT_GE(cut.kept(), 150u);
  // Everything before the cut is there.
  for (int pipe = 0; pipe < clock::kPipeCount; ++pipe) {
    const PipeRows& all = RowsOf(whole, 0, static_cast<abi::Pipe>(pipe));
    const PipeRows& some = RowsOf(cut, 0, static_cast<abi::Pipe>(pipe));
    if (all.rows.empty()) continue;
    size_t before = 0;
    for (const Slice& slice : all.rows[0]) before += slice.start < cut.cut();
    const size_t kept = some.rows.empty() ? 0 : some.rows[0].size();
    EXPECT_EQ(kept, before) << "pipe " << pipe;
  }
}

TEST(Activity, BinsHoldAllTimeHoweverLong) {
  Activity activity;
  Ticks busy = 0;
  for (Ticks start = 0; start < FromCycles(100'000); start += FromCycles(70)) {
    activity.Add(start, start + FromCycles(33));
    busy += FromCycles(33);
  }
  EXPECT_LE(activity.bins().size(), Activity::kBins);
  EXPECT_GT(activity.bins().size(), Activity::kBins / 4);
  Ticks sum = 0;
  for (const Ticks bin : activity.bins()) {
    EXPECT_LE(bin, activity.width());
    sum += bin;
  }
  EXPECT_EQ(sum, busy);
}

TEST(Activity, AnIntervalFillsItsBins) {
  Activity activity;
  activity.Add(FromCycles(1.5), FromCycles(4));
  activity.Add(FromCycles(7), FromCycles(7));
  EXPECT_EQ(
      activity.bins(),
      (std::vector<Ticks>{0, FromCycles(0.5), FromCycles(1), FromCycles(1)}));
}

}  // namespace
}  // namespace belay::trace::test_timeline
