// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CHECK_RACE_CACHE_H_
#define BELAY_CHECK_RACE_CACHE_H_

// Which lines of global memory the scalar units have stored into through their
// data caches, and when they were cleaned.

#include <algorithm>
#include <array>
#include <cstdint>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "npu/data_cache.h"

namespace belay::check {

// The last core that stored into a line.
struct LineStore {
  uint32_t count = 0;    // of its scalar clock at the store; 0: nobody stored
  uint32_t cleaned = 0;  // of its scalar clock at the clean; 0: not yet
  uint16_t site = 0;
  uint8_t slot = 0;
};

class StoredLines {
 public:
  static constexpr uint64_t kLineBytes = npu::DataCache::kLineBytes;

  void Store(uint64_t address, const LineStore& store);

  // The core wrote the line that holds `address`, or all its lines, back and
  // dropped them. Returns the lines that it had stored into; a line that was
  // cleaned already is not among those cleaned alone.
  std::vector<uint64_t> Clean(uint8_t slot, uint64_t address, uint32_t count);
  std::vector<uint64_t> CleanAll(uint8_t slot, uint32_t count);

  // Whether the core ever dropped the line that holds `address` on purpose.
  bool WasDropped(uint8_t slot, uint64_t address) const {
    return !dropped_.empty() && (dropped_.contains(DropKey(slot, address)) ||
                                 dropped_.contains(DropKey(slot, 0)));
  }

  // Calls f(line address, store) for lines of [begin, end) that were stored
  // into. Cheap where none was.
  template <typename F>
  void ForEach(uint64_t begin, uint64_t end, F f) const {
    if (pages_.empty()) return;
    while (begin < end) {
      const uint64_t stop = std::min(end, (begin | (kPageBytes - 1)) + 1);
      const auto page = pages_.find(begin / kPageBytes);
      if (page != pages_.end()) {
        for (uint64_t line = begin / kLineBytes * kLineBytes; line < stop;
             line += kLineBytes) {
          const LineStore& store = page->second[LineInPage(line)];
          if (store.count != 0) f(line, store);
        }
      }
      begin = stop;
    }
  }

  // Null when nobody stored into the line that holds `address`.
  const LineStore* Find(uint64_t address) const;

  bool empty() const { return pages_.empty(); }
  void Clear();

 private:
  static constexpr uint64_t kPageBytes = 4096;
  using Page = std::array<LineStore, kPageBytes / kLineBytes>;

  static uint64_t LineInPage(uint64_t address) {
    return address % kPageBytes / kLineBytes;
  }

  // All lines of a core: those of address 0.
  static uint64_t DropKey(uint8_t slot, uint64_t address) {
    return address / kLineBytes << 8 | slot;
  }

  std::unordered_map<uint64_t, Page> pages_;
  std::unordered_set<uint64_t> dropped_;
  // Lines each core has stored into since it last cleaned all.
  std::unordered_map<uint8_t, std::vector<uint64_t>> dirty_;
};

}  // namespace belay::check

#endif  // BELAY_CHECK_RACE_CACHE_H_
