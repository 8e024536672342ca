// SPDX-License-Identifier: Apache-2.0
// One core: pipes, queues, flags and barriers, by hand and against a replay
// that steps through every cycle.

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <map>
#include <random>
#include <vector>

#include "clock/core_replay.h"
#include "log_builder.h"

namespace belay::clock::test_core_replay {
namespace {

using abi::Pipe;

// A memory that takes 64 bytes a cycle and answers 100 cycles later.
Moved MoveFrom(Ticks at, const Record& record) {
  const Ticks issue =
      FromCycles(record.move.bursts * (record.move.burst_bytes / 64));
  return {at + issue, at + issue + FromCycles(100), 0};
}

class Alone : public Outside {
 public:
  void StartMove(CoreReplay& core, Pipe pipe, Ticks at,
                 const Record& record) override {
    if (record.kind == Kind::kGlobalScalar) {
      core.OnMoved(pipe, {at, at + FromCycles(200), 0});
    } else {
      core.OnMoved(pipe, MoveFrom(at, record));
    }
  }
  void Meet(CoreReplay& core, const SyncWork&, Ticks at) override {
    core.OnMet(at);
  }
  void Await(CoreReplay& core, uint64_t, Ticks at) override { core.OnMet(at); }
  void Notify(uint64_t, Ticks) override {}
  void TellCores(CoreReplay&, const SyncWork&, Ticks) override {}
  void AwaitCores(CoreReplay& core, uint32_t, Ticks at) override {
    core.OnMet(at);
  }
};

struct Kept : TimelineSink {
  void OnSpan(const Span& span) override {
    spans.push_back(span);
    spans.back().record = nullptr;
  }
  void OnFlow(const Flow& flow) override { flows.push_back(flow); }
  std::vector<Span> On(Pipe pipe) const {
    std::vector<Span> found;
    for (const Span& span : spans) {
      if (span.pipe == pipe) found.push_back(span);
    }
    return found;
  }
  std::vector<Span> spans;
  std::vector<Flow> flows;
};

struct Step {
  Record record;
  ScalarWork work;
};

class CoreReplayTest : public ::testing::Test {
 protected:
  Record Add(uint32_t repeats) const { return VectorRecord(add_, repeats); }

  CoreTime Run(const std::vector<Step>& steps) {
    kept_ = {};
    CoreReplay core(costs_, alone_, &kept_, 0, false);
    core.Begin(0);
    core.BeginBlock(0, 0);
    for (const Step& step : steps) {
      EXPECT_TRUE(core.WantsRecord());
      core.Feed(step.record, step.work);
    }
    EXPECT_TRUE(core.IsDrained());
    core.EndBlock();
    return core.time();
  }

