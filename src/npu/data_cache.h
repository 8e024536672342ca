// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_NPU_DATA_CACHE_H_
#define BELAY_NPU_DATA_CACHE_H_

// The data cache between a core's scalar unit and global memory. It is not
// coherent: other cores and moves neither see nor update it. Stores allocate a
// line and make it dirty; whole lines are written back when they are evicted,
// cleaned, or when the block ends.

#include <cstdint>
#include <vector>

namespace belay::npu {

class DataCache {
 public:
  static constexpr uint64_t kLineBytes = 64;

  // `bytes` in all, `ways` lines to a set.
  DataCache(uint64_t bytes, int ways);

  // Where a load of `bytes` at `address` finds its data, valid until the next
  // call. Memory under every line touched must be mapped.
  const void* Load(uint64_t address, uint64_t bytes);

  // Where a store of `bytes` puts its data, valid until the next call. A store
  // across lines takes effect at the next call.
  void* Store(uint64_t address, uint64_t bytes);

  // The cached byte at `address`, or null when its line is not in the cache.
  // A store across lines that has not taken effect yet is not seen.
  const unsigned char* Find(uint64_t address) const;

  // Lines that cleaning would write back, and whether that of `address` is one.
  // Stores across lines count when they have taken effect.
  uint64_t DirtyLines() const;
  bool IsDirty(uint64_t address) const;

  // Writes a dirty line back and forgets it.
  void CleanAndInvalidate(uint64_t address);
  void CleanAndInvalidateAll();

  // Forgets everything, dirty lines too.
  void Invalidate();

 private:
  struct Line {
    uint64_t address = 0;  // of its first byte; 0 when empty
    uint64_t used = 0;     // when it was used last
    bool dirty = false;
    alignas(64) unsigned char data[kLineBytes];
  };

  Line& LineFor(uint64_t address);
  static void WriteBack(Line& line);
  void CommitPending();

  int ways_;
  uint64_t sets_;
  uint64_t now_ = 0;
  std::vector<Line> lines_;  // sets_ × ways_

  // An access across lines is made in `across_`.
  std::vector<unsigned char> across_;
  uint64_t pending_address_ = 0;  // of a store made there; 0 when none
};

}  // namespace belay::npu

#endif  // BELAY_NPU_DATA_CACHE_H_
