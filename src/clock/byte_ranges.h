// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CLOCK_BYTE_RANGES_H_
#define BELAY_CLOCK_BYTE_RANGES_H_

// Lists of byte ranges of global memory.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "clock/log.h"

namespace belay::clock {

// Sorts the ranges and joins those that touch or overlap.
inline void JoinRanges(std::vector<ByteRange>& ranges) {
  std::ranges::sort(ranges, {}, &ByteRange::begin);
  size_t kept = 0;
  for (const ByteRange& range : ranges) {
    if (range.begin >= range.end) continue;
    if (kept != 0 && range.begin <= ranges[kept - 1].end) {
      ranges[kept - 1].end = std::max(ranges[kept - 1].end, range.end);
    } else {
      ranges[kept++] = range;
    }
  }
  ranges.resize(kept);
}

// Appends a range; one that begins inside the last or where it ends makes that
// longer. Amortised O(log n); memory O(ranges once joined).
inline void AddRange(std::vector<ByteRange>& ranges, ByteRange range) {
  if (!ranges.empty() && range.begin >= ranges.back().begin &&
      range.begin <= ranges.back().end) {
    ranges.back().end = std::max(ranges.back().end, range.end);
    return;
  }
  if (ranges.size() == ranges.capacity()) {
    JoinRanges(ranges);
    ranges.reserve(std::max<size_t>(64, 2 * ranges.size()));
  }
  ranges.push_back(range);
}

}  // namespace belay::clock

#endif  // BELAY_CLOCK_BYTE_RANGES_H_
