// SPDX-License-Identifier: Apache-2.0
#include "check/race_cache.h"

namespace belay::check {

void StoredLines::Store(uint64_t address, const LineStore& store) {
  LineStore& line = pages_[address / kPageBytes][LineInPage(address)];
  if (line.count == 0 || line.cleaned != 0 || line.slot != store.slot) {
    dirty_[store.slot].push_back(address / kLineBytes * kLineBytes);
  }
  line = store;
}

std::vector<uint64_t> StoredLines::Clean(uint8_t slot, uint64_t address,
                                         uint32_t count) {
  dropped_.insert(DropKey(slot, address));
  const auto page = pages_.find(address / kPageBytes);
  if (page == pages_.end()) return {};
  LineStore& line = page->second[LineInPage(address)];
  if (line.slot != slot || line.count == 0 || line.cleaned != 0) return {};
  line.cleaned = count;
  return {address / kLineBytes * kLineBytes};
}

std::vector<uint64_t> StoredLines::CleanAll(uint8_t slot, uint32_t count) {
  dropped_.insert(DropKey(slot, 0));
  const auto dirty = dirty_.find(slot);
  if (dirty == dirty_.end()) return {};
  const std::vector<uint64_t> lines = std::move(dirty->second);
  dirty_.erase(dirty);
  for (const uint64_t line : lines) {
    LineStore& store = pages_[line / kPageBytes][LineInPage(line)];
    if (store.slot == slot && store.cleaned == 0) store.cleaned = count;
  }
  return lines;
}

const LineStore* StoredLines::Find(uint64_t address) const {
  const auto page = pages_.find(address / kPageBytes);
  if (page == pages_.end()) return nullptr;
  const LineStore& line = page->second[LineInPage(address)];
  return line.count == 0 ? nullptr : &line;
}

void StoredLines::Clear() {
  pages_.clear();
  dropped_.clear();
  dirty_.clear();
}

}  // namespace belay::check
