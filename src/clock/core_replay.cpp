// SPDX-License-Identifier: Apache-2.0
#include "clock/core_replay.h"

#include <algorithm>
#include <bit>

namespace belay::clock {

CoreReplay::CoreReplay(const CoreCosts& costs, Outside& outside,
                       TimelineSink* sink, int core, bool cube)
    : costs_(costs), outside_(outside), sink_(sink) {
  time_.core = core;
  time_.cube = cube;
  for (Pipe& pipe : pipes_) {
    pipe.queue.resize(costs.queue_depth());
    pipe.left.resize(costs.queue_depth());
  }
}

CoreReplay::Flags& CoreReplay::FlagsOf(const SyncWork& sync) {
  const size_t pair =
      static_cast<size_t>(sync.from) % 8 * 8 + static_cast<size_t>(sync.to) % 8;
  return flags_[pair * kFlagIds + sync.id % kFlagIds];
}

void CoreReplay::Begin(Ticks at) {
  time_.begin = time_.end = at;
  scalar_.now = scalar_.work_begin = at;
  for (Pipe& pipe : pipes_) pipe.span_end = at;
}

void CoreReplay::BeginBlock(int block, Ticks at) {
  block_ = block;
  ++time_.blocks;
  StallScalar(at, Cause::kStart, abi::Pipe::kS);
  for (Pipe& pipe : pipes_) {
    pipe.cursor = std::max(pipe.cursor, at);
    pipe.done = std::max(pipe.done, at);
    pipe.fresh = true;
  }
}

void CoreReplay::Feed(const Record& record, const ScalarWork& work) {
  record_ = record;
  waiting_ = true;
  wait_ = Wait::kRecord;
  scalar_.now += costs_.Scalar(work);
  Run();
}

void CoreReplay::Run() {
  while (true) {
    while (wake_ != 0) {
      const int index = std::countr_zero(wake_);
      wake_ &= wake_ - 1;
      RunPipe(PipeAt(index));
    }
    if (!waiting_ || wait_ != Wait::kRecord || !RunScalar()) return;
    waiting_ = false;
    if (wake_ == 0) return;
  }
}

void CoreReplay::OnMoved(abi::Pipe which, const Moved& moved) {
  if (which == abi::Pipe::kS) {
    // A store is on its way once memory has taken it.
    StallScalar(record_.global.write ? moved.issued : moved.done,
                Cause::kMemory, abi::Pipe::kS);
    ++time_.pipes[0].instructions;
    EmitScalar();
    wait_ = Wait::kNone;
    waiting_ = false;
    return;
  }
  Pipe& pipe = At(which);
  pipe.moving = false;
  Complete(which, pipe.current, pipe.start, moved.done, 0, moved.contention);
  pipe.cursor = std::max(pipe.cursor, moved.issued);
  wake_ |= BitOf(which);
}

void CoreReplay::OnMet(Ticks at) {
  StallScalar(at, Cause::kBlocks, abi::Pipe::kS);
  ++time_.pipes[0].instructions;
  wait_ = Wait::kNone;
  waiting_ = false;
}

bool CoreReplay::AllIdle() const {
  return std::all_of(pipes_.begin(), pipes_.end(), [](const Pipe& pipe) {
    return !pipe.moving && pipe.taken == pipe.pushed;
  });
}

Ticks CoreReplay::AllDone(abi::Pipe& last) const {
  Ticks done = scalar_.now;
  for (int index = 1; index < kPipeCount; ++index) {
    const Ticks drained = std::max(pipes_[index].done, pipes_[index].drained);
    if (drained <= done) continue;
    done = drained;
    last = PipeAt(index);
  }
  return done;
}

bool CoreReplay::IsDrained() const { return !waiting_ && AllIdle(); }

void CoreReplay::EndBlock() {
  abi::Pipe last = abi::Pipe::kS;
  time_.end = AllDone(last);
  StallScalar(time_.end, Cause::kEnd, last);
  for (int index = 1; index < kPipeCount; ++index) {
    time_.pipes[index].stalled[static_cast<int>(Cause::kEnd)] +=
        time_.end - pipes_[index].span_end;
    pipes_[index].span_end = time_.end;
  }
}

}  // namespace belay::clock
