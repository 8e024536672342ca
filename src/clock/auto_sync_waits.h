// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CLOCK_AUTO_SYNC_WAITS_H_
#define BELAY_CLOCK_AUTO_SYNC_WAITS_H_

// Which waits the compiler's own synchronisation (check/auto_sync.h) puts
// between the scalar unit of a core and its pipes V, MTE2 and MTE3. Between
// instructions of V it costs nothing: they follow one another anyway.

#include <array>
#include <cstdint>

#include "npu/footprint.h"
#include "npu/observer.h"

namespace belay::clock {

class AutoSyncWaits {
 public:
  // A set of pipes: bit 1 << pipe.
  using Pipes = uint8_t;

  // Nothing is under way.
  void Reset() { *this = AutoSyncWaits{}; }

  // An instruction is issued. Whether its pipe must wait for the scalar unit
  // before it. O(uses) while the scalar unit touches nothing.
  bool Issue(const npu::InstructionEvent& event,
             const npu::Footprint& footprint);

  // A scalar access, or a register read: the pipes the scalar unit must wait
  // for before it. O(1) unless instructions were issued since the last wait.
  Pipes Access(const npu::ScalarEvent& event, bool global);
  Pipes ReadRegister(const npu::RegisterEvent& event);

  // Flags and barriers of the kernel make further waits needless.
  void Synchronise(const abi::Instruction& sync);

 private:
  struct Range {
    uint64_t begin;
    uint64_t end;
    bool write;

    bool ConflictsWith(const Range& other) const {
      return begin < other.end && other.begin < end && (write || other.write);
    }
  };

  // What an instruction touches, in bounds.
  struct Issued {
    uint8_t count;
    std::array<Range, npu::Footprint::kMaxUses> ranges;
  };

  // One more than a pipe's queue holds: what came before them has begun.
  static constexpr uint64_t kRecent = 33;
  static constexpr uint32_t kFlagIds = 8;

  // Scalar accesses since a pipe last waited for the scalar unit.
  class Touched {
   public:
    bool empty() const { return count_ == 0; }
    void Clear() { count_ = 0; }
    void Add(const Range& range);
    bool ConflictsWith(const Range& range) const;

   private:
    static constexpr int kRanges = 8;
    int count_ = 0;
    std::array<Range, kRanges> ranges_;
  };

  // Around the last scalar access that did not wait: accesses of its kind from
  // `begin` to `end` need not wait either, until more is issued.
  struct Harmless {
    uint64_t begin = 0;
    uint64_t end = 0;
    uint64_t issued = 0;
    bool write = false;
  };

  struct PipeState {
    uint64_t issued = 0;
    uint64_t waited = 0;  // instructions the scalar unit knows complete
    std::array<uint64_t, kFlagIds> at_flag{};  // issued when the flag was set
    std::array<Issued, kRecent> recent;
    Touched touched;
    Harmless harmless;
  };

  static constexpr std::array<abi::Pipe, 3> kOrdered = {
      abi::Pipe::kV, abi::Pipe::kMte2, abi::Pipe::kMte3};

  // Null for pipes the compiler does not order.
  PipeState* StateOf(abi::Pipe pipe);
  static bool MustWait(PipeState& state, const Range& range);

  std::array<PipeState, kOrdered.size()> pipes_;
  uint64_t register_writer_ = 0;  // number of the last on V that leaves one
};

}  // namespace belay::clock

#endif  // BELAY_CLOCK_AUTO_SYNC_WAITS_H_
