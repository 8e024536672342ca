// SPDX-License-Identifier: Apache-2.0
#include "clock/l2_cache.h"

#include <algorithm>
#include <bit>

namespace belay::clock {
namespace {

// Sets that lines following each other share: what streams through the cache
// streams through the host's as well.
constexpr uint64_t kNeighbours = 8;

constexpr uint64_t kOnes = 0x1111111111111111;

}  // namespace

L2Cache::L2Cache(uint64_t bytes)
    : tags_(std::max<uint64_t>(1, bytes / (kLineBytes * kWays))),
      meta_(tags_.size()),
      neighbourhoods_(tags_.size() / kNeighbours) {}

uint32_t L2Cache::SetOf(uint64_t line) const {
  line &= kNumberMask;
  // Small caches have no neighbourhoods.
  if (neighbourhoods_ == 0) return static_cast<uint32_t>(line % tags_.size());
  // Multiples of the golden ratio fill a range evenly, whatever their step.
  const uint64_t spread = line / kNeighbours * 0x9E3779B97F4A7C15;
  const auto neighbourhood = static_cast<uint64_t>(
      static_cast<unsigned __int128>(spread) * neighbourhoods_ >> 64);
  return static_cast<uint32_t>(neighbourhood * kNeighbours +
                               (line ^ spread >> 32) % kNeighbours);
}

L2Cache::Place L2Cache::Find(uint64_t line) {
  Place place{SetOf(line), -1};
  const uint32_t tag = TagOf(line);
  const auto& tags = tags_[place.set].tags;
  for (int way = 0; way < kWays; ++way) {
    if (tags[way] == tag) {
      place.way = way;
      break;
    }
  }
  if (place.way < 0) return place;
  // Takes the way out of the order and puts it lowest.
  uint64_t& order = meta_[place.set].order;
  const uint64_t differs = order ^ kOnes * static_cast<uint64_t>(place.way);
  const uint64_t equal = (differs - kOnes) & ~differs & kOnes * 8;
  const int shift = std::countr_zero(equal) & ~3;
  const uint64_t below = (uint64_t{1} << shift) - 1;
  const uint64_t through = below << 4 | 15;
  order = (order & ~through) | (order & below) << 4 |
          static_cast<uint64_t>(place.way);
  return place;
}

std::optional<uint64_t> L2Cache::Insert(uint64_t line, Place& place) {
  Meta& meta = meta_[place.set];
  place.way = static_cast<int32_t>(meta.order >> 60);
  meta.order = meta.order << 4 | static_cast<uint64_t>(place.way);
  uint32_t& tag = tags_[place.set].tags[place.way];
  Line& state = meta.lines[place.way];
  std::optional<uint64_t> evicted;
  if (state.dirty != 0) evicted = tag & kNumberMask;
  tag = TagOf(line);
  state = {};
  return evicted;
}

}  // namespace belay::clock
