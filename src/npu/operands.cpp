// SPDX-License-Identifier: Apache-2.0
#include "npu/operands.h"

#include <algorithm>
#include <cstring>

#include "base/dtype.h"
#include "npu/names.h"
#include "npu/vector/families.h"
#include "npu/vector/gather_mask.h"
#include "npu/vector/sort.h"
#include "npu/vector/transpose.h"

namespace belay::npu {
namespace {

// Calls f(repeat, first lane, lanes) for every run of active lanes that lies
// inside one 32-byte block of an operand with `per_block` lanes a block.
template <typename F>
void ForEachActiveRun(const Lanes& lanes, uint32_t per_block, F f) {
  for (uint32_t repeat = 0; repeat < lanes.repeats; ++repeat) {
    for (uint32_t first = 0; first < lanes.per_repeat; first += per_block) {
      const uint32_t end = std::min(first + per_block, lanes.per_repeat);
      uint32_t last = end;
      while (last > first && !lanes.Active(repeat, last - 1)) --last;
      if (last > first) f(repeat, first, last - first);
    }
  }
}

uint32_t ElementBytes(const abi::Operand& operand) {
  return static_cast<uint32_t>(BytesOf(operand.dtype, 2) / 2);
}

uint64_t LaneExtent(const abi::Operand& operand, const Lanes& lanes) {
  const uint64_t bits = BitsOf(operand.dtype);
  const auto per_block = static_cast<uint32_t>(kBlockBytes * 8 / bits);
  const uint32_t blocks = (lanes.per_repeat + per_block - 1) / per_block;
  if (lanes.repeats == 0) return 0;
  if (lanes.counter &&
      lanes.count == uint64_t{lanes.repeats} * lanes.per_repeat) {
    // All lanes: the last block reaches furthest.
    const uint64_t last = uint64_t{lanes.repeats - 1} * operand.repeat_stride +
                          uint64_t{blocks - 1} * operand.block_stride;
    const uint64_t in_last = lanes.per_repeat - (blocks - 1) * per_block;
    return last * kBlockBytes + (in_last * bits + 7) / 8;
  }
  if (lanes.counter && operand.block_stride == 1 &&
      operand.repeat_stride == blocks) {
    return (lanes.count * bits + 7) / 8;
  }
  uint64_t extent = 0;
  // Strides never go backwards, so the last two repeats reach furthest.
  Lanes tail = lanes;
  const uint32_t skipped = lanes.repeats > 2 ? lanes.repeats - 2 : 0;
  tail.repeats -= skipped;
  tail.count -= std::min(lanes.count, uint64_t{skipped} * lanes.per_repeat);
  ForEachActiveRun(tail, per_block,
                   [&](uint32_t repeat, uint32_t first, uint32_t count) {
                     const uint64_t begin =
                         (uint64_t{repeat + skipped} * operand.repeat_stride +
                          uint64_t{first / per_block} * operand.block_stride) *
                         kBlockBytes;
                     extent = std::max(extent, begin + (count * bits + 7) / 8);
                   });
  return extent;
}

OperandUse ByLane(const abi::Operand& operand, std::string_view role,
                  Access access, const Lanes& lanes) {
  return {operand, role, access, kBlockBytes, true, LaneExtent(operand, lanes)};
}

OperandUse Contiguous(const abi::Operand& operand, std::string_view role,
                      Access access, uint32_t alignment, uint64_t bytes) {
  return {operand, role, access, alignment, false, bytes};
}

// Bytes a packed bit mask of all lanes takes.
uint64_t BitBytes(const Lanes& lanes) {
  const uint64_t bits =
      lanes.counter ? lanes.count : uint64_t{lanes.repeats} * lanes.per_repeat;
  return (bits + 7) / 8;
}

OperandList ListReduceParts(const abi::Instruction& instruction,
                            const Lanes& lanes) {
  const PartResults results = ResultsOf(instruction, lanes.per_repeat);
  const uint64_t extent =
      lanes.repeats == 0
          ? 0
          : (lanes.repeats - 1) * results.stride_bytes + results.bytes;
  // A single result lies at a multiple of its size, several at 16 bytes.
  const auto alignment =
      static_cast<uint32_t>(std::min<uint64_t>(results.bytes, 16));
  return {
      {{Contiguous(instruction.dst, "dst", Access::kWrite, alignment, extent),
        ByLane(instruction.src0, "src", Access::kRead, lanes)}},
      2};
}

// Eight blocks a repeat, from `operand` on.
uint64_t BlocksExtent(const abi::Operand& operand, uint32_t repeats) {
  if (repeats == 0) return 0;
  // Brcb and Gatherb take a block stride of 0 as 1.
  const uint64_t block_stride = std::max<uint32_t>(operand.block_stride, 1);
  return (uint64_t{repeats - 1} * operand.repeat_stride + 7 * block_stride +
          1) *
         kBlockBytes;
}

// Blocks of the source fill halves of blocks of the destination.
OperandList ListCastDequant(const abi::Instruction& cast, const Lanes& lanes) {
  abi::Operand dst = cast.dst;
  const bool to_bytes = cast.src0.dtype == abi::DType::kInt16;
  if (to_bytes) dst.dtype = abi::DType::kInt16;
  OperandUse written = ByLane(dst, "dst", Access::kWrite, lanes);
  if (to_bytes) {
    written.extent =
        (written.extent + kBlockBytes - 1) / kBlockBytes * kBlockBytes;
  }
  return {{{written, ByLane(cast.src0, "src", Access::kRead, lanes)}}, 2};
}

OperandList ListGatherMask(const abi::Instruction& i, const Lanes& lanes) {
  const OperandUse dst =
      Contiguous(i.dst, "dst", Access::kWrite, kBlockBytes, 0);
  const OperandUse src0 = ByLane(i.src0, "src0", Access::kRead, lanes);
  if (i.gather_mask.pattern != 0) return {{{dst, src0}}, 2};
  const uint64_t bits = lanes.repeats == 0
                            ? 0
                            : uint64_t{lanes.repeats - 1} *
                                      i.gather_mask.src1_repeat_stride *
                                      kBlockBytes +
                                  (lanes.per_repeat + 7) / 8;
  return {
      {{dst, src0,
        Contiguous(i.src1, "src1Pattern", Access::kRead, kBlockBytes, bits)}},
      3};
}

OperandList ListSort(const abi::Instruction& i, const Lanes& lanes) {
  const auto rows = [&](const abi::Operand& operand, uint64_t row_bytes) {
    return lanes.repeats == 0 ? 0
                              : uint64_t{lanes.repeats - 1} *
                                        operand.repeat_stride * kBlockBytes +
                                    row_bytes;
  };
  const uint64_t sorted = lanes.per_repeat;
  return {{{Contiguous(i.dst, "dst", Access::kWrite, kBlockBytes,
                       rows(i.dst, sorted * kPairBytes)),
            Contiguous(i.src0, "src0", Access::kRead, kBlockBytes,
                       rows(i.src0, sorted * ElementBytes(i.src0))),
            Contiguous(i.src1, "src1", Access::kRead, kBlockBytes,
                       rows(i.src1, sorted * ElementBytes(i.src1)))}},
          3};
}

OperandList ListMerge(const abi::Instruction& merge, const Lanes& lanes) {
  constexpr std::string_view kRoles[] = {"src1", "src2", "src3", "src4"};
  const MergeCounts lengths = MergeLengths(merge);
  uint64_t pairs = 0;
  for (const uint32_t length : lengths) pairs += length;
  const uint64_t before =
      lanes.repeats == 0 ? 0 : (lanes.repeats - 1) * pairs * kPairBytes;
  const uint64_t written =
      merge.merge.stop_when_exhausted ? 0 : lanes.repeats * pairs * kPairBytes;
  OperandList list;
  list.use[list.count++] =
      Contiguous(merge.dst, "dst", Access::kWrite, kBlockBytes, written);
  for (int i = 0; i < kMergeLists; ++i) {
    if (lengths[i] == 0) continue;
    abi::Operand source = merge.src0;
    source.address = merge.merge.list[i];
    list.use[list.count++] = Contiguous(
        source, kRoles[i], Access::kRead, kPairBytes,
        lanes.repeats == 0 ? 0 : before + uint64_t{lengths[i]} * kPairBytes);
  }
  return list;
}

}  // namespace

BlockReach GatherbReach(const abi::Instruction& gatherb, const Lanes& lanes) {
  BlockReach reach;
  const uint64_t blocks = uint64_t{lanes.repeats} * lanes.per_repeat;
  for (uint64_t block = 0; block < blocks; ++block) {
    uint32_t offset;
    std::memcpy(&offset,
                reinterpret_cast<const uint8_t*>(gatherb.src1.address) +
                    block * sizeof offset,
                sizeof offset);
    reach.bytes = std::max(reach.bytes, uint64_t{offset} + kBlockBytes);
    if (offset % kBlockBytes != 0 && !reach.misaligned) {
      reach.misaligned = offset;
    }
  }
  return reach;
}

uint64_t GatherMaskReach(const abi::Instruction& gather_mask,
                         const Lanes& lanes) {
  return CountKept(gather_mask, lanes) * BytesOf(gather_mask.dst.dtype);
}

uint64_t MergeReach(const abi::Instruction& merge) {
  uint64_t pairs = 0;
  for (const uint32_t taken : MergeTaken(merge)) pairs += taken;
  return pairs * kPairBytes;
}

uint64_t GatherReach(const abi::Instruction& gather, const Lanes& lanes) {
  const auto element = static_cast<uint32_t>(BytesOf(gather.dst.dtype));
  uint64_t reach = 0;
  ForEachActiveRun(
      lanes, kBlockBytes / sizeof(uint32_t),
      [&](uint32_t repeat, uint32_t first, uint32_t count) {
        for (uint32_t lane = first; lane < first + count; ++lane) {
          if (!lanes.Active(repeat, lane)) continue;
          uint32_t offset;
          std::memcpy(&offset,
                      reinterpret_cast<const void*>(
                          gather.src1.address +
                          LaneOffset(gather.src1, sizeof offset, repeat, lane)),
                      sizeof offset);
          reach = std::max(reach, gather.scalar + offset + element);
        }
      });
  return reach;
}

PartResults ResultsOf(const abi::Instruction& instruction,
                      uint32_t lanes_per_repeat) {
  const uint64_t element = BytesOf(instruction.dst.dtype);
  uint64_t bytes = element;
  switch (instruction.op) {
    case abi::Op::kBlockReduceMax:
    case abi::Op::kBlockReduceMin:
    case abi::Op::kBlockReduceSum:
      bytes = kRepeatBytes / kBlockBytes * element;
      break;
    case abi::Op::kPairReduceSum:
      bytes = lanes_per_repeat / 2 * element;
      break;
    case abi::Op::kWholeReduceMax:
    case abi::Op::kWholeReduceMin:
      switch (static_cast<abi::ReduceOrder>(instruction.mode)) {
        case abi::ReduceOrder::kValueIndex:
        case abi::ReduceOrder::kIndexValue:
          bytes = 2 * element;
          break;
        case abi::ReduceOrder::kOnlyIndex:
          bytes = sizeof(uint32_t);
          break;
        case abi::ReduceOrder::kOnlyValue:
          break;
      }
      break;
    default:
      break;
  }
  return {bytes, instruction.dst.repeat_stride * bytes};
}

OperandList ListOperands(const abi::Instruction& instruction,
                         const Lanes& lanes) {
  const abi::Instruction& i = instruction;
  const auto lane_dst = [&] {
    return ByLane(i.dst, "dst",
                  ReadsDestination(i.op) ? Access::kReadWrite : Access::kWrite,
                  lanes);
  };
  switch (FamilyOf(i.op)) {
    case Family::kCast:
      if (i.op == abi::Op::kCastDequant) return ListCastDequant(i, lanes);
      [[fallthrough]];
    case Family::kUnary:
    case Family::kCopy:
    case Family::kScalar:
      return {{{lane_dst(), ByLane(i.src0, "src", Access::kRead, lanes)}}, 2};
    case Family::kBinary:
    case Family::kFused:
      return {{{lane_dst(), ByLane(i.src0, "src0", Access::kRead, lanes),
                ByLane(i.src1, "src1", Access::kRead, lanes)}},
              3};
    case Family::kCompare: {
      const OperandUse src0 = ByLane(i.src0, "src0", Access::kRead, lanes);
      const OperandUse bits = Contiguous(i.dst, "dst", Access::kWrite,
                                         kBlockBytes, BitBytes(lanes));
      if (i.op == abi::Op::kCompareScalar) return {{{bits, src0}}, 2};
      const OperandUse src1 = ByLane(i.src1, "src1", Access::kRead, lanes);
      if (i.op == abi::Op::kCompareToMask) return {{{src0, src1}}, 2};
      return {{{bits, src0, src1}}, 3};
    }
    case Family::kCmpMask:
      if (i.op == abi::Op::kGetCmpMask) {
        return {{{Contiguous(i.dst, "dst", Access::kWrite, 16, 16)}}, 1};
      }
      return {{{Contiguous(i.src0, "src", Access::kRead, 16, 16)}}, 1};
    case Family::kSelect: {
      const auto mode = static_cast<abi::Select>(i.mode);
      const OperandUse src0 = ByLane(i.src0, "src0", Access::kRead, lanes);
      const bool fixed_bits = mode == abi::Select::kCmpMaskRegister;
      const OperandUse bits =
          Contiguous(i.src2, "selMask", Access::kRead, kBlockBytes,
                     fixed_bits ? lanes.per_repeat / 8 : BitBytes(lanes));
      if (mode == abi::Select::kTensorScalar)
        return {{{lane_dst(), src0, bits}}, 3};
      // Without an address the bits are those of the comparison register.
      return {{{lane_dst(), src0, ByLane(i.src1, "src1", Access::kRead, lanes),
                bits}},
              fixed_bits && i.src2.address == 0 ? 3 : 4};
    }
    case Family::kReduce:
      return {{{Contiguous(i.dst, "dst", Access::kWrite, ElementBytes(i.dst),
                           (i.mode != 0 ? 2 : 1) * ElementBytes(i.dst)),
                ByLane(i.src0, "src", Access::kRead, lanes),
                Contiguous(i.src1, "work", Access::kWrite, kBlockBytes, 0)}},
              i.src1.address == 0 ? 2 : 3};
    case Family::kReduceParts:
      return ListReduceParts(i, lanes);
    case Family::kDuplicate:
    case Family::kIndex:
      return {{{lane_dst()}}, 1};
    case Family::kGather:
      return {{{lane_dst(), ByLane(i.src1, "srcOffset", Access::kRead, lanes),
                Contiguous(i.src0, "src", Access::kRead, kBlockBytes, 0)}},
              3};
    case Family::kBrcb:
      // Eight elements a repeat, each to a whole block.
      return {{{Contiguous(i.dst, "dst", Access::kWrite, kBlockBytes,
                           BlocksExtent(i.dst, lanes.repeats)),
                Contiguous(i.src0, "src", Access::kRead, kBlockBytes,
                           uint64_t{lanes.repeats} * 8 * ElementBytes(i.dst))}},
              2};
    case Family::kGatherb:
      return {{{Contiguous(i.dst, "dst", Access::kWrite, kBlockBytes,
                           BlocksExtent(i.dst, lanes.repeats)),
                Contiguous(i.src1, "offset", Access::kRead, kBlockBytes,
                           uint64_t{lanes.repeats} * 8 * sizeof(uint32_t)),
                Contiguous(i.src0, "src", Access::kRead, kBlockBytes, 0)}},
              3};
    case Family::kGatherMask:
      return ListGatherMask(i, lanes);
    case Family::kSort:
      return ListSort(i, lanes);
    case Family::kMerge:
      return ListMerge(i, lanes);
    case Family::kTranspose: {
      constexpr uint64_t kBytes =
          uint64_t{kTransposeRows} * kTransposeRows * sizeof(uint16_t);
      return {{{Contiguous(i.dst, "dst", Access::kWrite, kBlockBytes, kBytes),
                Contiguous(i.src0, "src", Access::kRead, kBlockBytes, kBytes)}},
              2};
    }
    default:
      return {};
  }
}

}  // namespace belay::npu