  ClockSpec spec_ = LoadClockSpec("ascend910b1");
  uint16_t add_ = spec_.FindVectorCost("Add", 32).value();
  CoreCosts costs_{spec_};
  Alone alone_;
  Kept kept_;
};

double End(const CoreTime& time) { return ToCycles(time.end); }

TEST_F(CoreReplayTest, VectorInstructionsDoNotOverlap) {
  const CoreTime time = Run({{Add(64), {}}, {Add(64), {}}, {Add(10), {}}});
  EXPECT_EQ(End(time), 1 + 86 + 86 + 32);
  EXPECT_EQ(ToCycles(time.pipes[1].busy), 86 + 86 + 32);
  EXPECT_EQ(time.pipes[1].instructions, 3u);
}

TEST_F(CoreReplayTest, ScalarWorkIsPricedByClass) {
  ScalarWork work;
  work.local_load = 10;
  work.simple = 5;
  const CoreTime time = Run({{Record{}, work}});
  EXPECT_EQ(End(time), 10 * spec_.Value("scalar.local_load") +
                           5 * spec_.Value("scalar.simple"));
}

TEST_F(CoreReplayTest, AFlagHandsOver) {
  const CoreTime time = Run({{MoveRecord(Pipe::kMte2, 0, 1, 6400), {}},
                             {SetFlagRecord(Pipe::kMte2, Pipe::kV), {}},
                             {WaitFlagRecord(Pipe::kMte2, Pipe::kV), {}},
                             {Add(64), {}}});
  const double moved = 1 + 100 + 100;
  const double hand_over = spec_.Value("sync.hand_over");
  EXPECT_EQ(End(time), moved + hand_over + 86);
  ASSERT_EQ(kept_.flows.size(), 1u);
  EXPECT_EQ(ToCycles(kept_.flows[0].set), moved);
  EXPECT_EQ(ToCycles(kept_.flows[0].met), moved + hand_over);
}

TEST_F(CoreReplayTest, CausesOfStalls) {
  Run({{Add(1), {}},
       {MoveRecord(Pipe::kMte2, 0, 1, 6400), {}},
       {SetFlagRecord(Pipe::kMte2, Pipe::kV), {}},
       {WaitFlagRecord(Pipe::kMte2, Pipe::kV), {}},
       {Add(64), {}},
       {Add(64), {}},
       {Record{}, ScalarWork{.simple = 1000}},
       {Add(64), {}}});
  const std::vector<Span> spans = kept_.On(Pipe::kV);
  ASSERT_EQ(spans.size(), 4u);
  EXPECT_EQ(spans[0].cause, Cause::kStart);
  EXPECT_EQ(spans[1].cause, Cause::kFlag);
  EXPECT_EQ(spans[1].waited_for, Pipe::kMte2);
  EXPECT_EQ(spans[1].stall, spans[1].start - spans[0].end);
  EXPECT_EQ(spans[2].cause, Cause::kNone);
  EXPECT_EQ(spans[3].cause, Cause::kIssue);
}

// One buffer: moving and adding take turns. Two: they overlap.
TEST_F(CoreReplayTest, DoubleBufferingOverlaps) {
  const auto program = [&](int buffers) {
    std::vector<Step> steps;
    for (int tile = 0; tile < 20; ++tile) {
      const uint32_t id = tile % buffers;
      if (tile >= buffers) {
        steps.push_back({WaitFlagRecord(Pipe::kV, Pipe::kMte2, id), {}});
      }
      steps.push_back({MoveRecord(Pipe::kMte2, 0, 1, 64 * 400), {}});
      steps.push_back({SetFlagRecord(Pipe::kMte2, Pipe::kV, id), {}});
      steps.push_back({WaitFlagRecord(Pipe::kMte2, Pipe::kV, id), {}});
      steps.push_back({Add(378), {}});
      steps.push_back({SetFlagRecord(Pipe::kV, Pipe::kMte2, id), {}});
    }
    return steps;
  };
  const double one = End(Run(program(1)));
  const double two = End(Run(program(2)));
  EXPECT_GE(one, 20 * (400 + 100 + 400));
  EXPECT_LE(two, 20 * 470 + 1000);
  const std::vector<Span> adds = kept_.On(Pipe::kV);
  const std::vector<Span> moves = kept_.On(Pipe::kMte2);
  EXPECT_LT(moves[5].start, adds[4].end);
}

TEST_F(CoreReplayTest, AFullQueueHoldsTheScalarUnit) {
  std::vector<Step> steps(100, {Add(1000), {}});
  const CoreTime time = Run(steps);
  const Ticks stalled =
      time.pipes[0].stalled[static_cast<int>(Cause::kQueueFull)];
  EXPECT_GT(stalled, 0);
  // Entry n is issued no earlier than entry n - 32 starts.
  const std::vector<Span> spans = kept_.On(Pipe::kV);
  for (size_t i = 32; i < spans.size(); ++i) {
    EXPECT_GE(spans[i].issued, spans[i - 32].start);
  }
}

TEST_F(CoreReplayTest, BarrierOfAllWaitsForEveryPipe) {
  const CoreTime time =
      Run({{MoveRecord(Pipe::kMte2, 0, 1, 64000), {}},
           {SyncRecord(Kind::kBarrier, Pipe::kAll, Pipe::kAll), {}},
           {Add(64), {}}});
  EXPECT_EQ(End(time), 1 + 1000 + 100 + spec_.Value("sync.barrier") + 1 + 86);
  EXPECT_GT(time.pipes[0].stalled[static_cast<int>(Cause::kBarrier)], 0);
}

TEST_F(CoreReplayTest, OrderWaitsForAnEarlierInstruction) {
  const auto at = [&](uint32_t distance) {
    return End(
        Run({{MoveRecord(Pipe::kMte2, 0, 1, 6400), {}},
             {MoveRecord(Pipe::kMte2, 0, 1, 64000), {}},
             {SyncRecord(Kind::kOrder, Pipe::kMte2, Pipe::kV, 0, distance), {}},
             {Add(2000), {}}}));
  };
  const double hand_over = spec_.Value("sync.hand_over");
  EXPECT_EQ(at(2), 1 + 200 + hand_over + 2022);
  EXPECT_EQ(at(1), 1 + 100 + 1000 + 100 + hand_over + 2022);
}

TEST_F(CoreReplayTest, ScalarReadsOfGlobalMemoryBlock) {
  Record load;
  load.kind = Kind::kGlobalScalar;
  load.global = {0x1000, 8, 0, 0};
  const CoreTime time = Run({{load, {}}, {load, {}}});
  EXPECT_EQ(End(time), 400);
  EXPECT_EQ(ToCycles(time.pipes[0].stalled[static_cast<int>(Cause::kMemory)]),
            400);
  EXPECT_EQ(time.bytes_read, 16u);
}

// Public performance tests: a step of a matrix product of 128 × 64 by 64 × 256
// halves takes 522 cycles on M and 432 on MTE1.
TEST_F(CoreReplayTest, CubeInstructions) {
  const auto record = [](Kind kind, Pipe pipe, CubeWork work) {
    Record made;
    made.kind = kind;
    made.pipe = pipe;
    made.cube = work;
    return made;
  };
  const Record multiply = record(Kind::kMmad, Pipe::kM,
                                 {.steps = 8 * 16 * 4,
                                  .bytes = 0,
                                  .products = 0,
                                  .to = abi::Memory::kL0c,
                                  .three_d = 0});
  EXPECT_EQ(End(Run({{multiply, {}}})), 1 + 522);
  const Record left = record(Kind::kLoad, Pipe::kMte1,
                             {.steps = 0,
                              .bytes = 128 * 64 * 2,
                              .products = 0,
                              .to = abi::Memory::kL0a,
                              .three_d = 1});
  const Record right = record(Kind::kLoad, Pipe::kMte1,
                              {.steps = 0,
                               .bytes = 64 * 256 * 2,
                               .products = 0,
                               .to = abi::Memory::kL0b,
                               .three_d = 1});
  EXPECT_NEAR(End(Run({{left, {}}, {right, {}}})), 432, 432 * 0.04);
  const Record bias = record(Kind::kLoad, Pipe::kMte1,
                             {.steps = 0,
                              .bytes = 1024,
                              .products = 0,
                              .to = abi::Memory::kBt,
                              .three_d = 0});
  EXPECT_EQ(End(Run({{bias, {}}})), 1 + 20 + 32);
}

TEST_F(CoreReplayTest, BusyAndStalledTimeAddUp) {
  std::vector<Step> steps;
  for (int tile = 0; tile < 10; ++tile) {
    steps.push_back({MoveRecord(Pipe::kMte2, 0, 2, 6400), {.simple = 30}});
    steps.push_back({SetFlagRecord(Pipe::kMte2, Pipe::kV), {}});
    steps.push_back({WaitFlagRecord(Pipe::kMte2, Pipe::kV), {}});
    steps.push_back({Add(64), {}});
    steps.push_back({SyncRecord(Kind::kBarrier, Pipe::kAll, Pipe::kAll), {}});
  }
  const CoreTime time = Run(steps);
  for (const int pipe : {0, 1, 4}) {
    Ticks sum = time.pipes[pipe].busy;
    for (const Ticks stall : time.pipes[pipe].stalled) sum += stall;
    EXPECT_EQ(sum, time.end - time.begin) << "pipe " << pipe;
  }
}

TEST_F(CoreReplayTest, BlocksOfOneCoreFollowEachOther) {
  CoreReplay core(costs_, alone_, nullptr, 0, false);
  core.BeginBlock(0, 0);
  core.Feed(Add(64), {});
  core.EndBlock();
  const Ticks first = core.time().end;
  core.BeginBlock(1, first + FromCycles(50));
  core.Feed(Add(64), {});
  core.EndBlock();
  EXPECT_EQ(core.time().end, 2 * first + FromCycles(50));
  EXPECT_EQ(core.time().blocks, 2);
}

// The same core in whole cycles: in each cycle, whoever can go on does.
class SteppedCore {
 public:
  SteppedCore(const ClockSpec& spec, const CoreCosts& costs)
      : costs_(costs),
        depth_(static_cast<size_t>(spec.Value("sync.queue_depth"))),
        hand_over_(static_cast<int64_t>(spec.Value("sync.hand_over"))),
        barrier_(static_cast<int64_t>(spec.Value("sync.barrier"))) {}

