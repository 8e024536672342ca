// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TESTS_ORDERS_BYTE_RANGES_H_
#define BELAY_TESTS_ORDERS_BYTE_RANGES_H_

// Sets of bytes, as sorted ranges that do not touch.

#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

namespace belay::orders {

struct ByteRange {
  uint64_t begin;
  uint64_t end;
};

class ByteRanges {
 public:
  void Add(uint64_t begin, uint64_t end) {
    if (begin >= end) return;
    auto at = ends_.upper_bound(begin);
    if (at != ends_.begin() && std::prev(at)->second >= begin) --at;
    while (at != ends_.end() && at->first <= end) {
      begin = std::min(begin, at->first);
      end = std::max(end, at->second);
      at = ends_.erase(at);
    }
    ends_.emplace(begin, end);
  }

  void Remove(uint64_t begin, uint64_t end) {
    if (begin >= end) return;
    auto at = ends_.upper_bound(begin);
    if (at != ends_.begin()) --at;
    while (at != ends_.end() && at->first < end) {
      const auto [from, to] = *at;
      if (to <= begin) {
        ++at;
        continue;
      }
      at = ends_.erase(at);
      if (from < begin) ends_.emplace(from, begin);
      if (end < to) ends_.emplace(end, to);
    }
  }

  // What lies in both.
  std::vector<ByteRange> Common(const ByteRanges& other) const {
    std::vector<ByteRange> common;
    auto a = ends_.begin();
    auto b = other.ends_.begin();
    while (a != ends_.end() && b != other.ends_.end()) {
      const uint64_t begin = std::max(a->first, b->first);
      const uint64_t end = std::min(a->second, b->second);
      if (begin < end) common.push_back({begin, end});
      if (a->second < b->second) {
        ++a;
      } else {
        ++b;
      }
    }
    return common;
  }

  std::vector<ByteRange> List() const {
    std::vector<ByteRange> list;
    for (const auto& [begin, end] : ends_) list.push_back({begin, end});
    return list;
  }

 private:
  std::map<uint64_t, uint64_t> ends_;  // by begin
};

}  // namespace belay::orders

#endif  // BELAY_TESTS_ORDERS_BYTE_RANGES_H_
