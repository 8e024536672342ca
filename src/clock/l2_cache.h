// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CLOCK_L2_CACHE_H_
#define BELAY_CLOCK_L2_CACHE_H_

// Which lines of global memory the L2 cache holds: 512-byte lines of four
// sectors, 16-way set-associative, least recently used out first, written
// back.

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace belay::clock {

inline constexpr uint64_t kLineBytes = 512;
inline constexpr uint64_t kSectorBytes = 128;

class L2Cache {
 public:
  static constexpr int kWays = 16;

  // What fits into `bytes`, in whole sets (one at least).
  explicit L2Cache(uint64_t bytes);

  // A bit for each sector.
  struct Line {
    uint8_t valid : 4;
    uint8_t dirty : 4;
  };

  // Where a line is or would be.
  struct Place {
    uint32_t set;
    int32_t way;  // -1: not there
  };

  // A line that is there becomes the most recently used one. Lines are told
  // apart by the low 30 bits of their numbers.
  Place Find(uint64_t line);

  // Brings what Find needs closer to the host's processor.
  void Prefetch(uint64_t line) const {
    const uint32_t set = SetOf(line);
    __builtin_prefetch(&tags_[set]);
    __builtin_prefetch(&meta_[set]);
  }

  // Makes room for a line that is not there, with no valid sector. Returns the
  // number of a line that must be written back, its low 30 bits.
  std::optional<uint64_t> Insert(uint64_t line, Place& place);

  Line& At(const Place& place) { return meta_[place.set].lines[place.way]; }

  uint64_t lines() const { return tags_.size() * kWays; }

 private:
  // Apart, so that finding a line touches one cache line of the host.
  struct alignas(64) Tags {
    std::array<uint32_t, kWays> tags{};  // 0: free
  };
  struct alignas(32) Meta {
    // Ways, 4 bits each, the most recently used one lowest.
    uint64_t order = 0xFEDCBA9876543210;
    std::array<Line, kWays> lines{};
  };

  static constexpr uint32_t kNumberMask = 0x3FFFFFFF;
  static uint32_t TagOf(uint64_t line) {
    return (static_cast<uint32_t>(line) & kNumberMask) | 0x40000000;
  }
  uint32_t SetOf(uint64_t line) const;

  std::vector<Tags> tags_;
  std::vector<Meta> meta_;
  uint64_t neighbourhoods_;
};

// Spreads numbers evenly over 64 bits: nearby ones land far apart.
inline uint64_t Spread(uint64_t number) {
  number *= 0xFF51AFD7ED558CCD;
  number ^= number >> 33;
  number *= 0xC4CEB9FE1A85EC53;
  return number ^ number >> 33;
}

}  // namespace belay::clock

#endif  // BELAY_CLOCK_L2_CACHE_H_
