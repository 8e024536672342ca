// SPDX-License-Identifier: Apache-2.0
#include "clock/compare_logs.h"

#include <cstring>

namespace belay::clock {

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

}  // namespace belay::clock
