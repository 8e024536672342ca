// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_NPU_LANES_H_
#define BELAY_NPU_LANES_H_

// Which lanes a vector instruction works on, and where each lane lies.

#include <cstdint>

#include "belay/instruction.h"
#include "npu/vector_state.h"

namespace belay::npu {

inline constexpr uint32_t kBlockBytes = 32;
inline constexpr uint32_t kRepeatBytes = 256;

// The lanes of one instruction after its mask form and the mask register are
// resolved. Lane i of repeat r is active if Active(r, i).
struct Lanes {
  uint32_t per_repeat = 0;  // lanes in a full repeat
  uint32_t repeats = 0;
  bool counter = false;       // by count rather than by mask
  uint64_t count = 0;         // active lanes in all, when by count
  uint64_t mask[2] = {0, 0};  // when by mask

  bool Active(uint32_t repeat, uint32_t lane) const {
    if (counter) return uint64_t{repeat} * per_repeat + lane < count;
    return mask[lane >> 6] >> (lane & 63) & 1;
  }
};

// Resolves the lanes of `instruction` and leaves mask register and mode as
// the chip does: the count form sets counter mode and resets both afterwards,
// the mask forms leave their mask in the register. `per_repeat` is 256 bytes
// over the widest element; where Copy or GatherMask count the lanes of each
// repeat, that count takes its place.
Lanes ResolveLanes(const abi::Instruction& instruction, uint32_t per_repeat,
                   VectorState& state);

// Bits of the first `count` lanes.
void SetLeadingLanes(uint64_t count, uint64_t mask[2]);

// Byte offset from the operand's address of lane `lane` in repeat `repeat`.
// Narrow operands fill fewer blocks per repeat than wide ones.
inline uint64_t LaneOffset(const abi::Operand& operand, uint32_t element_bytes,
                           uint32_t repeat, uint32_t lane) {
  const uint32_t lanes_per_block = kBlockBytes / element_bytes;
  return uint64_t{repeat} * operand.repeat_stride * kBlockBytes +
         uint64_t{lane / lanes_per_block} * operand.block_stride * kBlockBytes +
         uint64_t{lane % lanes_per_block} * element_bytes;
}

}  // namespace belay::npu

#endif  // BELAY_NPU_LANES_H_
