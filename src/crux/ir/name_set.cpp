// SPDX-License-Identifier: Apache-2.0
#include "crux/ir/name_set.h"

#include <algorithm>

namespace belay::crux::ir {

uint32_t NameSet::Find(std::string_view name, uint64_t hash) const {
  if (table_.empty()) return kNone;
  const size_t mask = table_.size() - 1;
  for (size_t at = hash & mask; table_[at] != kNone; at = (at + 1) & mask) {
    const uint32_t one = table_[at];
    if (hashes_[one] == hash && names_[one] == name) return one;
  }
  return kNone;
}

void NameSet::insert(std::string_view name, uint64_t hash) {
  if (Find(name, hash) != kNone) return;
  sorted_ = sorted_ && (names_.empty() || names_.back() < name);
  names_.emplace_back(name);
  hashes_.push_back(hash);
  if (names_.size() * 2 > table_.size()) {
    constexpr size_t kFirst = 64;
    Fill(std::max(kFirst, table_.size() * 2));
    names_.reserve(table_.size() / 2);
    hashes_.reserve(table_.size() / 2);
    return;
  }
  const size_t mask = table_.size() - 1;
  size_t at = hashes_.back() & mask;
  while (table_[at] != kNone) at = (at + 1) & mask;
  table_[at] = static_cast<uint32_t>(names_.size() - 1);
}

void NameSet::Fill(size_t places) const {
  table_.assign(places, kNone);
  const size_t mask = places - 1;
  for (size_t i = 0; i < names_.size(); ++i) {
    size_t at = hashes_[i] & mask;
    while (table_[at] != kNone) at = (at + 1) & mask;
    table_[at] = static_cast<uint32_t>(i);
  }
}

void NameSet::Sort() const {
  if (sorted_) return;
  sorted_ = true;
  std::sort(names_.begin(), names_.end());
  for (size_t i = 0; i < names_.size(); ++i) hashes_[i] = HashOf(names_[i]);
  Fill(table_.size());
}

}  // namespace belay::crux::ir
