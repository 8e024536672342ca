// SPDX-License-Identifier: Apache-2.0
// Gatherb: whole 32-byte blocks, each from an offset of its own.

#include <cstring>
#include <vector>

#include "npu/vector/families.h"
#include "npu/vector/lane_access.h"

namespace belay::npu {

void ExecuteGatherb(const abi::Instruction& instruction, const Lanes& lanes) {
  constexpr uint32_t kBlocks = kRepeatBytes / kBlockBytes;
  const abi::Operand& dst = instruction.dst;
  const auto* table =
      reinterpret_cast<const uint8_t*>(instruction.src0.address);
  const auto* offsets =
      reinterpret_cast<const uint8_t*>(instruction.src1.address);
  const uint64_t offset_bytes =
      uint64_t{lanes.repeats} * kBlocks * sizeof(uint32_t);
  // Only what offsets were when they were checked may be followed.
  std::vector<uint8_t> aside;
  if (MayOverlap(dst, lanes.repeats, instruction.src1.address, offset_bytes)) {
    aside.assign(offsets, offsets + offset_bytes);
    offsets = aside.data();
  }
  auto* to = reinterpret_cast<uint8_t*>(dst.address);
  // The page: a block stride of 0 acts as 1.
  const uint64_t block_stride = dst.block_stride == 0 ? 1 : dst.block_stride;
  for (uint32_t repeat = 0; repeat < lanes.repeats; ++repeat) {
    uint8_t blocks[kBlocks][kBlockBytes];
    for (uint32_t i = 0; i < kBlocks; ++i) {
      uint32_t offset;
      std::memcpy(&offset,
                  offsets + (uint64_t{repeat} * kBlocks + i) * sizeof offset,
                  sizeof offset);
      std::memcpy(blocks[i], table + offset, kBlockBytes);
    }
    for (uint32_t i = 0; i < kBlocks; ++i) {
      const uint64_t block =
          uint64_t{repeat} * dst.repeat_stride + i * block_stride;
      std::memcpy(to + block * kBlockBytes, blocks[i], kBlockBytes);
    }
  }
}

}  // namespace belay::npu
