// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CLOCK_TRAFFIC_H_
#define BELAY_CLOCK_TRAFFIC_H_

// The moves of all cores that are under way: each goes through a port of its
// core, which asks for one piece after the other and has so many answers
// outstanding. Requests reach memory in the order of their times.

#include <array>
#include <cstdint>
#include <vector>

#include "clock/core_replay.h"
#include "clock/memory_system.h"

namespace belay::clock {

class Traffic {
 public:
  Traffic(const ClockSpec& spec, MemorySystem& memory);

  // Returns the core's number, from 0 on.
  int AddCore(bool cube);

  // A kMove on MTE2, MTE3 or FIX, or a kGlobalScalar on S. The pipe's last move
  // must have ended.
  void Start(int core, abi::Pipe pipe, Ticks at, const Record& record);

  struct Finished {
    int core;
    abi::Pipe pipe;
    Moved moved;
  };
  // Lets memory work until a move has made its last request: false when none
  // is under way. Nothing that happens later is earlier than that request.
  bool RunToFinish(Finished& finished);

 private:
  static constexpr int kPorts = 4;  // S, MTE2, MTE3, FIX of a core

  struct Port {
    // Fixed.
    int core = 0;
    abi::Pipe pipe = abi::Pipe::kS;
    Ticks sector = 0;  // time to take 128 bytes
    Ticks interval = 0;
    std::vector<Ticks> window;  // when the last requests were answered

    uint64_t count = 0;  // requests ever
    size_t slot = 0;     // count modulo the window
    // The move under way.
    RequestCutter cutter;
    bool write = false;
    uint8_t flags = 0;
    Ticks start = 0;
    Ticks next = 0;
    Ticks done = 0;
    Ticks alone_next = 0;  // the same without other traffic
    Ticks alone_done = 0;
  };
  struct Waiting {
    Ticks at;
    uint32_t port;
    bool operator<(const Waiting& other) const {
      return at != other.at ? at < other.at : port < other.port;
    }
  };

  static int PortIndex(abi::Pipe pipe);
  Port MakePort(int core, abi::Pipe pipe, double rate, double in_flight) const;
  void Step(Port& port);
  void SiftDown(size_t at);
  void SiftUp(size_t at);

  const ClockSpec& spec_;
  MemorySystem& memory_;
  std::vector<Port> ports_;
  std::vector<Waiting> heap_;
};

}  // namespace belay::clock

#endif  // BELAY_CLOCK_TRAFFIC_H_
