// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CLOCK_BUFFER_USE_H_
#define BELAY_CLOCK_BUFFER_USE_H_

// How much of its on-chip memories a core uses: what InitBuffer gave out, or,
// where a kernel places tensors by address itself, up to the highest byte that
// was touched.

#include <array>
#include <cstdint>
#include <vector>

#include "npu/chip_spec.h"

namespace belay::clock {

class BufferUse {
 public:
  // For the next block: nothing is in use.
  void Reset() { *this = BufferUse{}; }

  // Each returns whether BytesIn of that memory changed.
  bool Init(abi::Memory memory, uint64_t address, uint64_t bytes);
  bool Touch(abi::Memory memory, uint64_t end_offset) {
    uint64_t& highest = highest_[static_cast<int>(memory)];
    if (end_offset <= highest) [[likely]] {
      return false;
    }
    const bool changes = end_offset > BytesIn(memory);
    highest = end_offset;
    return changes;
  }

  // Buffers in [address, address + bytes) go back, or all when bytes is 0.
  // Returns the memories that changed, a bit for each.
  uint32_t GiveBack(uint64_t address, uint64_t bytes);

  uint64_t BytesIn(abi::Memory memory) const {
    const auto i = static_cast<int>(memory);
    return given_[i] > highest_[i] ? given_[i] : highest_[i];
  }

 private:
  struct Buffer {
    abi::Memory memory;
    uint64_t address;
    uint64_t bytes;
  };
  std::array<uint64_t, npu::kMemoryCount> given_{};
  std::array<uint64_t, npu::kMemoryCount> highest_{};
  std::vector<Buffer> buffers_;
};

}  // namespace belay::clock

#endif  // BELAY_CLOCK_BUFFER_USE_H_
