// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CLOCK_STATISTICS_H_
#define BELAY_CLOCK_STATISTICS_H_

// Figures of one replay, gathered span by span: by place in the kernel, by pipe
// and cause of stall, and by size of move.

#include <array>
#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "clock/replay.h"

namespace belay::clock {

inline constexpr int kCauseCount = static_cast<int>(Cause::kCount);

// What one instruction of the kernel's code did on one pipe, all cores and
// turns together.
struct SiteFigures {
  uint64_t place = 0;
  abi::Op op = abi::Op::kInvalid;
  abi::Pipe pipe = abi::Pipe::kS;
  Kind kind = Kind::kScalar;
  uint64_t instructions = 0;
  Ticks busy = 0;
  Ticks stalled = 0;
  Ticks conflict = 0;    // V
  Ticks contention = 0;  // moves

  // Moves; bytes of loads inside a core as well.
  uint64_t bytes = 0;
  uint64_t bursts = 0;
  uint64_t extra_lines = 0;  // beyond those that aligned rows would touch
  bool bypass = false;       // some of them pass the L2 cache by

  // Vector instructions.
  uint16_t cost = 0;
  uint64_t repeats = 0;
  uint64_t elements = 0;
  uint64_t conflict_cycles = 0;
  uint64_t delayed_repeats = 0;

  // The scalar unit: accesses to on-chip memory, one by one.
  uint64_t local_accesses = 0;
};

// Moves of 2^i up to 2^(i+1) - 1 bytes.
struct MoveSizes {
  struct Bucket {
    uint64_t moves = 0;
    uint64_t bytes = 0;
  };
  std::array<Bucket, 33> buckets{};
  uint64_t moves = 0;
  uint64_t bytes = 0;
};

// Idle time of a pipe, by what it waited for.
struct Stall {
  bool cube = false;  // of cube cores
  abi::Pipe pipe = abi::Pipe::kS;
  Cause cause = Cause::kNone;
  abi::Pipe waited_for = abi::Pipe::kAll;  // kAll: the cause names none
  Ticks time = 0;                          // all cores of the type together
  uint64_t times = 0;
};

// O(sites) memory. Cores of both types count together, but for stalls.
class Statistics : public TimelineSink {
 public:
  Statistics(const LaunchLog& log, const ClockSpec& spec)
      : log_(log), spec_(spec) {}

  void OnSpan(const Span& span) override;

  // Longest busy time first.
  std::vector<SiteFigures> Sites() const;
  // Longest first; none of no length.
  std::vector<Stall> Stalls() const;
  const MoveSizes& reads() const { return reads_; }
  const MoveSizes& writes() const { return writes_; }
  // Arithmetic as VectorFlops counts it.
  uint64_t flops() const { return flops_; }
  // Repeats (256 bytes) that this arithmetic would fill without a gap.
  double full_repeats() const { return full_repeats_; }
  // Products the cubes added, and their steps.
  uint64_t products() const { return products_; }
  uint64_t cube_steps() const { return cube_steps_; }

 private:
  using SiteKey = std::tuple<uint64_t, abi::Op, abi::Pipe, Kind>;

  void CountMove(const Record& record, SiteFigures& site);
  void CountVector(const Record& record, SiteFigures& site);

  const LaunchLog& log_;
  const ClockSpec& spec_;
  std::map<SiteKey, SiteFigures> sites_;
  SiteFigures* last_ = nullptr;  // spans of one site often come in a row
  std::map<std::tuple<bool, abi::Pipe, Cause, abi::Pipe>, Stall> stalls_;
  MoveSizes reads_;
  MoveSizes writes_;
  uint64_t flops_ = 0;
  double full_repeats_ = 0;
  uint64_t products_ = 0;
  uint64_t cube_steps_ = 0;
};

// Passes everything on to several sinks, in their order.
class SinkTee : public TimelineSink {
 public:
  explicit SinkTee(std::vector<TimelineSink*> sinks)
      : sinks_(std::move(sinks)) {}

  void OnSpan(const Span& span) override {
    for (TimelineSink* sink : sinks_) sink->OnSpan(span);
  }
  void OnFlow(const Flow& flow) override {
    for (TimelineSink* sink : sinks_) sink->OnFlow(flow);
  }
  void OnBuffer(int core, bool cube, Ticks at,
                const BufferWork& work) override {
    for (TimelineSink* sink : sinks_) sink->OnBuffer(core, cube, at, work);
  }
  void OnMemory(const MemorySample& sample) override {
    for (TimelineSink* sink : sinks_) sink->OnMemory(sample);
  }

 private:
  std::vector<TimelineSink*> sinks_;
};

}  // namespace belay::clock

#endif  // BELAY_CLOCK_STATISTICS_H_
