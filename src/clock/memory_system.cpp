// SPDX-License-Identifier: Apache-2.0
#include "clock/memory_system.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"

namespace belay::clock {
namespace {

// So that lines of one set of L2 do not share a bank.
constexpr uint64_t kBankSalt = 0x9E3779B97F4A7C15;

uint32_t BytesOfSectors(uint8_t sectors) {
  constexpr uint8_t kCount[] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};
  return kCount[sectors & 15] * static_cast<uint32_t>(kSectorBytes);
}

}  // namespace

MemorySystem::MemorySystem(const ClockSpec& spec, uint64_t l2_bytes,
                           TimelineSink* sink)
    : l2_(l2_bytes), sink_(sink), line_uses_(kLineUses) {
  // GB/s to cycles for one line.
  const auto line_cycles = [&](std::string_view key) {
    return kLineBytes * spec.clock_mhz() / (spec.Value(key) * 1000);
  };
  const auto cycles = [&](std::string_view key) {
    return FromCycles(spec.Value(key));
  };
  const auto banks = std::max(1.0, spec.Value("memory.hbm_banks"));
  banks_.resize(static_cast<size_t>(banks));
  const double bank_cycles =
      static_cast<double>(banks_.size()) * line_cycles("memory.hbm_rate");
  bank_line_ = FromCycles(bank_cycles);
  bank_writeback_ =
      FromCycles(bank_cycles * spec.Value("memory.hbm_write_factor"));
  l2_read_line_ = FromCycles(line_cycles("memory.l2_read_rate"));
  l2_write_line_ = FromCycles(line_cycles("memory.l2_write_rate"));
  hbm_latency_ = cycles("memory.hbm_latency");
  bypass_latency_ = cycles("memory.bypass_latency");
  l2_latency_ = cycles("memory.l2_latency");
  write_latency_ = cycles("memory.write_latency");
  same_line_ = cycles("memory.same_line");
}

// Any two lines meet in a bank as likely as any other two.
MemorySystem::Server& MemorySystem::BankOf(uint64_t line) {
  return banks_[Spread(line + kBankSalt) % banks_.size()];
}

MemorySystem::LineUse& MemorySystem::UseOf(uint64_t line) {
  LineUse& use = line_uses_[line % kLineUses];
  if (use.line != line) {
    use = {};
    use.line = line;
  }
  return use;
}

Ticks MemorySystem::WaitForLine(int core, LineUse& use, Ticks at) {
  Ticks start = at;
  if (use.core != core && use.free > at) {
    start = use.free;
    totals_.same_line_wait += start - at;
  }
  use.core = core;
  use.free = std::max(use.free, start + same_line_);
  return start;
}

MemorySystem::Answer MemorySystem::Fetch(uint64_t line, uint32_t bytes,
                                         Ticks latency, Ticks at, Ticks extra) {
  const Ticks service = TicksFor(bytes, bank_line_) + extra;
  // Half of the way there, half of it back.
  const Ticks way = std::max<Ticks>(0, (latency - bank_line_) / 2);
  const Ticks start = BankOf(line).Serve(at + way, service);
  totals_.hbm_read += bytes;
  sample_.hbm_read += bytes;
  return {start + service + way, start - at - way};
}

void MemorySystem::Allocate(uint64_t line, L2Cache::Place& place, Ticks at) {
  const std::optional<uint64_t> evicted = l2_.Insert(line, place);
  if (!evicted) return;
  BankOf(*evicted).Serve(at, bank_writeback_);
  totals_.hbm_written += kLineBytes;
  totals_.evicted_dirty += kLineBytes;
  sample_.hbm_written += kLineBytes;
}

