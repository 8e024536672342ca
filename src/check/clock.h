// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CHECK_CLOCK_H_
#define BELAY_CHECK_CLOCK_H_

// Who has finished before whom: vector clocks over the pipes of all cores.
//
// A pipe counts its instructions; the scalar pipe counts stretches between two
// of its releases. A clock says, for each pipe, up to which count its work is
// complete. A pipe's own earlier work is not complete for its later work until
// something says so, except on the scalar pipe. Clocks have two levels: seven
// counts for the core itself, and an immutable table for the other cores that
// changes only when cores synchronise.

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "belay/instruction.h"

namespace belay::check {

inline constexpr int kPipes = 7;

// Counts of the pipes of one core, by abi::Pipe.
using PipeCounts = std::array<uint32_t, kPipes>;

// Counts of the pipes of every core, by slot; never changed once shared.
using CoreCounts = std::shared_ptr<const std::vector<PipeCounts>>;

// What is complete, as one pipe of a core knows it.
struct Clock {
  PipeCounts own{};    // of the core itself
  CoreCounts foreign;  // of other cores; null: nothing
};

// Raises `into` to all that either knows. Both belong to the same core.
void Join(Clock& into, const Clock& from);

// The greater of each; null is all zeros. Shares where it can.
CoreCounts JoinCounts(const CoreCounts& a, const CoreCounts& b);

// The clocks of one core.
class CoreClock {
 public:
  CoreClock() = default;
  CoreClock(int slot, int slots) : slot_(slot), slots_(slots) {}

  // Begins an instruction on `pipe` and returns its count. The scalar unit
  // issues instructions in order, so what it waited for is complete.
  uint32_t Issue(abi::Pipe pipe);

  // The scalar pipe's count for accesses made now.
  uint32_t ScalarCount() const { return count_[kScalar]; }

  // Whether work `count` of a pipe is complete before what `pipe` does now.
  bool IsComplete(abi::Pipe pipe, int slot, abi::Pipe of,
                  uint32_t count) const {
    const int at = static_cast<int>(of);
    const Clock& clock = known_[static_cast<int>(pipe)];
    if (slot == slot_) {
      return clock.own[at] >= count || (at == kScalar && pipe == abi::Pipe::kS);
    }
    return clock.foreign != nullptr && (*clock.foreign)[slot][at] >= count;
  }

  // All that `pipe` was given so far is complete, and what it knew.
  Clock Release(abi::Pipe pipe);
  void Acquire(abi::Pipe pipe, const Clock& clock);

  void SetFlag(const abi::Sync& flag);
  void WaitFlag(const abi::Sync& flag);
  void Barrier(abi::Pipe pipe);  // kAll: all pipes wait for all
  // A barrier directly before the instruction `pipe` was given last.
  void BarrierBeforeLast(abi::Pipe pipe) {
    const int at = static_cast<int>(pipe);
    known_[at].own[at] = count_[at] - 1;
  }
  // The scalar unit's accesses are complete.
  void DataBarrier();

  // To and from other cores; kAll: all pipes.
  CoreCounts ReleaseToCores(abi::Pipe pipe);
  void AcquireFromCores(abi::Pipe pipe, const CoreCounts& counts);

 private:
  static constexpr int kScalar = static_cast<int>(abi::Pipe::kS);
  static constexpr int kFlagIds = 8;

  static size_t FlagIndex(const abi::Sync& flag) {
    return (static_cast<size_t>(flag.from) * kPipes +
            static_cast<size_t>(flag.to)) *
               kFlagIds +
           flag.id;
  }
  void InheritFromScalar(int pipe);

  int slot_ = 0;
  int slots_ = 0;
  PipeCounts count_{1};  // the scalar pipe starts at 1
  std::array<Clock, kPipes> known_;
  // Rises whenever the scalar pipe learns; pipes catch up when they are used.
  uint32_t scalar_version_ = 0;
  PipeCounts seen_{};
  std::vector<Clock> flags_;  // by FlagIndex; empty until the first SetFlag
};

}  // namespace belay::check

#endif  // BELAY_CHECK_CLOCK_H_
