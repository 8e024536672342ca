// SPDX-License-Identifier: Apache-2.0
#include "clock/scalar_table.h"

#include <cstring>

namespace belay::clock {

size_t ScalarTable::Hash::operator()(const ScalarWork& work) const {
  static_assert(sizeof(ScalarWork) % sizeof(uint64_t) == 0);
  std::array<uint64_t, sizeof(ScalarWork) / sizeof(uint64_t)> words;
  std::memcpy(words.data(), &work, sizeof(work));
  uint64_t hash = 0;
  uint64_t factor = 0x9E3779B97F4A7C15;
  for (const uint64_t word : words) {
    hash += (word + 1) * factor;
    factor += 0x9E3779B97F4A7C16;
  }
  return hash ^ hash >> 32;
}

void ScalarTable::Clear() {
  all_ = {ScalarWork{}};
  numbers_ = {{ScalarWork{}, 0}};
  recent_.fill(0);
}

uint32_t ScalarTable::NumberOf(const ScalarWork& work) {
  if (work == ScalarWork{}) return 0;
  uint32_t& recent = recent_[Hash{}(work) % kRecent];
  if (all_[recent] == work) return recent;
  const auto [entry, is_new] =
      numbers_.try_emplace(work, static_cast<uint32_t>(all_.size()));
  if (is_new) all_.push_back(work);
  return recent = entry->second;
}

}  // namespace belay::clock
