// SPDX-License-Identifier: Apache-2.0
#include "npu/known_bytes.h"

#include <algorithm>
#include <limits>

namespace belay::npu {

void KnownBytes::AddRange(uint64_t begin, uint64_t end) {
  if (gap_.Meets(begin, end)) gap_ = {};
  auto it = ranges_.upper_bound(begin);
  if (it != ranges_.begin() && std::prev(it)->second >= begin) {
    auto before = std::prev(it);
    if (it == ranges_.end() || it->first > end) {
      before->second = std::max(before->second, end);
      run_ = {before->first, before->second};
      return;
    }
    it = before;
  }
  while (it != ranges_.end() && it->first <= end) {
    begin = std::min(begin, it->first);
    end = std::max(end, it->second);
    it = ranges_.erase(it);
  }
  ranges_.emplace_hint(it, begin, end);
  run_ = {begin, end};
}

void KnownBytes::Remove(uint64_t begin, uint64_t end) {
  if (begin >= end || gap_.Holds(begin, end)) return;
  if (run_.Meets(begin, end)) run_ = {};
  auto it = ranges_.upper_bound(begin);
  if (it != ranges_.begin() && std::prev(it)->second > begin) --it;
  while (it != ranges_.end() && it->first < end) {
    const auto [old_begin, old_end] = *it;
    it = ranges_.erase(it);
    if (old_begin < begin) ranges_.emplace(old_begin, begin);
    if (old_end > end) it = ranges_.emplace(end, old_end).first;
  }
}

bool KnownBytes::FindRun(uint64_t begin, uint64_t end) const {
  const auto after = ranges_.upper_bound(begin);
  const uint64_t next = after == ranges_.end()
                            ? std::numeric_limits<uint64_t>::max()
                            : after->first;
  if (after == ranges_.begin()) {
    gap_ = {0, next};
    return false;
  }
  const auto before = std::prev(after);
  if (before->second <= begin) {
    gap_ = {before->second, next};
    return false;
  }
  run_ = {before->first, before->second};
  return before->second >= end;
}

bool KnownBytes::Overlaps(uint64_t begin, uint64_t end) const {
  if (begin >= end || gap_.Holds(begin, end)) return false;
  const auto it = ranges_.lower_bound(end);
  return it != ranges_.begin() && std::prev(it)->second > begin;
}

}  // namespace belay::npu