  int64_t Run(const std::vector<Step>& steps) {
    for (size_t next = 0; now_ < 10'000'000; ++now_) {
      bool again = true;
      while (again) {
        again = false;
        for (auto& [pipe, state] : pipes_) again |= StepPipe(state);
        again |= StepScalar(steps, next);
      }
      if (next == steps.size() && scalar_free_ <= now_ && AllDone()) break;
    }
    return now_;
  }

 private:
  struct Queued {
    Record record;
    int64_t issued;
    size_t target;
  };
  struct PipeState {
    std::deque<Queued> queue;
    int64_t free = 0;  // may start the next
    int64_t done = 0;
    std::vector<int64_t> completions;
    size_t instructions = 0;
  };
  using Flag = std::tuple<Pipe, Pipe, uint32_t>;

  static Flag FlagOf(const SyncWork& sync) {
    return {sync.from, sync.to, sync.id};
  }

  bool AllDone() {
    return std::all_of(pipes_.begin(), pipes_.end(), [&](const auto& entry) {
      return entry.second.queue.empty() && entry.second.done <= now_;
    });
  }

  bool StepPipe(PipeState& pipe) {
    if (pipe.queue.empty()) return false;
    const Queued& head = pipe.queue.front();
    if (head.issued > now_ || pipe.free > now_) return false;
    const SyncWork& sync = head.record.sync;
    switch (head.record.kind) {
      case Kind::kVector:
        pipe.free = now_ + Whole(costs_.Vector(head.record.vector));
        pipe.done = pipe.free;
        pipe.completions.push_back(pipe.done);
        break;
      case Kind::kMove: {
        const Moved moved = MoveFrom(FromCycles(now_), head.record);
        pipe.free = Whole(moved.issued);
        pipe.done = std::max(pipe.done, Whole(moved.done));
        pipe.completions.push_back(pipe.done);
        break;
      }
      case Kind::kSetFlag:
        flags_[FlagOf(sync)].push_back(std::max(pipe.done, now_));
        break;
      case Kind::kWaitFlag: {
        auto& set = flags_[FlagOf(sync)];
        if (set.empty() || set.front() + hand_over_ > now_) return false;
        set.pop_front();
        break;
      }
      case Kind::kBarrier:
        if (pipe.done > now_) return false;
        break;
      case Kind::kOrder: {
        const auto& done = pipes_[sync.from].completions;
        if (done.size() <= head.target) return false;
        if (done[head.target] + hand_over_ > now_) return false;
        break;
      }
      default:
        ADD_FAILURE();
    }
    pipe.queue.pop_front();
    return true;
  }

