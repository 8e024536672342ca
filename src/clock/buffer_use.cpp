// SPDX-License-Identifier: Apache-2.0
#include "clock/buffer_use.h"

namespace belay::clock {

bool BufferUse::Init(abi::Memory memory, uint64_t address, uint64_t bytes) {
  const uint64_t before = BytesIn(memory);
  buffers_.push_back({memory, address, bytes});
  given_[static_cast<int>(memory)] += bytes;
  return BytesIn(memory) != before;
}

uint32_t BufferUse::GiveBack(uint64_t address, uint64_t bytes) {
  const auto goes = [&](const Buffer& buffer) {
    return bytes == 0 || buffer.address - address < bytes;
  };
  uint32_t changed = 0;
  for (const Buffer& buffer : buffers_) {
    if (!goes(buffer)) continue;
    given_[static_cast<int>(buffer.memory)] -= buffer.bytes;
    // What was touched was in the buffers, which are gone.
    highest_[static_cast<int>(buffer.memory)] = 0;
    changed |= 1u << static_cast<int>(buffer.memory);
  }
  std::erase_if(buffers_, goes);
  return changed;
}

}  // namespace belay::clock
