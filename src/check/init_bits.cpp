// SPDX-License-Identifier: Apache-2.0
// Compare, Select and the comparison register on the shadow: one bit per lane,
// and one bit of shadow for it.

#include <cstring>

#include "check/init_lanes.h"
#include "npu/vector/lane_access.h"

namespace belay::check {
namespace {

using npu::ActiveLanes;
using npu::LaneBuffer;
using npu::StridedOperand;

void SetBit(uint64_t bits[2], uint32_t lane) {
  bits[lane >> 6] |= uint64_t{1} << (lane & 63);
}

bool HasBit(const uint64_t bits[2], uint32_t lane) {
  return bits[lane >> 6] >> (lane & 63) & 1;
}

void LoadBits(const void* from, uint32_t lanes, uint64_t bits[2]) {
  bits[0] = bits[1] = 0;
  std::memcpy(bits, from, (lanes + 7) / 8);
}

// What Select takes where a bit is not set: a tensor, a scalar, or a scalar
// out of the comparison register, which may be undefined.
struct Otherwise {
  StridedOperand tensor;
  bool is_tensor;
  bool scalar_set;

  Otherwise(const LaneWork& work, abi::Select mode)
      : tensor(ShadowOperand(work, mode == abi::Select::kTensorScalar
                                       ? work.instruction().src0
                                       : work.instruction().src1)),
        is_tensor(mode != abi::Select::kTensorScalar),
        scalar_set(!is_tensor && work.instruction().src1.address == 0 &&
                   work.instruction().src1.dtype != abi::DType::kNone &&
                   static_cast<uint32_t>(work.compare_bits[0]) != 0) {}

  void Load(uint32_t repeat, const ActiveLanes& active,
            LaneBuffer& buffer) const {
    if (is_tensor) return tensor.Gather(repeat, active, buffer);
    std::memset(buffer.bytes, scalar_set ? 0xff : 0, sizeof buffer.bytes);
  }
};

}  // namespace

void PropagateCompare(LaneWork& work) {
  const abi::Instruction& compare = work.instruction();
  const npu::Lanes& lanes = work.lanes();
  const bool scalar = compare.op == abi::Op::kCompareScalar;
  const StridedOperand a(ShadowOperand(work, compare.src0));
  const StridedOperand b(
      ShadowOperand(work, scalar ? compare.src0 : compare.src1));
  const uint32_t bytes = a.element_bits() / 8;
  const uint32_t bytes_per_repeat = lanes.per_repeat / 8;
  LaneBuffer from_a;
  LaneBuffer from_b;
  for (uint32_t repeat = 0; repeat < lanes.repeats; ++repeat) {
    const ActiveLanes active = npu::ActiveLanesOf(lanes, repeat);
    a.Gather(repeat, active, from_a);
    b.Gather(repeat, active, from_b);
    uint64_t bits[2] = {0, 0};
    for (uint32_t lane = 0; lane < active.extent; ++lane) {
      if (!active.Has(lane)) continue;
      if (AnySet(from_a.bytes + lane * bytes, bytes) ||
          AnySet(from_b.bytes + lane * bytes, bytes)) {
        SetBit(bits, lane);
      }
    }
    if (compare.op == abi::Op::kCompareToMask) {
      work.compare_bits[0] = bits[0];
      work.compare_bits[1] = bits[1];
    } else {
      std::memcpy(work.shadow.ShadowOf(compare.dst.address +
                                       uint64_t{repeat} * bytes_per_repeat),
                  bits, bytes_per_repeat);
    }
  }
}

void PropagateCmpMask(LaneWork& work) {
  constexpr size_t kBytes = 2 * sizeof(uint64_t);
  if (work.instruction().op == abi::Op::kGetCmpMask) {
    std::memcpy(work.shadow.ShadowOf(work.instruction().dst.address),
                work.compare_bits, kBytes);
  } else {
    std::memcpy(work.compare_bits,
                work.shadow.ShadowOf(work.instruction().src0.address), kBytes);
  }
}

void PropagateSelect(LaneWork& work) {
  const abi::Instruction& select = work.instruction();
  const npu::Lanes& lanes = work.lanes();
  const auto mode = static_cast<abi::Select>(select.mode);
  const bool by_register = mode == abi::Select::kCmpMaskRegister;
  const StridedOperand dst(ShadowOperand(work, select.dst));
  const StridedOperand a(ShadowOperand(work, select.src0));
  const Otherwise otherwise(work, mode);
  const uint32_t bytes = dst.element_bits() / 8;
  const auto* mask = reinterpret_cast<const uint8_t*>(select.src2.address);
  uint64_t bits[2] = {work.event.core.vector.compare_mask[0],
                      work.event.core.vector.compare_mask[1]};
  if (by_register && select.src2.address != 0) {
    LoadBits(mask, lanes.per_repeat, bits);
    LoadBits(work.shadow.ShadowOf(select.src2.address), lanes.per_repeat,
             work.compare_bits);
  }
  uint64_t undefined[2] = {work.compare_bits[0], work.compare_bits[1]};
  LaneBuffer from_a;
  LaneBuffer from_b;
  LaneBuffer result;
  for (uint32_t repeat = 0; repeat < lanes.repeats; ++repeat) {
    const ActiveLanes active = npu::ActiveLanesOf(lanes, repeat);
    if (!by_register) {
      const uint64_t at = uint64_t{repeat} * lanes.per_repeat / 8;
      LoadBits(mask + at, active.extent, bits);
      LoadBits(work.shadow.ShadowOf(select.src2.address + at), active.extent,
               undefined);
    }
    a.Gather(repeat, active, from_a);
    otherwise.Load(repeat, active, from_b);
    for (uint32_t lane = 0; lane < active.extent; ++lane) {
      uint8_t* to = result.bytes + lane * bytes;
      if (HasBit(undefined, lane)) {
        std::memset(to, 0xff, bytes);
      } else {
        const LaneBuffer& from = HasBit(bits, lane) ? from_a : from_b;
        std::memcpy(to, from.bytes + lane * bytes, bytes);
      }
    }
    dst.Scatter(repeat, active, result);
  }
}

}  // namespace belay::check
