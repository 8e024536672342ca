// SPDX-License-Identifier: Apache-2.0
// GatherMask: the elements whose bit is set, one after the other.
//
// A repeat has 256 bytes, or as many elements as `count` says. Its bits are
// taken from a built-in pattern, or from src1 one after the other, starting
// anew src1_repeat_stride blocks further with each repeat.

#include "npu/vector/gather_mask.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/dtype.h"
#include "npu/vector/families.h"

namespace belay::npu {
namespace {

// By number: every second element, every fourth, all.
constexpr uint32_t kPatterns[] = {0,      0x5555, 0xaaaa, 0x1111,
                                  0x2222, 0x4444, 0x8888, 0xffff};

uint32_t LanesPerBlock(const abi::Operand& operand) {
  return static_cast<uint32_t>(kBlockBytes / BytesOf(operand.dtype));
}

// Calls f(repeat, first lane, lanes) for every block.
template <typename F>
void ForEachBlock(const Lanes& lanes, uint32_t per_block, F f) {
  for (uint32_t repeat = 0; repeat < lanes.repeats; ++repeat) {
    for (uint32_t first = 0; first < lanes.per_repeat; first += per_block) {
      f(repeat, first, std::min(per_block, lanes.per_repeat - first));
    }
  }
}

}  // namespace

uint32_t KeptLanes(const abi::Instruction& gather_mask, uint32_t repeat,
                   uint32_t first, uint32_t count) {
  const uint32_t lanes = (1u << count) - 1;
  const abi::GatherMaskParams& params = gather_mask.gather_mask;
  if (params.pattern != 0) return kPatterns[params.pattern] & lanes;
  uint16_t bits = 0;
  std::memcpy(&bits,
              reinterpret_cast<const uint8_t*>(gather_mask.src1.address) +
                  uint64_t{repeat} * params.src1_repeat_stride * kBlockBytes +
                  first / 8,
              (count + 7) / 8);
  return bits & lanes;
}

uint64_t CountKept(const abi::Instruction& gather_mask, const Lanes& lanes) {
  uint64_t kept = 0;
  ForEachBlock(
      lanes, LanesPerBlock(gather_mask.src0),
      [&](uint32_t repeat, uint32_t first, uint32_t count) {
        kept += std::popcount(KeptLanes(gather_mask, repeat, first, count));
      });
  return kept;
}

void ExecuteGatherMask(const abi::Instruction& instruction, const Lanes& lanes,
                       VectorState& state) {
  const abi::Operand& src = instruction.src0;
  const auto bytes = static_cast<uint32_t>(BytesOf(src.dtype));
  const auto* base = reinterpret_cast<const uint8_t*>(src.address);
  auto* const begin = reinterpret_cast<uint8_t*>(instruction.dst.address);
  uint8_t* to = begin;
  ForEachBlock(lanes, LanesPerBlock(src),
               [&](uint32_t repeat, uint32_t first, uint32_t count) {
                 uint8_t block[kBlockBytes];
                 std::memcpy(block,
                             base + LaneOffset(src, bytes, repeat, first),
                             uint64_t{count} * bytes);
                 uint32_t kept = KeptLanes(instruction, repeat, first, count);
                 for (; kept != 0; kept &= kept - 1) {
                   const auto lane = std::countr_zero(kept);
                   std::memcpy(to, block + lane * bytes, bytes);
                   to += bytes;
                 }
               });
  state.gathered = static_cast<uint64_t>(to - begin) / bytes;
}

}  // namespace belay::npu
