// SPDX-License-Identifier: Apache-2.0
#include "npu/known_bytes.h"

#include <algorithm>

namespace belay::npu {

void KnownBytes::Add(uint64_t begin, uint64_t end) {
  if (begin >= end) return;
  auto it = ranges_.upper_bound(begin);
  if (it != ranges_.begin() && std::prev(it)->second >= begin) {
    if (it == ranges_.end() || it->first > end) {
      uint64_t& last = std::prev(it)->second;
      last = std::max(last, end);
      return;
    }
    --it;
  }
  while (it != ranges_.end() && it->first <= end) {
    begin = std::min(begin, it->first);
    end = std::max(end, it->second);
    it = ranges_.erase(it);
  }
  ranges_.emplace_hint(it, begin, end);
}

void KnownBytes::Remove(uint64_t begin, uint64_t end) {
  if (begin >= end) return;
  auto it = ranges_.upper_bound(begin);
  if (it != ranges_.begin() && std::prev(it)->second > begin) --it;
  while (it != ranges_.end() && it->first < end) {
    const auto [old_begin, old_end] = *it;
    it = ranges_.erase(it);
    if (old_begin < begin) ranges_.emplace(old_begin, begin);
    if (old_end > end) it = ranges_.emplace(end, old_end).first;
  }
}

bool KnownBytes::Contains(uint64_t begin, uint64_t end) const {
  if (begin >= end) return true;
  const auto it = ranges_.upper_bound(begin);
  return it != ranges_.begin() && std::prev(it)->second >= end;
}

bool KnownBytes::Overlaps(uint64_t begin, uint64_t end) const {
  if (begin >= end) return false;
  const auto it = ranges_.lower_bound(end);
  return it != ranges_.begin() && std::prev(it)->second > begin;
}

}  // namespace belay::npu
