// SPDX-License-Identifier: Apache-2.0
#include "check/clock.h"

#include <algorithm>

namespace belay::check {
namespace {

void RaiseTo(PipeCounts& into, const PipeCounts& from) {
  for (int i = 0; i < kPipes; ++i) into[i] = std::max(into[i], from[i]);
}

bool Covers(const std::vector<PipeCounts>& a,
            const std::vector<PipeCounts>& b) {
  for (size_t core = 0; core < a.size(); ++core) {
    for (int pipe = 0; pipe < kPipes; ++pipe) {
      if (a[core][pipe] < b[core][pipe]) return false;
    }
  }
  return true;
}

}  // namespace

CoreCounts JoinCounts(const CoreCounts& a, const CoreCounts& b) {
  if (b == nullptr || a == b) return a;
  if (a == nullptr || Covers(*b, *a)) return b;
  if (Covers(*a, *b)) return a;
  auto joined = std::make_shared<std::vector<PipeCounts>>(*a);
  for (size_t core = 0; core < joined->size(); ++core) {
    RaiseTo((*joined)[core], (*b)[core]);
  }
  return joined;
}

void Join(Clock& into, const Clock& from) {
  RaiseTo(into.own, from.own);
  if (into.foreign != from.foreign) {
    into.foreign = JoinCounts(into.foreign, from.foreign);
  }
}

void CoreClock::InheritFromScalar(int pipe) {
  if (seen_[pipe] == scalar_version_) return;
  seen_[pipe] = scalar_version_;
  Join(known_[pipe], known_[kScalar]);
}

uint32_t CoreClock::Issue(abi::Pipe pipe) {
  const int at = static_cast<int>(pipe);
  if (at == kScalar) return count_[kScalar];
  InheritFromScalar(at);
  return ++count_[at];
}

Clock CoreClock::Release(abi::Pipe pipe) {
  const int at = static_cast<int>(pipe);
  InheritFromScalar(at);
  Clock clock = known_[at];
  clock.own[at] = count_[at];
  if (at == kScalar) ++count_[at];
  return clock;
}

void CoreClock::Acquire(abi::Pipe pipe, const Clock& clock) {
  const int at = static_cast<int>(pipe);
  Join(known_[at], clock);
  if (at == kScalar) ++scalar_version_;
}

void CoreClock::SetFlag(const abi::Sync& flag) {
  if (flags_.empty()) flags_.resize(kPipes * kPipes * kFlagIds);
  flags_[FlagIndex(flag)] = Release(flag.from);
}

void CoreClock::WaitFlag(const abi::Sync& flag) {
  if (!flags_.empty()) Acquire(flag.to, flags_[FlagIndex(flag)]);
}

void CoreClock::Barrier(abi::Pipe pipe) {
  if (pipe != abi::Pipe::kAll) {
    const int at = static_cast<int>(pipe);
    if (at == kScalar) return;
    known_[at].own[at] = count_[at];
    return;
  }
  Clock all;
  for (int at = 0; at < kPipes; ++at) {
    Join(all, Release(static_cast<abi::Pipe>(at)));
  }
  known_.fill(all);
  ++scalar_version_;
  seen_.fill(scalar_version_);
}

void CoreClock::DataBarrier() {
  Acquire(abi::Pipe::kS, Release(abi::Pipe::kS));
}

CoreCounts CoreClock::ReleaseToCores(abi::Pipe pipe) {
  Clock clock;
  if (pipe == abi::Pipe::kAll) {
    Barrier(abi::Pipe::kAll);
    clock = known_[kScalar];
  } else {
    clock = Release(pipe);
  }
  auto counts = clock.foreign == nullptr
                    ? std::make_shared<std::vector<PipeCounts>>(slots_)
                    : std::make_shared<std::vector<PipeCounts>>(*clock.foreign);
  RaiseTo((*counts)[slot_], clock.own);
  return counts;
}

void CoreClock::AcquireFromCores(abi::Pipe pipe, const CoreCounts& counts) {
  if (counts == nullptr) return;
  const Clock clock{(*counts)[slot_], counts};
  if (pipe != abi::Pipe::kAll) return Acquire(pipe, clock);
  for (int at = 0; at < kPipes; ++at) {
    Acquire(static_cast<abi::Pipe>(at), clock);
  }
}

}  // namespace belay::check
