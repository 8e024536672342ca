// SPDX-License-Identifier: Apache-2.0
#include "clock/compare_logs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "npu/names.h"

namespace belay::clock {
namespace {

// Records of work: who waits for whom, and what the scalar unit does, may
// differ.
bool IsStep(const Record& record) {
  return record.kind == Kind::kVector || record.kind == Kind::kMove ||
         record.kind == Kind::kMmad || record.kind == Kind::kLoad;
}

bool NextStep(Sequence::Cursor& cursor, Record& record) {
  while (cursor.Next(record)) {
    if (IsStep(record)) return true;
  }
  return false;
}

bool Same(const Record& a, const Record& b) {
  if (a.kind != b.kind || a.op != b.op || a.pipe != b.pipe) return false;
  switch (a.kind) {
    case Kind::kVector:
      return a.vector.repeats == b.vector.repeats &&
             a.vector.elements == b.vector.elements;
    case Kind::kMove:
      return a.move.bursts == b.move.bursts &&
             a.move.burst_bytes == b.move.burst_bytes;
    case Kind::kMmad:
    case Kind::kLoad:
      return a.cube.steps == b.cube.steps && a.cube.bytes == b.cube.bytes;
    default:
      return true;
  }
}

std::string TextOf(bool is_there, const Record& record) {
  if (!is_there) return "nothing";
  std::string text(npu::NameOf(record.op));
  if (record.kind == Kind::kVector) {
    text += fmt::format(" of {} repeats", record.vector.repeats);
  } else if (record.kind == Kind::kMove) {
    text += fmt::format(" of {} x {} bytes", record.move.bursts,
                        record.move.burst_bytes);
  }
  return text;
}

}  // namespace

std::optional<uint64_t> FirstDifference(const LaunchLog& a,
                                        const LaunchLog& b) {
  // Sequences give records back with no bits set that mean nothing.
  const auto same = [&](const Record& left, Record right) {
    if (a.scalar[left.scalar] != b.scalar[right.scalar]) return false;
    right.scalar = left.scalar;
    return std::memcmp(&left, &right, sizeof(Record)) == 0;
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

std::optional<WorkDifference> FirstOtherWork(const LaunchLog& some,
                                             const LaunchLog& all) {
  for (const BlockLog& one : some.logs) {
    const auto other = std::ranges::find_if(all.logs, [&](const BlockLog& log) {
      return log.block == one.block && log.cube == one.cube;
    });
    if (other == all.logs.end()) {
      return WorkDifference{one.block, "runs", "does not run"};
    }
    Sequence::Cursor left(one.records);
    Sequence::Cursor right(other->records);
    for (;;) {
      Record a;
      Record b;
      const bool has_a = NextStep(left, a);
      const bool has_b = NextStep(right, b);
      if (!has_a && !has_b) break;
      if (has_a == has_b && Same(a, b)) continue;
      return WorkDifference{one.block, TextOf(has_a, a), TextOf(has_b, b)};
    }
  }
  return std::nullopt;
}

}  // namespace belay::clock
