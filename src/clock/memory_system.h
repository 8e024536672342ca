// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CLOCK_MEMORY_SYSTEM_H_
#define BELAY_CLOCK_MEMORY_SYSTEM_H_

// What all cores share: the L2 cache and, behind it, HBM as an array of banks
// that serve one request at a time each. Requests must come in the order of
// their times.

#include <array>
#include <cstdint>
#include <vector>

#include "clock/clock_spec.h"
#include "clock/l2_cache.h"
#include "clock/replay.h"
#include "clock/requests.h"

namespace belay::clock {

class MemorySystem {
 public:
  // `l2_bytes`: how much of L2 there is for whoever uses it. `sink` may be
  // null.
  MemorySystem(const ClockSpec& spec, uint64_t l2_bytes, TimelineSink* sink);

  // When a request is answered, and how much of that it waited for others.
  struct Answer {
    Ticks done;
    Ticks waited;
  };

  // `core` tells requesters apart. Atomic writes read what is not in L2.
  Answer Read(int core, const Request& request, bool past_l2, Ticks at);
  Answer Write(int core, const Request& request, uint8_t flags, Ticks at);

  // The line will be asked for soon; changes nothing but host time.
  void Prefetch(uint64_t line) const { l2_.Prefetch(line); }

  // A line is in L2 before anything happens.
  void Preload(uint64_t line);

  // The time of the last request.
  Ticks last() const { return last_; }

  const MemoryTotals& totals() const { return totals_; }
  // No more requests will come: the last sample goes out.
  void Finish() { Sample(INT64_MAX); }

 private:
  // A resource that does one thing after the other.
  struct Server {
    Ticks free = 0;
    // When the work starts.
    Ticks Serve(Ticks at, Ticks ticks) {
      const Ticks start = at > free ? at : free;
      free = start + ticks;
      return start;
    }
  };
  // A line that was asked for lately.
  struct LineUse {
    uint64_t line = ~uint64_t{0};
    int core = -1;
    Ticks free = 0;    // for other cores
    Ticks filled = 0;  // when what was fetched last is in L2
  };

  Server& BankOf(uint64_t line);
  LineUse& UseOf(uint64_t line);
  // Waits until other cores' requests to the same line are served.
  Ticks WaitForLine(int core, LineUse& use, Ticks at);
  // From HBM: when it arrives, with `latency` when nothing is in the way. The
  // bank is busy `extra` longer.
  Answer Fetch(uint64_t line, uint32_t bytes, Ticks latency, Ticks at,
               Ticks extra);
  // Makes room for a line in L2; what must be written back goes to HBM.
  void Allocate(uint64_t line, L2Cache::Place& place, Ticks at);
  void Enter(const Request& request, Ticks at);
  void Sample(Ticks at);

  Ticks TicksFor(uint32_t bytes, Ticks per_line) const {
    return per_line * bytes / static_cast<Ticks>(kLineBytes);
  }

  L2Cache l2_;
  TimelineSink* sink_;
  MemoryTotals totals_;
  MemorySample sample_{};
  Ticks last_ = 0;

  std::vector<Server> banks_;
  Server l2_read_;
  Server l2_write_;
  static constexpr size_t kLineUses = 4096;
  std::vector<LineUse> line_uses_;  // by the line's number

  Ticks bank_line_;       // a bank's time for a line
  Ticks bank_writeback_;  // and for one that is written back
  Ticks l2_read_line_, l2_write_line_;
  Ticks hbm_latency_, bypass_latency_, l2_latency_, write_latency_;
  Ticks same_line_;
};

}  // namespace belay::clock

#endif  // BELAY_CLOCK_MEMORY_SYSTEM_H_
