// SPDX-License-Identifier: Apache-2.0
// The waits the recorder puts in against those racecheck derives, on random
// programs: none that racecheck needs is missing, and not many are there that
// it does not need (the recorder knows only the bounds of what is touched).

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <vector>

#include "check/race.h"
#include "clock/recorder.h"
#include "init_programs.h"
#include "npu/names.h"
#include "support.h"

namespace belay::clock::test_auto_sync_waits {
namespace {

using abi::Pipe;

// A synchronisation directly before what is issued at `pc`.
struct Wait {
  Pipe from;
  Pipe to;
  uint64_t pc;
};

std::vector<Wait> WaitsOf(const LaunchLog& log) {
  std::vector<Wait> waits;
  Sequence::Cursor cursor(log.logs.at(0).records);
  for (Record record; cursor.Next(record);) {
    if (record.kind != Kind::kOrder) continue;
    waits.push_back({record.sync.from, record.sync.to, record.place});
  }
  return waits;
}

struct Counts {
  size_t needed = 0;
  size_t recorded = 0;
};

// Runs one program whose steps have places of their own, in rising order.
void Compare(uint64_t seed, Counts& counts) {
  SCOPED_TRACE(::testing::Message() << "seed " << seed);
  npu::Chip chip(npu::LoadChip(npu::kDefaultChip));
  check::Findings findings;
  check::RaceChecker race(chip, findings,
                          {.auto_sync = true, .log_auto_sync = true});
  Recorder recorder(chip, LoadClockSpec(chip.spec().name), {});
  chip.AddObserver(&race);
  chip.AddObserver(&recorder);
  const uint64_t global =
      chip.global().Allocate(check::InitProgram::kGlobalBytes);
  npu::Core& core = chip.VectorCore(0);
  for (npu::Observer* observer : chip.observers()) {
    observer->OnLaunch({"random", 1});
    observer->OnBlockBegin(core);
  }
  check::InitProgram program(chip, core, global, seed);
  for (int step = 0; step < 300; ++step) {
    program.Step();
    if (step % 25 != 24) continue;
    // What is further back than a pipe's queue is not looked at.
    abi::Instruction barrier{};
    barrier.op = abi::Op::kPipeBarrier;
    barrier.sync = {Pipe::kAll, Pipe::kAll, 0, 0};
    chip.Issue(core, barrier);
  }
  for (npu::Observer* observer : chip.observers()) {
    observer->OnBlockEnd(core);
    observer->OnLaunchEnd();
  }
  const std::vector<LaunchLog> logs = recorder.TakeLaunches();
  ASSERT_EQ(logs.size(), 1u);
  const std::vector<Wait> waits = WaitsOf(logs[0]);
  counts.recorded += waits.size();
  for (const check::AutoSyncEdge& edge : race.auto_sync_log().Edges()) {
    if (edge.from == edge.to) continue;  // a barrier: no wait of its own
    ++counts.needed;
    // A wait in between, for another reason, will do. GatherMask itself is
    // followed by one, because it gives back a count.
    const bool is_there =
        std::any_of(waits.begin(), waits.end(), [&](const Wait& wait) {
          return wait.from == edge.from && wait.to == edge.to &&
                 wait.pc <= edge.later_pc &&
                 (edge.to == Pipe::kS ? wait.pc >= edge.earlier_pc
                                      : wait.pc > edge.earlier_pc);
        });
    EXPECT_TRUE(is_there) << npu::NameOf(edge.from) << "_"
                          << npu::NameOf(edge.to) << " of " << edge.earlier_pc
                          << " before " << edge.later_pc;
  }
}

TEST(AutoSyncWaits, EveryWaitThatRacecheckNeedsIsThere) {
  Counts counts;
  const uint64_t first = check::SeedOr(1);
  for (uint64_t seed = first; seed < first + 200; ++seed) {
    Compare(seed, counts);
    if (::testing::Test::HasFailure()) return;
  }
  std::printf("needed %zu, recorded %zu\n", counts.needed, counts.recorded);
  EXPECT_GT(counts.needed, 300u);
  // Of 60000 steps; every GatherMask has one, needed or not.
  EXPECT_LT(counts.recorded, 5 * counts.needed);
}

}  // namespace
}  // namespace belay::clock::test_auto_sync_waits
