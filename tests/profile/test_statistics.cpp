// SPDX-License-Identifier: Apache-2.0
// Tests the figures gathered from spans.

#include <gtest/gtest.h>

#include "clock/statistics.h"
#include "clock/vector_flops.h"
#include "logs.h"

namespace belay::clock {
namespace {

using abi::Pipe;
using belay::testing::Spec;

Span SpanOf(const Record& record, Pipe pipe, Ticks start, Ticks end) {
  Span span{};
  span.pipe = pipe;
  span.start = start;
  span.end = end;
  span.record = &record;
  return span;
}

class StatisticsTest : public ::testing::Test {
 protected:
  LaunchLog log_ = belay::testing::NewLog(1);
  Statistics statistics_{log_, Spec()};
};

TEST_F(StatisticsTest, SitesAddUp) {
  const Record add = belay::testing::Vector(Spec(), abi::Op::kAdd, 2, 4);
  Span span = SpanOf(add, Pipe::kV, 100, 150);
  span.conflict = 7;
  statistics_.OnSpan(span);
  span.start = 200;
  span.end = 260;
  span.stall = 50;
  span.cause = Cause::kFlag;
  span.waited_for = Pipe::kMte2;
  statistics_.OnSpan(span);
  statistics_.OnSpan(SpanOf(add, Pipe::kS, 90, 91));

  const std::vector<SiteFigures> sites = statistics_.Sites();
  ASSERT_EQ(sites.size(), 2u);
  EXPECT_EQ(sites[0].pipe, Pipe::kV);
  EXPECT_EQ(sites[0].instructions, 2u);
  EXPECT_EQ(sites[0].busy, 110);
  EXPECT_EQ(sites[0].stalled, 50);
  EXPECT_EQ(sites[0].conflict, 14);
  EXPECT_EQ(sites[0].repeats, 8u);
  EXPECT_EQ(sites[1].pipe, Pipe::kS);
  ASSERT_EQ(statistics_.Stalls().size(), 1u);
  EXPECT_EQ(statistics_.Stalls()[0].waited_for, Pipe::kMte2);
  EXPECT_EQ(statistics_.Stalls()[0].time, 50);
  EXPECT_EQ(statistics_.flops(), 512u);
  EXPECT_DOUBLE_EQ(statistics_.full_repeats(), 8);
}

TEST_F(StatisticsTest, MovesFallIntoPowersOfTwo) {
  for (const uint32_t bytes : {2048u, 4095u, 4096u}) {
    const Record load =
        belay::testing::Move(Pipe::kMte2, 1, belay::testing::kInput, bytes);
    statistics_.OnSpan(SpanOf(load, Pipe::kMte2, 0, 1));
  }
  const Record store =
      belay::testing::Move(Pipe::kMte3, 3, belay::testing::kOutput, 64);
  statistics_.OnSpan(SpanOf(store, Pipe::kMte3, 0, 1));
  EXPECT_EQ(statistics_.reads().moves, 3u);
  EXPECT_EQ(statistics_.reads().buckets[11].moves, 2u);
  EXPECT_EQ(statistics_.reads().buckets[11].bytes, 6143u);
  EXPECT_EQ(statistics_.reads().buckets[12].moves, 1u);
  EXPECT_EQ(statistics_.writes().buckets[6].bytes, 64u);
}

TEST_F(StatisticsTest, RowsOffTheLineTouchMore) {
  using belay::testing::kInput;
  using belay::testing::Rows;
  const struct {
    Record record;
    uint64_t extra;
  } cases[] = {
      {Rows(Pipe::kMte2, 11, kInput, 4, 512, 1024), 0},
      {Rows(Pipe::kMte2, 12, kInput + 32, 4, 512, 1024), 4},
      // Rows without gaps are one stretch.
      {Rows(Pipe::kMte2, 13, kInput + 32, 4, 512, 512), 1},
      {Rows(Pipe::kMte2, 14, kInput + 32, 4, 100, 512), 0},
  };
  for (const auto& one : cases) {
    statistics_.OnSpan(SpanOf(one.record, Pipe::kMte2, 0, 1));
  }
  for (const SiteFigures& site : statistics_.Sites()) {
    EXPECT_EQ(site.extra_lines, cases[site.place - 11].extra) << site.place;
  }
}

TEST_F(StatisticsTest, ScalarSitesCountElements) {
  ScalarWork work;
  work.local_load = 20;
  work.local_store = 10;
  log_.scalar.push_back(work);
  Record record;
  record.scalar = 1;
  record.place = 2;
  statistics_.OnSpan(SpanOf(record, Pipe::kS, 0, 100));
  ASSERT_EQ(statistics_.Sites().size(), 1u);
  EXPECT_EQ(statistics_.Sites()[0].local_accesses, 30u);
}

TEST(VectorFlops, FollowTheirDefinition) {
  EXPECT_EQ(VectorFlops(abi::Op::kAdd), 1);
  EXPECT_EQ(VectorFlops(abi::Op::kExp), 1);
  EXPECT_EQ(VectorFlops(abi::Op::kAxpy), 2);
  EXPECT_EQ(VectorFlops(abi::Op::kFusedMulAddRelu), 3);
  EXPECT_EQ(VectorFlops(abi::Op::kWholeReduceSum), 1);
  EXPECT_EQ(VectorFlops(abi::Op::kCast), 0);
  EXPECT_EQ(VectorFlops(abi::Op::kDuplicate), 0);
  EXPECT_EQ(VectorFlops(abi::Op::kAnd), 0);
  EXPECT_EQ(VectorFlops(abi::Op::kDataCopy), 0);
}

TEST(SinkTee, PassesEverythingOn) {
  struct Counter : TimelineSink {
    int spans = 0, flows = 0, buffers = 0, samples = 0;
    void OnSpan(const Span&) override { ++spans; }
    void OnFlow(const Flow&) override { ++flows; }
    void OnBuffer(int, bool, Ticks, const BufferWork&) override { ++buffers; }
    void OnMemory(const MemorySample&) override { ++samples; }
  } a, b;
  SinkTee tee({&a, &b});
  const LaunchLog log = belay::testing::MakeTileLoop(Spec(), {});
  ReplayOptions options;
  options.sink = &tee;
  Replay(log, Spec(), options);
  EXPECT_GT(a.spans, 0);
  EXPECT_GT(a.flows, 0);
  EXPECT_GT(a.samples, 0);
  EXPECT_EQ(a.spans, b.spans);
  EXPECT_EQ(a.flows, b.flows);
  EXPECT_EQ(a.samples, b.samples);
}

}  // namespace
}  // namespace belay::clock
