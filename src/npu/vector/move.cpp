// SPDX-License-Identifier: Apache-2.0
// Duplicate, Gather and Brcb: elements move, nothing is computed.

#include <cstring>
#include <vector>

#include "base/dtype.h"
#include "npu/vector/families.h"
#include "npu/vector/lane_access.h"

namespace belay::npu {
namespace {

// Fills `count` elements of `bytes` (2 or 4) with the low bytes of `bits`.
void Fill(uint8_t* to, uint64_t bits, uint32_t bytes, uint64_t count) {
  uint64_t word = bits & (bytes == 2 ? 0xffffu : 0xffffffffu);
  for (uint32_t width = bytes * 8; width < 64; width *= 2) {
    word |= word << width;
  }
  const uint64_t block[] = {word, word, word, word};
  const uint64_t total = count * bytes;
  uint64_t at = 0;
  for (; at + sizeof block <= total; at += sizeof block) {
    std::memcpy(to + at, block, sizeof block);
  }
  std::memcpy(to + at, block, total - at);
}

}  // namespace

void ExecuteDuplicate(const abi::Instruction& instruction, const Lanes& lanes) {
  const StridedOperand dst(instruction.dst);
  const uint32_t bytes = dst.element_bits() / 8;
  if (lanes.counter && dst.IsContiguous(lanes)) {
    Fill(dst.Row(0), instruction.scalar, bytes, lanes.count);
    return;
  }
  LaneBuffer filled;
  Fill(filled.bytes, instruction.scalar, bytes, kRepeatBytes / bytes);
  for (uint32_t repeat = 0; repeat < lanes.repeats; ++repeat) {
    dst.Scatter(repeat, ActiveLanesOf(lanes, repeat), filled);
  }
}

void ExecuteGather(const abi::Instruction& instruction, const Lanes& lanes) {
  const StridedOperand dst(instruction.dst);
  const uint32_t bytes = dst.element_bits() / 8;
  const auto* table = reinterpret_cast<const uint8_t*>(
      instruction.src0.address + instruction.scalar);
  const auto gather = [&](uint32_t repeat, const ActiveLanes& active,
                          LaneBuffer& gathered) {
    for (uint32_t lane = 0; lane < active.extent; ++lane) {
      if (!active.Has(lane)) continue;
      uint32_t offset;
      std::memcpy(
          &offset,
          reinterpret_cast<const void*>(
              instruction.src1.address +
              LaneOffset(instruction.src1, sizeof offset, repeat, lane)),
          sizeof offset);
      std::memcpy(gathered.bytes + lane * bytes, table + offset, bytes);
    }
  };
  // Offsets are read before results lie over them: only what they were when
  // they were checked may be followed.
  const abi::Operand& offsets = instruction.src1;
  const uint64_t offset_bytes =
      (uint64_t{lanes.repeats} * offsets.repeat_stride +
       uint64_t{8} * (offsets.block_stride + 1)) *
      kBlockBytes;
  if (MayOverlap(instruction.dst, lanes.repeats, offsets.address,
                 offset_bytes)) {
    std::vector<LaneBuffer> gathered(lanes.repeats);
    for (uint32_t repeat = 0; repeat < lanes.repeats; ++repeat) {
      gather(repeat, ActiveLanesOf(lanes, repeat), gathered[repeat]);
    }
    for (uint32_t repeat = 0; repeat < lanes.repeats; ++repeat) {
      dst.Scatter(repeat, ActiveLanesOf(lanes, repeat), gathered[repeat]);
    }
    return;
  }
  LaneBuffer gathered;
  for (uint32_t repeat = 0; repeat < lanes.repeats; ++repeat) {
    const ActiveLanes active = ActiveLanesOf(lanes, repeat);
    gather(repeat, active, gathered);
    dst.Scatter(repeat, active, gathered);
  }
}

void ExecuteBrcb(const abi::Instruction& instruction, const Lanes& lanes) {
  constexpr uint32_t kBlocks = kRepeatBytes / kBlockBytes;
  const abi::Operand& dst = instruction.dst;
  const auto bytes = static_cast<uint32_t>(BytesOf(dst.dtype));
  const auto* from = reinterpret_cast<const uint8_t*>(instruction.src0.address);
  auto* to = reinterpret_cast<uint8_t*>(dst.address);
  // The page: a block stride of 0 acts as 1.
  const uint64_t block_stride = dst.block_stride == 0 ? 1 : dst.block_stride;
  for (uint32_t repeat = 0; repeat < lanes.repeats; ++repeat) {
    uint64_t elements[kBlocks] = {};
    for (uint32_t i = 0; i < kBlocks; ++i) {
      std::memcpy(&elements[i], from + (uint64_t{repeat} * kBlocks + i) * bytes,
                  bytes);
    }
    for (uint32_t i = 0; i < kBlocks; ++i) {
      const uint64_t block =
          uint64_t{repeat} * dst.repeat_stride + i * block_stride;
      Fill(to + block * kBlockBytes, elements[i], bytes, kBlockBytes / bytes);
    }
  }
}

}  // namespace belay::npu