MemorySystem::Answer MemorySystem::Read(int core, const Request& request,
                                        bool past_l2, Ticks at) {
  Enter(request, at);
  const uint32_t bytes = request.bytes();
  LineUse& use = UseOf(request.line);
  if (past_l2) {
    // While another core's request for the line is unanswered, the bank has
    // more to do.
    const Ticks extra =
        use.core != core && use.free > at ? same_line_ : Ticks{0};
    Answer answer = Fetch(request.line, bytes, bypass_latency_, at, extra);
    use.core = core;
    use.free = std::max(use.free, answer.done);
    answer.waited += extra;
    totals_.same_line_wait += extra;
    totals_.l2_read_misses += bytes;
    return answer;
  }
  const Ticks begin = WaitForLine(core, use, at);
  L2Cache::Place place = l2_.Find(request.line);
  const uint8_t wanted = request.sectors();
  const uint8_t missing =
      place.way < 0 ? wanted
                    : static_cast<uint8_t>(wanted & ~l2_.At(place).valid);
  const Ticks start = l2_read_.Serve(begin, TicksFor(bytes, l2_read_line_));
  const uint32_t missing_bytes = BytesOfSectors(missing);
  totals_.l2_read_misses += missing_bytes;
  totals_.l2_read_hits += bytes - missing_bytes;
  sample_.l2_hit += bytes - missing_bytes;
  if (missing == 0) {
    const Ticks done = std::max(start + l2_latency_, use.filled);
    return {done, done - at - l2_latency_};
  }
  Answer answer = Fetch(request.line, missing_bytes, hbm_latency_, start, 0);
  answer.waited += start - at;
  if (place.way < 0) Allocate(request.line, place, at);
  L2Cache::Line& line = l2_.At(place);
  line.valid |= wanted;
  use.filled = std::max(use.filled, answer.done);
  return answer;
}

MemorySystem::Answer MemorySystem::Write(int core, const Request& request,
                                         uint8_t flags, Ticks at) {
  Enter(request, at);
  const uint32_t bytes = request.bytes();
  LineUse& use = UseOf(request.line);
  const Ticks begin = WaitForLine(core, use, at);
  totals_.l2_writes += bytes;
  if ((flags & MoveWork::kBypassL2) != 0) {
    const Ticks service = TicksFor(bytes, bank_writeback_);
    const Ticks start = BankOf(request.line).Serve(begin, service);
    totals_.hbm_written += bytes;
    sample_.hbm_written += bytes;
    return {start + service + write_latency_, start - at};
  }
  const Ticks start = l2_write_.Serve(begin, TicksFor(bytes, l2_write_line_));
  L2Cache::Place place = l2_.Find(request.line);
  if (place.way < 0) Allocate(request.line, place, at);
  L2Cache::Line& line = l2_.At(place);
  const uint8_t wanted = request.sectors();
  Answer answer = {start + write_latency_, start - at};
  const auto missing = static_cast<uint8_t>(wanted & ~line.valid);
  if ((flags & MoveWork::kAtomic) != 0 && missing != 0) {
    const Answer fetched =
        Fetch(request.line, BytesOfSectors(missing), hbm_latency_, start, 0);
    totals_.l2_read_misses += BytesOfSectors(missing);
    use.filled = std::max(use.filled, fetched.done);
    answer.done = fetched.done + write_latency_;
    answer.waited += fetched.waited;
  }
  line.valid |= wanted;
  line.dirty |= wanted;
  return answer;
}

void MemorySystem::Preload(uint64_t line) {
  L2Cache::Place place = l2_.Find(line);
  if (place.way < 0) l2_.Insert(line, place);
  l2_.At(place).valid = 0xF;
}

void MemorySystem::Enter(const Request& request, Ticks at) {
  if (at < last_) {
    throw InternalError(fmt::format(
        "[memory system] a request at tick {} came after one at tick {}", at,
        last_));
  }
  last_ = at;
  ++totals_.requests;
  totals_.payload += request.payload;
  Sample(at);
}

void MemorySystem::Sample(Ticks at) {
  if (sink_ == nullptr || at < sample_.begin + kSampleTicks) return;
  if (sample_.hbm_read + sample_.hbm_written + sample_.l2_hit != 0) {
    sink_->OnMemory(sample_);
  }
  sample_ = {};
  sample_.begin = at / kSampleTicks * kSampleTicks;
}

}  // namespace belay::clock
