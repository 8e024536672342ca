// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CLOCK_REPLAY_H_
#define BELAY_CLOCK_REPLAY_H_

// From a log to simulated time: one event-driven replay over all cores of a
// launch, on the pipes and the memory system of the chip.

#include <array>
#include <cstdint>
#include <vector>

#include "clock/clock_spec.h"
#include "clock/log.h"
#include "clock/ticks.h"

namespace belay::clock {

inline constexpr int kPipeCount = 7;  // S V M MTE1 MTE2 MTE3 FIX

// Why a pipe stood still before an instruction.
enum class Cause : uint8_t {
  kNone,
  kIssue,      // the scalar unit had not issued it yet
  kFlag,       // a flag of another pipe
  kBarrier,    // earlier work of this or of all pipes
  kOrder,      // synchronisation the compiler puts in
  kQueueFull,  // S only: the queue of another pipe was full
  kMemory,     // S only: a scalar access to global memory
  kBlocks,     // other blocks
  kStart,      // before the first instruction
  kEnd,        // after the last one
  kCount,
};

// One instruction on one pipe. Times count from the start of the task.
struct Span {
  int core;  // index among the cores of its type
  bool cube;
  int block;
  abi::Pipe pipe;
  Ticks issued;
  Ticks start;
  Ticks end;
  Ticks stall;  // idle time of the pipe directly before `start`
  Cause cause;  // of the stall
  abi::Pipe waited_for;  // when the cause names another pipe
  const Record* record;  // valid during the call
  // Of the time from start to end: lost to bank conflicts (V), waited for
  // other traffic (moves).
  Ticks conflict;
  Ticks contention;
};

// A flag on its way: set on one pipe, met on another.
struct Flow {
  int core;
  bool cube;
  abi::Pipe from;
  abi::Pipe to;
  Ticks set;
  Ticks met;  // when the waiting pipe went on
  bool by_queue;
  uint32_t id;
};

inline constexpr Ticks kSampleTicks = 512 * kTicksPerCycle;

// Bytes that memory moved in an interval of `kSampleTicks`.
struct MemorySample {
  Ticks begin;
  uint64_t hbm_read;
  uint64_t hbm_written;
  uint64_t l2_hit;
};

// Spans of one pipe of one core come in order; between pipes and cores there
// is no order.
class TimelineSink {
 public:
  virtual ~TimelineSink() = default;
  virtual void OnSpan(const Span&) {}
  virtual void OnFlow(const Flow&) {}
  virtual void OnBuffer(int /*core*/, bool /*cube*/, Ticks /*at*/,
                        const BufferWork&) {}
  virtual void OnMemory(const MemorySample&) {}
};

struct PipeTime {
  Ticks busy = 0;
  uint64_t instructions = 0;
  std::array<Ticks, static_cast<int>(Cause::kCount)> stalled{};
};

struct CoreTime {
  int core = 0;
  bool cube = false;
  int blocks = 0;  // that ran there
  Ticks begin = 0;
  Ticks end = 0;
  std::array<PipeTime, kPipeCount> pipes{};
  Ticks conflict = 0;  // of V's busy time
  uint64_t bytes_read = 0;     // from global memory, as asked for
  uint64_t bytes_written = 0;
  uint64_t buffer_peak = 0;    // bytes of UB (L1 on cube cores) in use
};

struct MemoryTotals {
  uint64_t hbm_read = 0;  // bytes
  uint64_t hbm_written = 0;
  uint64_t l2_read_hits = 0;  // bytes
  uint64_t l2_read_misses = 0;
  uint64_t l2_writes = 0;
  uint64_t evicted_dirty = 0;  // bytes, in hbm_written
  uint64_t requests = 0;       // lines
  uint64_t payload = 0;        // bytes of them that were wanted
  Ticks same_line_wait = 0;    // over all cores
};

struct LaunchTime {
  Ticks total = 0;   // of the task: launch, cores, end
  Ticks cores = 0;   // first start to last end on the cores
  Ticks launch = 0;  // before the first instruction of the first core
  Ticks finish = 0;  // after the last one
  std::vector<CoreTime> core_times;
  MemoryTotals memory;
};

enum class L2State { kCold, kWarm };  // warm: the inputs were just used

struct ReplayOptions {
  L2State l2 = L2State::kCold;
  TimelineSink* sink = nullptr;
};

// Deterministic. Time O(requests of 512 bytes), memory O(L2 lines + cores).
LaunchTime Replay(const LaunchLog& log, const ClockSpec& spec,
                  const ReplayOptions& options = {});

}  // namespace belay::clock

#endif  // BELAY_CLOCK_REPLAY_H_
