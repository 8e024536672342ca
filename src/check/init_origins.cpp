// SPDX-License-Identifier: Apache-2.0
#include "check/init_origins.h"

namespace belay::check {

uint32_t OriginTable::Number(const Origin& origin) {
  const uint64_t key = origin.pc * 8 + static_cast<uint64_t>(origin.kind);
  const auto [entry, inserted] =
      numbers_.try_emplace(key, static_cast<uint32_t>(origins_.size()));
  if (inserted) origins_.push_back(origin);
  return entry->second;
}

void BufferTable::Drop(uint64_t address, uint64_t bytes) {
  std::erase_if(buffers_, [&](const Buffer& buffer) {
    return bytes == 0 || buffer.address - address < bytes;
  });
}

const BufferTable::Buffer* BufferTable::Find(uint64_t address) const {
  for (auto it = buffers_.rbegin(); it != buffers_.rend(); ++it) {
    if (address - it->address < it->bytes) return &*it;
  }
  return nullptr;
}

}  // namespace belay::check
