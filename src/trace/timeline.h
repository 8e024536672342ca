// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TRACE_TIMELINE_H_
#define BELAY_TRACE_TIMELINE_H_

// One launch as it is drawn: slices in rows by core and pipe, arrows between
// them, counters.

#include <array>
#include <compare>
#include <cstdint>
#include <limits>
#include <map>
#include <vector>

#include "clock/replay.h"
#include "trace/activity.h"
#include "trace/slice_kind.h"

namespace belay::trace {

struct Slice {
  clock::Ticks issued;
  clock::Ticks start;
  clock::Ticks end;
  clock::Ticks stall;
  clock::Ticks conflict;
  clock::Ticks contention;
  uint32_t kind;  // index into Timeline::kinds()
  int block;
  clock::Cause cause;
  abi::Pipe waited_for;
};

// Slices of one row do not overlap and come in order.
using Row = std::vector<Slice>;

struct SliceRef {
  abi::Pipe pipe;
  uint32_t row;
  uint64_t index;
};

// A flag from the slice that was done when it was set to the one that had
// waited for it.
struct Arrow {
  SliceRef from;
  SliceRef to;
  clock::Flow flow;
};

// Bytes of an on-chip memory in use from a time on.
struct BufferLevel {
  clock::Ticks at;
  uint64_t bytes;
};

struct PipeRows {
  std::vector<Row> rows;  // more than one where instructions overlap
  Activity activity;      // of all rows, whether kept or not
};

struct CoreRows {
  bool kept = true;     // else slices, arrows and levels are not here
  uint64_t slices = 0;  // the replay gave
  std::array<PipeRows, clock::kPipeCount> pipes;
  std::vector<Arrow> arrows;  // in the order flags were set
  std::map<abi::Memory, std::vector<BufferLevel>> levels;
};

struct CoreId {
  bool cube;
  int core;
  auto operator<=>(const CoreId&) const = default;
};

// Collects a launch. With more slices than `limit` the cores in the middle are
// left out, and if one core alone has too many, its end.
class Timeline : public clock::TimelineSink {
 public:
  static constexpr uint64_t kNoLimit = std::numeric_limits<uint64_t>::max();

  explicit Timeline(uint64_t limit = kNoLimit) : limit_(limit) {}

  void OnSpan(const clock::Span& span) override;
  void OnFlow(const clock::Flow& flow) override;
  void OnBuffer(int core, bool cube, clock::Ticks at,
                const clock::BufferWork& work) override;
  void OnMemory(const clock::MemorySample& sample) override;

  // After the replay: finds the slices flags connect, sorts the samples.
  void Complete();

  const std::map<CoreId, CoreRows>& cores() const { return cores_; }
  const std::vector<SliceKind>& kinds() const { return kinds_.all(); }
  const std::vector<clock::MemorySample>& samples() const { return samples_; }

  uint64_t given() const { return given_; }  // slices in all
  uint64_t kept() const { return kept_; }
  // Slices that start here or later were left out; the largest time if none.
  clock::Ticks cut() const { return cut_; }

 private:
  void LeaveOut();
  void CutEnd(CoreRows& core);
  void Connect(CoreRows& core, const std::vector<clock::Flow>& flows) const;

  uint64_t limit_;
  uint64_t given_ = 0;
  uint64_t kept_ = 0;
  clock::Ticks cut_ = std::numeric_limits<clock::Ticks>::max();
  std::map<CoreId, CoreRows> cores_;
  std::map<CoreId, std::vector<clock::Flow>> flows_;
  SliceKinds kinds_;
  std::vector<clock::MemorySample> samples_;
};

}  // namespace belay::trace

#endif  // BELAY_TRACE_TIMELINE_H_
