// SPDX-License-Identifier: Apache-2.0
#include "sample_launch.h"

#include <algorithm>
#include <array>
#include <vector>

namespace belay::trace {
namespace {

using clock::FromCycles;
using clock::Kind;
using clock::Record;
using clock::Span;
using clock::Ticks;

constexpr uint32_t kTileBytes = 8192;
constexpr uint64_t kLoadX = 0x100;
constexpr uint64_t kLoadY = 0x110;
constexpr uint64_t kAdd = 0x120;
constexpr uint64_t kStore = 0x130;
constexpr double kLaunchCycles = 2000;

Record Move(uint64_t place, abi::Pipe pipe) {
  Record record;
  record.kind = Kind::kMove;
  record.op = abi::Op::kDataCopy;
  record.pipe = pipe;
  record.place = place;
  record.move.bursts = 1;
  record.move.burst_bytes = kTileBytes;
  record.move.memory = abi::Memory::kUb;
  return record;
}

Record Sum() {
  Record record;
  record.kind = Kind::kVector;
  record.op = abi::Op::kAdd;
  record.pipe = abi::Pipe::kV;
  record.place = kAdd;
  record.vector = {};
  record.vector.repeats = kTileBytes / 256;
  record.vector.elements = kTileBytes / 2;
  return record;
}

// Plays one core: three pipes, two buffers of each kind.
class CorePlayer {
 public:
  CorePlayer(int core, bool overlap, clock::TimelineSink& sink)
      : core_(core), overlap_(overlap), sink_(sink) {
    now_ = FromCycles(kLaunchCycles + 30 * core);
    time_.core = core;
    time_.blocks = 1;
    time_.begin = now_;
    pipe_end_.fill(now_);
  }

  void Tile(int tile) {
    const size_t half = static_cast<size_t>(tile) % 2;
    const Ticks free = sum_end_[half];
    Run(Move(kLoadX, abi::Pipe::kMte2), 230, free, abi::Pipe::kV);
    const Ticks loaded = Run(Move(kLoadY, abi::Pipe::kMte2),
                             230 + 5 * (tile % 3), free, abi::Pipe::kV);
    const Ticks ready = std::max(loaded, store_end_[half]);
    const Ticks summed =
        Run(Sum(), 180, ready,
            loaded >= store_end_[half] ? abi::Pipe::kMte2 : abi::Pipe::kMte3);
    Flow(abi::Pipe::kMte2, abi::Pipe::kV, loaded, half);
    if (tile >= 2) Flow(abi::Pipe::kV, abi::Pipe::kMte2, free, half);
    sum_end_[half] = summed;
    const Ticks stored =
        Run(Move(kStore, abi::Pipe::kMte3), 260, summed, abi::Pipe::kV);
    Flow(abi::Pipe::kV, abi::Pipe::kMte3, summed, half);
    store_end_[half] = stored;
    sink_.OnBuffer(core_, false, now_,
                   {.memory = abi::Memory::kUb,
                    .bytes_in_use = uint64_t{kTileBytes} * (half ? 6 : 3)});
  }

  clock::CoreTime Finish() {
    time_.end = *std::max_element(pipe_end_.begin(), pipe_end_.end());
    return time_;
  }

 private:
  // Runs an instruction on its pipe; when it was done.
  Ticks Run(const Record& record, double cycles, Ticks ready,
            abi::Pipe waited_for) {
    Issue(record);
    const auto pipe = static_cast<size_t>(record.pipe);
    const bool early = overlap_ && record.place == kLoadY;
    const Ticks free = pipe_end_[pipe] - (early ? FromCycles(90) : 0);
    const Ticks start = std::max({free, ready, now_});
    const Ticks end = start + FromCycles(cycles);
    const bool by_flag = start > std::max(free, now_);
    Emit({.core = core_,
          .cube = false,
          .block = core_,
          .pipe = record.pipe,
          .issued = now_,
          .start = start,
          .end = end,
          .stall = start - free,
          .cause = start == free ? clock::Cause::kNone
                   : by_flag     ? clock::Cause::kFlag
                                 : clock::Cause::kIssue,
          .waited_for = waited_for,
          .record = &record,
          .conflict = record.kind == Kind::kVector ? FromCycles(16) : 0,
          .contention = record.kind == Kind::kMove ? FromCycles(20) : 0});
    last_start_[pipe] = start;
    return end;
  }

  void Issue(const Record& record) {
    const Ticks start = now_;
    now_ += FromCycles(12);
    Emit({.core = core_,
          .cube = false,
          .block = core_,
          .pipe = abi::Pipe::kS,
          .issued = start,
          .start = start,
          .end = now_,
          .stall = 0,
          .cause = clock::Cause::kNone,
          .waited_for = abi::Pipe::kS,
          .record = &record,
          .conflict = 0,
          .contention = 0});
  }

  void Emit(const Span& span) {
    const auto pipe = static_cast<size_t>(span.pipe);
    pipe_end_[pipe] = span.end;
    time_.pipes[pipe].busy += span.end - span.start;
    ++time_.pipes[pipe].instructions;
    sink_.OnSpan(span);
  }

  void Flow(abi::Pipe from, abi::Pipe to, Ticks set, size_t id) {
    sink_.OnFlow({.core = core_,
                  .cube = false,
                  .from = from,
                  .to = to,
                  .set = set,
                  .met = last_start_[static_cast<size_t>(to)],
                  .by_queue = to != abi::Pipe::kMte2,
                  .id = static_cast<uint32_t>(id)});
  }

  int core_;
  bool overlap_;
  clock::TimelineSink& sink_;
  Ticks now_;
  clock::CoreTime time_;
  std::array<Ticks, clock::kPipeCount> pipe_end_{};
  std::array<Ticks, clock::kPipeCount> last_start_{};
  std::array<Ticks, 2> sum_end_{};
  std::array<Ticks, 2> store_end_{};
};

}  // namespace

clock::LaunchLog SampleLaunch::Log() const {
  clock::LaunchLog log;
  log.kernel = "add_kernel";
  log.chip = "ascend910b1";
  log.blocks = cores;
  const auto place = [&](uint64_t at, int line) {
    log.places[at] = SourceLocation{source, line, 5, "Process"};
  };
  place(kLoadX, 10);
  place(kLoadY, 11);
  place(kAdd, 12);
  place(kStore, 14);
  return log;
}

clock::LaunchTime SampleLaunch::Play(clock::TimelineSink& sink) const {
  clock::LaunchTime time;
  time.launch = FromCycles(kLaunchCycles);
  time.finish = FromCycles(800);
  for (int core = 0; core < cores; ++core) {
    CorePlayer player(core, overlap, sink);
    for (int tile = 0; tile < tiles; ++tile) player.Tile(tile);
    time.core_times.push_back(player.Finish());
    time.cores = std::max(time.cores, time.core_times.back().end);
  }
  time.total = time.cores + time.finish;
  time.cores -= time.launch;
  for (Ticks begin = 0; begin < time.total; begin += clock::kSampleTicks) {
    if (begin < time.launch) continue;
    sink.OnMemory({.begin = begin,
                   .hbm_read = 2 * kTileBytes * static_cast<uint64_t>(cores),
                   .hbm_written = kTileBytes / 2 * static_cast<uint64_t>(cores),
                   .l2_hit = 0});
  }
  return time;
}

}  // namespace belay::trace
