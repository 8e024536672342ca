// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_NPU_VECTOR_LANE_ACCESS_H_
#define BELAY_NPU_VECTOR_LANE_ACCESS_H_

// Bringing the lanes of one repeat together from a strided operand, and taking
// results back. Only the blocks in which a lane is active are touched.

#include <cstddef>
#include <cstdint>

#include "npu/lanes.h"

namespace belay::npu {

// The most lanes a repeat has: 16-bit elements.
inline constexpr uint32_t kMaxLanes = 128;

// The active lanes of one repeat.
struct ActiveLanes {
  uint64_t bits[2] = {0, 0};
  uint32_t extent = 0;  // one past the last active lane; 0 if there is none
  bool leading = true;  // lanes 0 to extent - 1 are all active

  bool Has(uint32_t lane) const { return bits[lane >> 6] >> (lane & 63) & 1; }

  // Bits of lanes first to first + count - 1, from bit 0; count <= 64, and
  // the range does not cross lane 64.
  uint64_t Range(uint32_t first, uint32_t count) const {
    const uint64_t from = bits[first >> 6] >> (first & 63);
    return count == 64 ? from : from & ((uint64_t{1} << count) - 1);
  }
};

ActiveLanes ActiveLanesOf(const Lanes& lanes, uint32_t repeat);

// Room for the lanes of one repeat, at most 8 bytes each in 256 bytes, or one
// byte each for int4.
struct LaneBuffer {
  alignas(64) uint8_t bytes[kRepeatBytes] = {};
};

// Whether an operand by repeats may share bytes with [begin, begin + bytes).
// May say so when it does not.
inline bool MayOverlap(const abi::Operand& operand, uint32_t repeats,
                       uint64_t begin, uint64_t bytes) {
  const uint64_t reach = (uint64_t{repeats} * operand.repeat_stride +
                          uint64_t{8} * (operand.block_stride + 1)) *
                         kBlockBytes;
  return begin < operand.address + reach && operand.address < begin + bytes;
}

// A strided operand. In buffers int4 lanes lie one a byte, sign-extended;
// all others as in memory.
class StridedOperand {
 public:
  explicit StridedOperand(const abi::Operand& operand);

  uint32_t element_bits() const { return element_bits_; }
  bool packed() const { return element_bits_ < 8; }

  // True when the lanes of one repeat lie side by side.
  bool RowsAreContiguous(uint32_t lanes) const {
    return block_stride_ == 1 || lanes <= lanes_per_block_;
  }

  // True when all lanes of all repeats lie side by side.
  bool IsContiguous(const Lanes& lanes) const {
    const uint32_t blocks =
        (lanes.per_repeat + lanes_per_block_ - 1) / lanes_per_block_;
    return block_stride_ == 1 &&
           (repeat_stride_ == blocks || lanes.repeats <= 1);
  }

  // Where lane 0 of a repeat lies.
  uint8_t* Row(uint32_t repeat) const {
    return base_ + uint64_t{repeat} * repeat_stride_ * kBlockBytes;
  }

  // The lanes of a repeat where they lie if that is side by side, or gathered
  // into `buffer`. Not for int4.
  const uint8_t* Lanes(uint32_t repeat, const ActiveLanes& active,
                       LaneBuffer& buffer) const {
    if (active.leading && RowsAreContiguous(active.extent)) return Row(repeat);
    Gather(repeat, active, buffer);
    return buffer.bytes;
  }

  // Reads the active lanes of a repeat into `buffer`, each at its place. What
  // inactive lanes hold afterwards is unspecified.
  void Gather(uint32_t repeat, const ActiveLanes& active,
              LaneBuffer& buffer) const;

  // Writes the active lanes and no other byte (no other nibble for int4).
  void Scatter(uint32_t repeat, const ActiveLanes& active,
               const LaneBuffer& buffer) const;

 private:
  void GatherNibbles(const uint8_t* row, const ActiveLanes& active,
                     LaneBuffer& buffer) const;
  void ScatterNibbles(uint8_t* row, const ActiveLanes& active,
                      const LaneBuffer& buffer) const;

  uint8_t* base_;
  uint64_t block_stride_;   // blocks
  uint64_t repeat_stride_;  // blocks
  uint32_t element_bits_;
  uint32_t lanes_per_block_;
};

}  // namespace belay::npu

#endif  // BELAY_NPU_VECTOR_LANE_ACCESS_H_
