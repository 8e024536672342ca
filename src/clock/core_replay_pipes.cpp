// SPDX-License-Identifier: Apache-2.0
// The pipes: each takes its queue in order.

#include <algorithm>

#include "clock/core_replay.h"

namespace belay::clock {

void CoreReplay::RunPipe(abi::Pipe which) {
  Pipe& pipe = At(which);
  while (!pipe.moving && pipe.taken < pipe.pushed) {
    if (!TakeHead(which, pipe.queue[pipe.taken % pipe.queue.size()])) return;
  }
}

void CoreReplay::Raise(Pipe& pipe, Ticks at, Cause cause,
                       abi::Pipe waited_for) {
  if (at <= pipe.cursor) return;
  pipe.cursor = at;
  pipe.cause = cause;
  pipe.waited_for = waited_for;
}

void CoreReplay::MeetFlag(const SyncWork& sync, Flags& flags, Ticks met) {
  const Ticks set = flags.set[flags.taken++];
  if (flags.taken == flags.set.size()) {
    flags.set.clear();
    flags.taken = 0;
  }
  if (sink_ == nullptr) return;
  sink_->OnFlow({time_.core, time_.cube, sync.from, sync.to, set, met,
                 sync.by_queue != 0, sync.id});
}

// Takes the first entry of a queue, unless it waits for what is not known yet.
bool CoreReplay::TakeHead(abi::Pipe which, const Entry& entry) {
  Pipe& pipe = At(which);
  const SyncWork& sync = entry.record.sync;
  // A place in the queue is free again when its entry's turn has come.
  const auto leave = [&](Ticks at) {
    pipe.left[pipe.taken % pipe.queue.size()] = at;
    pipe.drained = std::max(pipe.drained, at);
    ++pipe.taken;
  };
  switch (entry.record.kind) {
    case Kind::kVector:
      Execute(which, entry, costs_.Vector(entry.record.vector),
              costs_.Conflicts(entry.record.vector));
      leave(pipe.start);
      return true;
    case Kind::kMmad:
      Execute(which, entry, costs_.Mmad(entry.record.cube), 0);
      leave(pipe.start);
      return true;
    case Kind::kLoad:
      Execute(which, entry, costs_.Load(entry.record.cube), 0);
      leave(pipe.start);
      return true;
    case Kind::kMove: {
      const MoveWork& move = entry.record.move;
      const uint64_t bytes = uint64_t{move.bursts} * move.burst_bytes;
      (which == abi::Pipe::kMte2 ? time_.bytes_read : time_.bytes_written) +=
          bytes;
      Raise(pipe, entry.issued, Cause::kIssue, abi::Pipe::kS);
      pipe.start = pipe.cursor;
      pipe.current = entry;
      pipe.moving = true;
      leave(pipe.start);
      outside_.StartMove(*this, which, pipe.start, pipe.current.record);
      return true;
    }
    case Kind::kSetFlag: {
      Flags& flags = FlagsOf(sync);
      const Ticks turn = std::max(pipe.cursor, entry.issued);
      flags.set.push_back(std::max(pipe.done, turn));
      wake_ |= BitOf(sync.to) & kAllPipes;
      leave(turn);
      return true;
    }
    case Kind::kTellCores: {
      const Ticks turn = std::max(pipe.cursor, entry.issued);
      outside_.TellCores(*this, sync,
                         std::max(pipe.done, turn) + costs_.notify());
      leave(turn);
      return true;
    }
    case Kind::kWaitFlag: {
      Flags& flags = FlagsOf(sync);
      if (flags.taken == flags.set.size()) return false;
      const Ticks set = flags.set[flags.taken] + costs_.hand_over();
      if (set > entry.issued) Raise(pipe, set, Cause::kFlag, sync.from);
      const Ticks met = std::max(pipe.cursor, entry.issued);
      MeetFlag(sync, flags, met);
      leave(met);
      return true;
    }
    case Kind::kBarrier:
      if (pipe.done > entry.issued) {
        Raise(pipe, pipe.done, Cause::kBarrier, which);
      }
      leave(std::max(pipe.cursor, entry.issued));
      return true;
    case Kind::kOrder: {
      const Pipe& from = At(sync.from);
      if (from.completed <= entry.target) return false;
      const Ticks at = from.CompletionOf(entry.target) + costs_.hand_over();
      if (at > entry.issued) Raise(pipe, at, Cause::kOrder, sync.from);
      leave(std::max(pipe.cursor, entry.issued));
      return true;
    }
    default:
      leave(std::max(pipe.cursor, entry.issued));
      return true;
  }
}

void CoreReplay::Execute(abi::Pipe which, const Entry& entry, Ticks ticks,
                         Ticks lost) {
  Pipe& pipe = At(which);
  Raise(pipe, entry.issued, Cause::kIssue, abi::Pipe::kS);
  pipe.start = pipe.cursor;
  pipe.cursor = pipe.start + ticks;
  Complete(which, entry, pipe.start, pipe.cursor, lost, 0);
}

void CoreReplay::Complete(abi::Pipe which, const Entry& entry, Ticks start,
                          Ticks end, Ticks conflict, Ticks contention) {
  Pipe& pipe = At(which);
  end = std::max(end, pipe.done);
  pipe.done = end;
  pipe.completion[pipe.completed % kRemembered] = end;
  ++pipe.completed;
  // Pipes whose next entry waits for this one.
  wake_ |= kAllPipes & ~BitOf(which);

  PipeTime& times = time_.pipes[static_cast<int>(which)];
  if (pipe.fresh) pipe.cause = Cause::kStart;
  pipe.fresh = false;
  const Ticks begin = std::max(start, pipe.span_end);
  const Ticks stall = begin - pipe.span_end;
  times.busy += end - begin;
  ++times.instructions;
  times.stalled[static_cast<int>(pipe.cause)] += stall;
  time_.conflict += conflict;
  if (sink_ != nullptr) {
    sink_->OnSpan({time_.core, time_.cube, block_, which, entry.issued, begin,
                   end, stall, stall == 0 ? Cause::kNone : pipe.cause,
                   pipe.waited_for, &entry.record, conflict,
                   std::min(contention, end - begin)});
  }
  pipe.span_end = end;
  pipe.cause = Cause::kNone;
}

}  // namespace belay::clock
