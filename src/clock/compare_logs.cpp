// SPDX-License-Identifier: Apache-2.0
#include "clock/compare_logs.h"

#include <tuple>

namespace belay::clock {
namespace {

auto Fields(const VectorWork& work) {
  return std::tie(work.cost, work.odd_tail, work.repeats, work.conflict_cycles,
                  work.delayed_repeats, work.elements, work.units);
}

auto Fields(const MoveWork& work) {
  return std::tie(work.address, work.stride, work.bursts, work.burst_bytes,
                  work.memory, work.flags, work.local_offset);
}

auto Fields(const CubeWork& work) {
  return std::tie(work.steps, work.bytes, work.to, work.three_d);
}

auto Fields(const SyncWork& work) {
  return std::tie(work.from, work.to, work.by_queue, work.id, work.distance,
                  work.token);
}

auto Fields(const GlobalScalarWork& work) {
  return std::tie(work.address, work.bytes, work.write, work.direct);
}

auto Fields(const BufferWork& work) {
  return std::tie(work.memory, work.bytes_in_use);
}

bool SameWork(const Record& a, const Record& b) {
  switch (a.kind) {
    case Kind::kVector:
      return Fields(a.vector) == Fields(b.vector);
    case Kind::kMove:
      return Fields(a.move) == Fields(b.move);
    case Kind::kLoad:
    case Kind::kMmad:
      return Fields(a.cube) == Fields(b.cube);
    case Kind::kSetFlag:
    case Kind::kWaitFlag:
    case Kind::kBarrier:
    case Kind::kOrder:
    case Kind::kMeet:
    case Kind::kNotify:
    case Kind::kAwait:
      return Fields(a.sync) == Fields(b.sync);
    case Kind::kGlobalScalar:
      return Fields(a.global) == Fields(b.global);
    case Kind::kCacheClean:
      return a.lines == b.lines;
    case Kind::kBuffer:
      return Fields(a.buffer) == Fields(b.buffer);
    case Kind::kScalar:
    case Kind::kReadClock:
      return true;
  }
  return true;
}

}  // namespace

std::optional<uint64_t> FirstDifference(const LaunchLog& a,
                                        const LaunchLog& b) {
  const auto same = [&](const Record& left, const Record& right) {
    return std::tie(left.kind, left.pipe, left.op, left.place) ==
               std::tie(right.kind, right.pipe, right.op, right.place) &&
           a.scalar[left.scalar] == b.scalar[right.scalar] &&
           SameWork(left, right);
  };
  for (size_t i = 0; i < a.logs.size() && i < b.logs.size(); ++i) {
    Sequence::Cursor left(a.logs[i].records);
    Sequence::Cursor right(b.logs[i].records);
    Record from_left;
    Record from_right;
    uint64_t last = 0;
    bool more = true;
    while (more) {
      more = left.Next(from_left);
      if (more != right.Next(from_right)) {
        return more ? from_left.place : last;
      }
      if (more && !same(from_left, from_right)) return from_left.place;
      last = from_left.place;
    }
  }
  if (a.logs.size() != b.logs.size()) return 0;
  return std::nullopt;
}

}  // namespace belay::clock
