// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_NPU_KNOWN_BYTES_H_
#define BELAY_NPU_KNOWN_BYTES_H_

// A set of addresses, kept as ranges. Questions and changes near the last ones
// are O(1), others O(log ranges).

#include <cstddef>
#include <cstdint>
#include <map>

namespace belay::npu {

class KnownBytes {
 public:
  void Add(uint64_t begin, uint64_t end) {
    if (begin >= end || run_.Holds(begin, end)) return;
    AddRange(begin, end);
  }
  void Remove(uint64_t begin, uint64_t end);

  // Whether all of [begin, end) is in the set; true for no bytes.
  bool Contains(uint64_t begin, uint64_t end) const {
    if (begin >= end || run_.Holds(begin, end)) return true;
    if (gap_.Holds(begin, end)) return false;
    return FindRun(begin, end);
  }

  // Whether any byte of [begin, end) is in the set.
  bool Overlaps(uint64_t begin, uint64_t end) const;

  size_t ranges() const { return ranges_.size(); }

 private:
  struct Range {
    uint64_t begin = 0;
    uint64_t end = 0;
    bool Holds(uint64_t from, uint64_t to) const {
      return from >= begin && to <= end;
    }
    bool Meets(uint64_t from, uint64_t to) const {
      return from < end && to > begin;
    }
  };

  void AddRange(uint64_t begin, uint64_t end);
  bool FindRun(uint64_t begin, uint64_t end) const;

  std::map<uint64_t, uint64_t> ranges_;  // begin → end, apart from each other
  mutable Range run_;                    // in the set: the one last met
  mutable Range gap_;  // without any byte of the set: the one last met
};

}  // namespace belay::npu

#endif  // BELAY_NPU_KNOWN_BYTES_H_
