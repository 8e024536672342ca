// SPDX-License-Identifier: Apache-2.0
// Compare, CompareScalar, CompareToMask, and the comparison register.

#include <cstring>

#include "base/error.h"
#include "npu/vector/families.h"
#include "npu/vector/lane_access.h"
#include "npu/vector/variants.h"

namespace belay::npu {
namespace {

// Packs bytes 0 or 1 to bits, lane 0 to bit 0.
void PackBits(const uint8_t* flags, uint32_t lanes, uint64_t bits[2]) {
  bits[0] = bits[1] = 0;
  for (uint32_t lane = 0; lane < lanes; lane += 8) {
    uint64_t eight;
    std::memcpy(&eight, flags + lane, 8);
    // Gathers the lowest bit of each byte into the highest byte.
    const uint64_t packed = (eight * 0x0102040810204080u) >> 56;
    bits[lane >> 6] |= packed << (lane & 63);
  }
}

FlatFunction FunctionOf(const abi::Instruction& instruction) {
  const auto& table = instruction.op == abi::Op::kCompareScalar
                          ? Flat().compare_scalar
                          : Flat().compare;
  const FlatFunction function =
      table[instruction.mode][static_cast<int>(instruction.src0.dtype)];
  if (function == nullptr) {
    throw InternalError("comparison on types that were not checked");
  }
  return function;
}

}  // namespace

void ExecuteCompare(const abi::Instruction& instruction, const Lanes& lanes,
                    VectorState& state) {
  const FlatFunction function = FunctionOf(instruction);
  const bool scalar = instruction.op == abi::Op::kCompareScalar;
  const StridedOperand a(instruction.src0);
  const StridedOperand b(scalar ? instruction.src0 : instruction.src1);
  const uint32_t bytes_per_repeat = lanes.per_repeat / 8;
  auto* to = reinterpret_cast<uint8_t*>(instruction.dst.address);
  LaneBuffer a_lanes;
  LaneBuffer b_lanes;
  for (uint32_t repeat = 0; repeat < lanes.repeats; ++repeat) {
    const ActiveLanes active = ActiveLanesOf(lanes, repeat);
    uint8_t flags[kMaxLanes] = {};
    const uint8_t* from = a.Lanes(repeat, active, a_lanes);
    const uint8_t* other = scalar ? from : b.Lanes(repeat, active, b_lanes);
    function(flags, from, other, instruction.scalar, active.extent);
    uint64_t bits[2];
    PackBits(flags, lanes.per_repeat, bits);
    if (instruction.op == abi::Op::kCompareToMask) {
      // The whole register is written; lanes that are not active read as 0.
      state.compare_mask[0] = bits[0] & active.bits[0];
      state.compare_mask[1] = bits[1] & active.bits[1];
    } else {
      std::memcpy(to + uint64_t{repeat} * bytes_per_repeat, bits,
                  bytes_per_repeat);
    }
  }
}

void ExecuteCmpMask(const abi::Instruction& instruction, VectorState& state) {
  if (instruction.op == abi::Op::kGetCmpMask) {
    std::memcpy(reinterpret_cast<void*>(instruction.dst.address),
                state.compare_mask, sizeof state.compare_mask);
  } else {
    std::memcpy(state.compare_mask,
                reinterpret_cast<const void*>(instruction.src0.address),
                sizeof state.compare_mask);
  }
}

}  // namespace belay::npu
