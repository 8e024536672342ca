// SPDX-License-Identifier: Apache-2.0
#include "npu/data_cache.h"

#include <algorithm>
#include <cstring>

namespace belay::npu {
namespace {

uint64_t LineOf(uint64_t address) {
  return address / DataCache::kLineBytes * DataCache::kLineBytes;
}

bool InOneLine(uint64_t address, uint64_t bytes) {
  return bytes <= DataCache::kLineBytes &&
         LineOf(address) == LineOf(address + bytes - 1);
}

// Calls f(address, bytes, offset) for the part of a range in each line.
template <typename F>
void ForEachLine(uint64_t address, uint64_t bytes, F f) {
  for (uint64_t done = 0; done < bytes;) {
    const uint64_t at = address + done;
    const uint64_t part =
        std::min(bytes - done, LineOf(at) + DataCache::kLineBytes - at);
    f(at, part, done);
    done += part;
  }
}

}  // namespace

DataCache::DataCache(uint64_t bytes, int ways)
    : ways_(ways), sets_(bytes / kLineBytes / ways), lines_(sets_ * ways) {}

void DataCache::WriteBack(Line& line) {
  if (line.dirty) {
    std::memcpy(reinterpret_cast<void*>(line.address), line.data, kLineBytes);
    line.dirty = false;
  }
}

DataCache::Line& DataCache::LineFor(uint64_t address) {
  const uint64_t base = LineOf(address);
  Line* set = &lines_[base / kLineBytes % sets_ * ways_];
  Line* oldest = set;
  for (int way = 0; way < ways_; ++way) {
    if (set[way].address == base) {
      set[way].used = ++now_;
      return set[way];
    }
    if (set[way].used < oldest->used) oldest = &set[way];
  }
  WriteBack(*oldest);
  oldest->address = base;
  oldest->used = ++now_;
  std::memcpy(oldest->data, reinterpret_cast<const void*>(base), kLineBytes);
  return *oldest;
}

const unsigned char* DataCache::Find(uint64_t address) const {
  const uint64_t base = LineOf(address);
  const Line* set = &lines_[base / kLineBytes % sets_ * ways_];
  for (int way = 0; way < ways_; ++way) {
    if (set[way].address == base) return set[way].data + (address - base);
  }
  return nullptr;
}

uint64_t DataCache::DirtyLines() const {
  return static_cast<uint64_t>(
      std::count_if(lines_.begin(), lines_.end(),
                    [](const Line& line) { return line.dirty; }));
}

bool DataCache::IsDirty(uint64_t address) const {
  const uint64_t base = LineOf(address);
  const Line* set = &lines_[base / kLineBytes % sets_ * ways_];
  return std::any_of(set, set + ways_, [&](const Line& line) {
    return line.address == base && line.dirty;
  });
}

void DataCache::CommitPending() {
  if (pending_address_ == 0) return;
  ForEachLine(pending_address_, across_.size(),
              [&](uint64_t at, uint64_t bytes, uint64_t offset) {
                Line& line = LineFor(at);
                std::memcpy(line.data + at % kLineBytes, &across_[offset],
                            bytes);
                line.dirty = true;
              });
  pending_address_ = 0;
}

const void* DataCache::Load(uint64_t address, uint64_t bytes) {
  CommitPending();
  if (InOneLine(address, bytes)) {
    return LineFor(address).data + address % kLineBytes;
  }
  across_.resize(bytes);
  ForEachLine(address, bytes, [&](uint64_t at, uint64_t part, uint64_t offset) {
    std::memcpy(&across_[offset], LineFor(at).data + at % kLineBytes, part);
  });
  return across_.data();
}

void* DataCache::Store(uint64_t address, uint64_t bytes) {
  CommitPending();
  if (InOneLine(address, bytes)) {
    Line& line = LineFor(address);
    line.dirty = true;
    return line.data + address % kLineBytes;
  }
  across_.resize(bytes);
  pending_address_ = address;
  return across_.data();
}

void DataCache::CleanAndInvalidate(uint64_t address) {
  CommitPending();
  const uint64_t base = LineOf(address);
  Line* set = &lines_[base / kLineBytes % sets_ * ways_];
  for (int way = 0; way < ways_; ++way) {
    if (set[way].address != base) continue;
    WriteBack(set[way]);
    set[way].address = 0;
    set[way].used = 0;
  }
}

void DataCache::CleanAndInvalidateAll() {
  CommitPending();
  for (Line& line : lines_) WriteBack(line);
  Invalidate();
}

void DataCache::Invalidate() {
  pending_address_ = 0;
  for (Line& line : lines_) {
    // Empty ones are left as they are: most of a cache is never written to, and
    // processes that were forked go on sharing it.
    if (line.address == 0) continue;
    line.address = 0;
    line.used = 0;
    line.dirty = false;
  }
}

}  // namespace belay::npu
