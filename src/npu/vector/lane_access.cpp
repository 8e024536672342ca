// SPDX-License-Identifier: Apache-2.0
#include "npu/vector/lane_access.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/dtype.h"

namespace belay::npu {

ActiveLanes ActiveLanesOf(const Lanes& lanes, uint32_t repeat) {
  ActiveLanes active;
  if (lanes.counter) {
    const uint64_t before = uint64_t{repeat} * lanes.per_repeat;
    const uint64_t left = lanes.count > before ? lanes.count - before : 0;
    active.extent =
        static_cast<uint32_t>(std::min<uint64_t>(left, lanes.per_repeat));
    SetLeadingLanes(active.extent, active.bits);
    return active;
  }
  active.bits[0] = lanes.mask[0];
  active.bits[1] = lanes.mask[1];
  active.extent = active.bits[1] != 0 ? 64 + std::bit_width(active.bits[1])
                                      : std::bit_width(active.bits[0]);
  const int lanes_set =
      std::popcount(active.bits[0]) + std::popcount(active.bits[1]);
  active.leading = static_cast<uint32_t>(lanes_set) == active.extent;
  return active;
}

StridedOperand::StridedOperand(const abi::Operand& operand)
    : base_(reinterpret_cast<uint8_t*>(operand.address)),
      block_stride_(operand.block_stride),
      repeat_stride_(operand.repeat_stride),
      element_bits_(static_cast<uint32_t>(BitsOf(operand.dtype))),
      lanes_per_block_(kBlockBytes * 8 / element_bits_) {}

void StridedOperand::Gather(uint32_t repeat, const ActiveLanes& active,
                            LaneBuffer& buffer) const {
  const uint8_t* row = Row(repeat);
  if (packed()) return GatherNibbles(row, active, buffer);
  const uint32_t bytes = element_bits_ / 8;
  for (uint32_t lane = 0; lane < active.extent; lane += lanes_per_block_) {
    const uint64_t bits = active.Range(lane, lanes_per_block_);
    if (bits == 0) continue;
    // A block ends with its last active lane: beyond it memory may end too.
    std::memcpy(buffer.bytes + lane * bytes,
                row + lane / lanes_per_block_ * block_stride_ * kBlockBytes,
                static_cast<size_t>(std::bit_width(bits)) * bytes);
  }
}

void StridedOperand::Scatter(uint32_t repeat, const ActiveLanes& active,
                             const LaneBuffer& buffer) const {
  uint8_t* row = Row(repeat);
  if (packed()) return ScatterNibbles(row, active, buffer);
  const uint32_t bytes = element_bits_ / 8;
  for (uint32_t lane = 0; lane < active.extent; lane += lanes_per_block_) {
    uint64_t bits = active.Range(lane, lanes_per_block_);
    uint8_t* block =
        row + lane / lanes_per_block_ * block_stride_ * kBlockBytes;
    const uint8_t* from = buffer.bytes + lane * bytes;
    uint32_t at = 0;
    while (bits != 0) {
      const auto skipped = static_cast<uint32_t>(std::countr_zero(bits));
      at += skipped;
      bits >>= skipped;
      const auto run = static_cast<uint32_t>(std::countr_one(bits));
      std::memcpy(block + at * bytes, from + at * bytes, size_t{run} * bytes);
      at += run;
      bits = run == 64 ? 0 : bits >> run;
    }
  }
}

void StridedOperand::GatherNibbles(const uint8_t* row,
                                   const ActiveLanes& active,
                                   LaneBuffer& buffer) const {
  for (uint32_t lane = 0; lane < active.extent; ++lane) {
    if (!active.Has(lane)) continue;
    const uint8_t* block =
        row + lane / lanes_per_block_ * block_stride_ * kBlockBytes;
    const uint32_t within = lane % lanes_per_block_;
    const int nibble = block[within / 2] >> (within % 2 * 4) & 0xf;
    buffer.bytes[lane] = static_cast<uint8_t>((nibble ^ 8) - 8);
  }
}

void StridedOperand::ScatterNibbles(uint8_t* row, const ActiveLanes& active,
                                    const LaneBuffer& buffer) const {
  for (uint32_t lane = 0; lane < active.extent; ++lane) {
    if (!active.Has(lane)) continue;
    uint8_t* block =
        row + lane / lanes_per_block_ * block_stride_ * kBlockBytes;
    const uint32_t within = lane % lanes_per_block_;
    uint8_t& byte = block[within / 2];
    const uint32_t shift = within % 2 * 4;
    byte = static_cast<uint8_t>((byte & ~(0xf << shift)) |
                                (buffer.bytes[lane] & 0xf) << shift);
  }
}

}  // namespace belay::npu
