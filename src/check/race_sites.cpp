// SPDX-License-Identifier: Apache-2.0
#include "check/race_sites.h"

namespace belay::check {

void RaceSites::Clear() {
  sites_.assign(1, RaceSite{});
  by_pc_.clear();
  recent_ = {};
}

uint16_t RaceSites::Find(const RaceSite& site) {
  const auto [first, last] = by_pc_.equal_range(site.pc);
  for (auto it = first; it != last; ++it) {
    if (sites_[it->second] == site) return it->second;
  }
  if (sites_.size() > UINT16_MAX) return 0;
  const auto number = static_cast<uint16_t>(sites_.size());
  sites_.push_back(site);
  by_pc_.emplace(site.pc, number);
  return number;
}

}  // namespace belay::check
