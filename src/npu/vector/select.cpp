// SPDX-License-Identifier: Apache-2.0
// Select: each lane from one of two sources, by a bit.
//
// Mode 0 uses the same bits in every repeat: those of src2, which go through
// the comparison register, or the register as it is if src2 has no address.
// Modes 1 and 2 use up a repeat's worth of the bits of src2 with each repeat.

#include <cstring>

#include "npu/vector/families.h"
#include "npu/vector/lane_access.h"

namespace belay::npu {
namespace {

void ReadBits(const abi::Operand& operand, uint64_t offset, uint32_t lanes,
              uint64_t bits[2]) {
  bits[0] = bits[1] = 0;
  std::memcpy(bits, reinterpret_cast<const void*>(operand.address + offset),
              lanes / 8);
}

// a[i] where the bit is set, else b[i]; eight lanes at a time.
template <typename T>
void SelectLanes(const LaneBuffer& a, const LaneBuffer& b,
                 const uint64_t bits[2], uint32_t lanes, LaneBuffer& result) {
  constexpr uint8_t kBit[8] = {1, 2, 4, 8, 16, 32, 64, 128};
  for (uint32_t lane = 0; lane < lanes; lane += 8) {
    const auto eight = static_cast<uint8_t>(bits[lane >> 6] >> (lane & 63));
    T from_a[8];
    T from_b[8];
    std::memcpy(from_a, a.bytes + lane * sizeof(T), sizeof from_a);
    std::memcpy(from_b, b.bytes + lane * sizeof(T), sizeof from_b);
    for (int k = 0; k < 8; ++k) {
      from_b[k] = (eight & kBit[k]) != 0 ? from_a[k] : from_b[k];
    }
    std::memcpy(result.bytes + lane * sizeof(T), from_b, sizeof from_b);
  }
}

}  // namespace

void ExecuteSelect(const abi::Instruction& instruction, const Lanes& lanes,
                   VectorState& state) {
  const auto mode = static_cast<abi::Select>(instruction.mode);
  const bool scalar = mode == abi::Select::kTensorScalar;
  const StridedOperand dst(instruction.dst);
  const StridedOperand a(instruction.src0);
  const StridedOperand b(scalar ? instruction.src0 : instruction.src1);
  const uint32_t bytes = dst.element_bits() / 8;
  LaneBuffer a_lanes;
  LaneBuffer b_lanes;
  LaneBuffer result;
  if (scalar) {
    for (uint32_t at = 0; at < kRepeatBytes; at += bytes) {
      std::memcpy(b_lanes.bytes + at, &instruction.scalar, bytes);
    }
  }
  if (mode == abi::Select::kCmpMaskRegister && instruction.src2.address != 0) {
    ReadBits(instruction.src2, 0, lanes.per_repeat, state.compare_mask);
  }
  for (uint32_t repeat = 0; repeat < lanes.repeats; ++repeat) {
    const ActiveLanes active = ActiveLanesOf(lanes, repeat);
    uint64_t bits[2] = {state.compare_mask[0], state.compare_mask[1]};
    if (mode != abi::Select::kCmpMaskRegister) {
      // No more bytes than the active lanes need: the mask may end there.
      ReadBits(instruction.src2, uint64_t{repeat} * lanes.per_repeat / 8,
               (active.extent + 7) / 8 * 8, bits);
    }
    a.Gather(repeat, active, a_lanes);
    if (!scalar) b.Gather(repeat, active, b_lanes);
    if (bytes == 2) {
      SelectLanes<uint16_t>(a_lanes, b_lanes, bits, active.extent, result);
    } else {
      SelectLanes<uint32_t>(a_lanes, b_lanes, bits, active.extent, result);
    }
    dst.Scatter(repeat, active, result);
  }
}

}  // namespace belay::npu
