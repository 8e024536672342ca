// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CLOCK_TOUCHED_SECTORS_H_
#define BELAY_CLOCK_TOUCHED_SECTORS_H_

// Which 128-byte sectors of global memory were touched, the least that HBM
// hands over: one bit each, in pages that come into being when first touched.

#include <array>
#include <cstdint>
#include <unordered_map>

namespace belay::clock {

class TouchedSectors {
 public:
  static constexpr uint64_t kBytes = 128;

  // Marks the sectors of [address, address + bytes) that `except` does not
  // hold; null: all. Returns how many were not marked before. O(sectors / 64).
  uint64_t Mark(uint64_t address, uint64_t bytes,
                const TouchedSectors* except = nullptr);

  // Sectors in both.
  uint64_t CountCommon(const TouchedSectors& other) const;

  uint64_t count() const { return count_; }

 private:
  static constexpr uint64_t kPageSectors = 4096;
  using Page = std::array<uint64_t, kPageSectors / 64>;

  std::unordered_map<uint64_t, Page> pages_;  // by sector / kPageSectors
  uint64_t count_ = 0;
};

}  // namespace belay::clock

#endif  // BELAY_CLOCK_TOUCHED_SECTORS_H_