  bool StepScalar(const std::vector<Step>& steps, size_t& next) {
    if (next == steps.size() || scalar_free_ > now_) return false;
    const Step& step = steps[next];
    if (!worked_) {
      worked_ = true;
      scalar_free_ = now_ + step.work.simple;
      return true;
    }
    const SyncWork& sync = step.record.sync;
    switch (step.record.kind) {
      case Kind::kScalar:
        break;
      case Kind::kVector:
      case Kind::kMove:
        if (!Push(step.record.pipe, step.record)) return false;
        ++pipes_[step.record.pipe].instructions;
        break;
      case Kind::kSetFlag:
        if (!Push(sync.from, step.record)) return false;
        break;
      case Kind::kWaitFlag:
      case Kind::kOrder:
        if (!Push(sync.to, step.record)) return false;
        break;
      case Kind::kBarrier:
        if (sync.from == Pipe::kAll) {
          if (!AllDone()) return false;
          scalar_free_ = now_ + barrier_;
        } else if (!Push(sync.from, step.record)) {
          return false;
        }
        break;
      default:
        ADD_FAILURE();
    }
    worked_ = false;
    ++next;
    return true;
  }

  bool Push(Pipe to, const Record& record) {
    PipeState& pipe = pipes_[to];
    if (pipe.queue.size() >= depth_) return false;
    size_t target = 0;
    if (record.kind == Kind::kOrder) {
      target = pipes_[record.sync.from].instructions - record.sync.distance;
    }
    pipe.queue.push_back({record, now_ + 1, target});
    scalar_free_ = now_ + 1;
    return true;
  }

