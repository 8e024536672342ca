// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_NPU_KNOWN_BYTES_H_
#define BELAY_NPU_KNOWN_BYTES_H_

// A set of addresses, kept as ranges.

#include <cstddef>
#include <cstdint>
#include <map>

namespace belay::npu {

class KnownBytes {
 public:
  // O(log ranges), and O(1) more for every range that goes.
  void Add(uint64_t begin, uint64_t end);
  void Remove(uint64_t begin, uint64_t end);

  // Whether all of [begin, end) is in the set; true for no bytes.
  bool Contains(uint64_t begin, uint64_t end) const;

  // Whether any byte of [begin, end) is in the set.
  bool Overlaps(uint64_t begin, uint64_t end) const;

  size_t ranges() const { return ranges_.size(); }

 private:
  std::map<uint64_t, uint64_t> ranges_;  // begin → end, apart from each other
};

}  // namespace belay::npu

#endif  // BELAY_NPU_KNOWN_BYTES_H_
