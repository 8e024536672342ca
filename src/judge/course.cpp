// SPDX-License-Identifier: Apache-2.0
#include "judge/course.h"

#include <fmt/format.h>

#include <algorithm>

#include "npu/names.h"

namespace belay::judge {
namespace {

using clock::Kind;
using clock::Record;

// Records of work: who waits for whom, and what the scalar unit does, may
// differ.
bool IsStep(const Record& record) {
  return record.kind == Kind::kVector || record.kind == Kind::kMove ||
         record.kind == Kind::kMmad || record.kind == Kind::kLoad;
}

bool NextStep(clock::Sequence::Cursor& cursor, Record& record) {
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

std::optional<CourseDifference> DifferenceOfCourse(
    const clock::LaunchLog& with_values, const clock::LaunchLog& timed) {
  for (const clock::BlockLog& one : with_values.logs) {
    const auto other =
        std::ranges::find_if(timed.logs, [&](const clock::BlockLog& log) {
          return log.block == one.block && log.cube == one.cube;
        });
    if (other == timed.logs.end()) {
      return CourseDifference{one.block, "runs", "does not run"};
    }
    clock::Sequence::Cursor left(one.records);
    clock::Sequence::Cursor right(other->records);
    for (;;) {
      Record a;
      Record b;
      const bool has_a = NextStep(left, a);
      const bool has_b = NextStep(right, b);
      if (!has_a && !has_b) break;
      if (has_a == has_b && Same(a, b)) continue;
      return CourseDifference{one.block, TextOf(has_a, a), TextOf(has_b, b)};
    }
  }
  return std::nullopt;
}

}  // namespace belay::judge