  static int64_t Whole(Ticks ticks) { return ticks / kTicksPerCycle; }

  const CoreCosts& costs_;
  const size_t depth_;
  const int64_t hand_over_;
  const int64_t barrier_;
  int64_t now_ = 0;
  int64_t scalar_free_ = 0;
  bool worked_ = false;
  std::map<Pipe, PipeState> pipes_;
  std::map<Flag, std::deque<int64_t>> flags_;
};

TEST_F(CoreReplayTest, AgreesWithSteppingThroughCycles) {
  constexpr Pipe kPipes[] = {Pipe::kV, Pipe::kMte2, Pipe::kMte3};
  for (uint32_t seed = 1; seed <= 1000; ++seed) {
    std::mt19937 random(seed);
    std::vector<Step> steps;
    std::vector<Record> open;  // flags set and not met
    std::map<Pipe, uint32_t> instructions;
    const size_t length = 20 + random() % 200;
    while (steps.size() < length) {
      const Pipe from = kPipes[random() % 3];
      const Pipe to = kPipes[random() % 3];
      Record record;
      switch (random() % 10) {
        case 0:
        case 1:
        case 2:
          record = Add(1 + random() % 200);
          ++instructions[Pipe::kV];
          break;
        case 3:
        case 4:
          record = MoveRecord(random() % 2 ? Pipe::kMte2 : Pipe::kMte3, 0, 1,
                              64 * (1 + random() % 300));
          ++instructions[record.pipe];
          break;
        case 5:
        case 6:
          if (from == to) continue;
          record = SetFlagRecord(from, to, random() % 4);
          open.push_back(record);
          break;
        case 7:
          if (open.empty()) continue;
          record = open.front();
          open.erase(open.begin());
          record.kind = Kind::kWaitFlag;
          break;
        case 8:
          record = random() % 4 == 0
                       ? SyncRecord(Kind::kBarrier, Pipe::kAll, Pipe::kAll)
                       : SyncRecord(Kind::kBarrier, from, from);
          break;
        default: {
          if (from == to || instructions[from] == 0) continue;
          const uint32_t distance =
              1 + random() % std::min(instructions[from], 40u);
          record = SyncRecord(Kind::kOrder, from, to, 0, distance);
          break;
        }
      }
      ScalarWork work;
      if (random() % 3 == 0) work.simple = random() % 50;
      steps.push_back({record, work});
    }
    const double fast = End(Run(steps));
    const int64_t slow = SteppedCore(spec_, costs_).Run(steps);
    EXPECT_EQ(fast, static_cast<double>(slow)) << "seed " << seed;
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace belay::clock::test_core_replay
