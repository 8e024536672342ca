// SPDX-License-Identifier: Apache-2.0
// The scalar unit: takes records in program order, fills the queues, waits.

#include <algorithm>

#include "clock/core_replay.h"

namespace belay::clock {

void CoreReplay::StallScalar(Ticks at, Cause cause, abi::Pipe waited_for) {
  if (at <= scalar_.now) return;
  EmitScalar();
  const Ticks stall = at - scalar_.now;
  time_.pipes[0].stalled[static_cast<int>(cause)] += stall;
  if (stall > scalar_.longest_stall) {
    scalar_.longest_stall = stall;
    scalar_.cause = cause;
    scalar_.waited_for = waited_for;
  }
  scalar_.stall += stall;
  scalar_.now = scalar_.work_begin = at;
}

void CoreReplay::EmitScalar() {
  const Ticks begin = scalar_.work_begin;
  if (scalar_.now == begin) return;
  time_.pipes[0].busy += scalar_.now - begin;
  if (sink_ != nullptr) {
    sink_->OnSpan({time_.core, time_.cube, block_, abi::Pipe::kS, begin, begin,
                   scalar_.now, scalar_.stall, scalar_.cause,
                   scalar_.waited_for, &record_, 0, 0});
  }
  scalar_.work_begin = scalar_.now;
  scalar_.stall = scalar_.longest_stall = 0;
  scalar_.cause = Cause::kNone;
}

bool CoreReplay::Push(abi::Pipe which, bool is_instruction, uint64_t target) {
  Pipe& pipe = At(which);
  const uint64_t depth = pipe.queue.size();
  if (pipe.pushed - pipe.taken >= depth) return false;
  if (pipe.pushed >= depth) {
    StallScalar(pipe.left[pipe.pushed % depth], Cause::kQueueFull, which);
  }
  scalar_.now += costs_.issue();
  Entry& entry = pipe.queue[pipe.pushed % depth];
  entry.record = record_;
  entry.issued = scalar_.now + costs_.dispatch();
  entry.target = target;
  ++pipe.pushed;
  if (is_instruction) ++pipe.instructions;
  wake_ |= BitOf(which);
  return true;
}

bool CoreReplay::WaitForAll() {
  if (!AllIdle()) return false;
  abi::Pipe last = abi::Pipe::kS;
  const Ticks done = AllDone(last);
  StallScalar(done, Cause::kBarrier, last);
  return true;
}

bool CoreReplay::MeetBlocks() {
  if (!WaitForAll()) return false;
  scalar_.now += costs_.issue();
  wait_ = Wait::kBlocks;
  if (record_.kind == Kind::kMeet) {
    outside_.Meet(*this, record_.sync, scalar_.now);
  } else {
    outside_.Await(*this, record_.sync.token, scalar_.now);
  }
  return !waiting_;
}

// The set waits in its pipe's queue for the work before it.
bool CoreReplay::TellCores() {
  const abi::Pipe which = record_.sync.from;
  if (which == abi::Pipe::kAll) {
    if (!WaitForAll()) return false;
  } else if (which != abi::Pipe::kS) {
    return Push(which, false, 0);
  }
  scalar_.now += costs_.issue();
  outside_.TellCores(*this, record_.sync, scalar_.now + costs_.notify());
  return true;
}

// What was issued before runs on.
bool CoreReplay::AwaitCores() {
  scalar_.now += costs_.issue();
  wait_ = Wait::kBlocks;
  outside_.AwaitCores(*this, record_.sync.id, scalar_.now);
  return !waiting_;
}

bool CoreReplay::WaitForOrder() {
  const SyncWork& sync = record_.sync;
  // What the scalar unit did is done when the next instruction is issued.
  if (sync.from == abi::Pipe::kS || sync.from == abi::Pipe::kAll) return true;
  const Pipe& from = At(sync.from);
  if (sync.distance == 0 || from.instructions < sync.distance) return true;
  const uint64_t target = from.instructions - sync.distance;
  if (sync.to != abi::Pipe::kS) return Push(sync.to, false, target);
  if (from.completed <= target) return false;
  StallScalar(from.CompletionOf(target) + costs_.hand_over(), Cause::kOrder,
              sync.from);
  return true;
}

bool CoreReplay::SetOrWaitFlag() {
  const SyncWork& sync = record_.sync;
  const bool sets = record_.kind == Kind::kSetFlag;
  const abi::Pipe which = sets ? sync.from : sync.to;
  if (which != abi::Pipe::kS) return Push(which, false, 0);
  Flags& flags = FlagsOf(sync);
  if (sets) {
    scalar_.now += costs_.issue();
    flags.set.push_back(scalar_.now);
    wake_ |= BitOf(sync.to) & kAllPipes;
    return true;
  }
  if (flags.taken == flags.set.size()) return false;
  StallScalar(flags.set[flags.taken] + costs_.hand_over(), Cause::kFlag,
              sync.from);
  MeetFlag(sync, flags, scalar_.now);
  scalar_.now += costs_.issue();
  return true;
}

bool CoreReplay::PassBarrier() {
  const abi::Pipe of = record_.sync.from;
  if (of != abi::Pipe::kAll && of != abi::Pipe::kS) return Push(of, false, 0);
  if (of == abi::Pipe::kAll && !WaitForAll()) return false;
  scalar_.now += costs_.barrier();
  return true;
}

bool CoreReplay::AccessGlobal() {
  const GlobalScalarWork& global = record_.global;
  if (global.write) {
    scalar_.now += costs_.cached_store();
    time_.bytes_written += global.bytes;
  } else {
    time_.bytes_read += global.bytes;
  }
  wait_ = Wait::kMove;
  outside_.StartMove(*this, abi::Pipe::kS, scalar_.now, record_);
  return !waiting_;
}

void CoreReplay::NoteBuffer() {
  const BufferWork& buffer = record_.buffer;
  if (buffer.memory == (time_.cube ? abi::Memory::kL1 : abi::Memory::kUb)) {
    time_.buffer_peak = std::max(time_.buffer_peak, buffer.bytes_in_use);
  }
  if (sink_ == nullptr) return;
  sink_->OnBuffer(time_.core, time_.cube, scalar_.now, buffer);
}

bool CoreReplay::RunScalar() {
  switch (record_.kind) {
    case Kind::kScalar:
      if (record_.op != abi::Op::kInvalid) scalar_.now += costs_.issue();
      break;
    case Kind::kVector:
    case Kind::kMove:
    case Kind::kLoad:
    case Kind::kMmad:
      if (!Push(record_.pipe, true, 0)) return false;
      break;
    case Kind::kSetFlag:
    case Kind::kWaitFlag:
      if (!SetOrWaitFlag()) return false;
      break;
    case Kind::kBarrier:
      if (!PassBarrier()) return false;
      break;
    case Kind::kOrder:
      if (!WaitForOrder()) return false;
      break;
    case Kind::kMeet:
    case Kind::kAwait:
      return MeetBlocks();
    case Kind::kNotify:
      if (!WaitForAll()) return false;
      scalar_.now += costs_.issue();
      outside_.Notify(record_.sync.token, scalar_.now + costs_.notify());
      break;
    case Kind::kTellCores:
      if (!TellCores()) return false;
      break;
    case Kind::kAwaitCores:
      return AwaitCores();
    case Kind::kGlobalScalar:
      return AccessGlobal();
    case Kind::kCacheClean:
      scalar_.now += static_cast<Ticks>(record_.lines) * costs_.clean_line();
      break;
    case Kind::kBuffer:
      NoteBuffer();
      break;
    case Kind::kReadClock:
      scalar_.now += costs_.read_clock();
      break;
  }
  ++time_.pipes[0].instructions;
  EmitScalar();
  return true;
}

}  // namespace belay::clock
