// SPDX-License-Identifier: Apache-2.0
#include "npu/footprint.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/dtype.h"
#include "npu/cube/footprint.h"
#include "npu/names.h"
#include "npu/transfer.h"
#include "npu/vector/dequant.h"
#include "npu/vector/families.h"
#include "npu/vector/gather_mask.h"
#include "npu/vector/sort.h"
#include "npu/vector/transpose.h"

namespace belay::npu {
namespace {

using Shape = FootprintUse::Shape;

constexpr uint32_t kBlocksPerRepeat = kRepeatBytes / kBlockBytes;

// How the lanes of one repeat lie.
struct Layout {
  uint64_t address;
  uint32_t lane_bits;
  uint32_t lanes_per_run;
  uint64_t run_stride;     // bytes
  uint64_t repeat_stride;  // bytes
};

Layout BlocksOf(const abi::Operand& operand, uint32_t lane_bits) {
  return {operand.address, lane_bits, kBlockBytes * 8 / lane_bits,
          uint64_t{operand.block_stride} * kBlockBytes,
          uint64_t{operand.repeat_stride} * kBlockBytes};
}

FootprintUse UseOf(const abi::Operand& operand, std::string_view role,
                   Access access) {
  FootprintUse use{};
  use.role = role;
  use.access = access;
  use.memory = operand.memory;
  use.dtype = operand.dtype;
  use.address = operand.address;
  return use;
}

RunPattern PatternOf(uint64_t lanes, const Layout& layout) {
  return {static_cast<uint32_t>(lanes / layout.lanes_per_run),
          static_cast<uint32_t>(
              (lanes % layout.lanes_per_run * layout.lane_bits + 7) / 8)};
}

uint64_t BytesOfPattern(const RunPattern& pattern, uint64_t run_bytes) {
  return pattern.runs * run_bytes + pattern.last_bytes;
}

// Brings kRuns to its simplest form: what lies side by side is one run, what
// is repeated in place comes once.
void Simplify(FootprintUse& use) {
  if (use.run_stride == 0) {
    // The last, shorter run lies inside the others.
    for (RunPattern* pattern : {&use.body, &use.tail}) {
      if (pattern->runs > 0) *pattern = {1, 0};
    }
  }
  if (use.repeats > 0 && use.repeat_stride == 0) {
    use.repeats = 1;
    use.tail = {};
  }
  if (use.repeats == 0) {
    use.body = use.tail;
    use.repeats = 1;
    use.tail = {};
  }
  const bool has_tail = use.tail.runs != 0 || use.tail.last_bytes != 0;
  if (use.run_stride == use.run_bytes) {
    const uint64_t tail = BytesOfPattern(use.tail, use.run_bytes);
    use.run_bytes = BytesOfPattern(use.body, use.run_bytes);
    use.body = {1, 0};
    use.tail = {0, static_cast<uint32_t>(tail)};
  } else if (use.body.runs == 0 && !has_tail) {
    use.run_bytes = use.body.last_bytes;
    use.body = {1, 0};
  }
  if (use.body.runs == 1 && use.body.last_bytes == 0 && use.tail.runs == 0 &&
      (use.repeats == 1
           ? use.tail.last_bytes == 0 || use.repeat_stride == use.run_bytes
           : use.repeat_stride == use.run_bytes)) {
    use.run_bytes = use.repeats * use.run_bytes + use.tail.last_bytes;
    use.repeats = 1;
    use.tail = {};
  }
}

bool IsLeading(const uint64_t mask[2], uint32_t count) {
  uint64_t leading[2];
  SetLeadingLanes(count, leading);
  return mask[0] == leading[0] && mask[1] == leading[1];
}

// The active lanes of `lanes` where `layout` has them.
void PlaceLanes(FootprintUse& use, const Lanes& lanes, const Layout& layout) {
  use.address = layout.address;
  use.run_bytes = uint64_t{layout.lanes_per_run} * layout.lane_bits / 8;
  use.run_stride = layout.run_stride;
  use.repeat_stride = layout.repeat_stride;
  if (lanes.counter) {
    if (lanes.per_repeat == 0) return;
    use.repeats = static_cast<uint32_t>(lanes.count / lanes.per_repeat);
    use.body = PatternOf(lanes.per_repeat, layout);
    use.tail = PatternOf(lanes.count % lanes.per_repeat, layout);
    Simplify(use);
    return;
  }
  use.repeats = lanes.repeats;
  const auto active = static_cast<uint32_t>(std::popcount(lanes.mask[0]) +
                                            std::popcount(lanes.mask[1]));
  if (active == 0 || lanes.repeats == 0) {
    use.repeats = 0;
  } else if (IsLeading(lanes.mask, active)) {
    use.body = PatternOf(active, layout);
    Simplify(use);
  } else {
    use.shape = Shape::kMasked;
    use.lane_bits = layout.lane_bits;
    use.lanes_per_run = layout.lanes_per_run;
    use.mask[0] = lanes.mask[0];
    use.mask[1] = lanes.mask[1];
  }
}

void AddLanes(Footprint& to, const abi::Operand& operand, std::string_view role,
              Access access, const Lanes& lanes) {
  const auto bits = static_cast<uint32_t>(BitsOf(operand.dtype));
  if (lanes.counter && operand.block_stride == 1 &&
      operand.repeat_stride * kBlockBytes * 8 == lanes.per_repeat * bits) {
    return to.AddRange(operand, role, access, (lanes.count * bits + 7) / 8);
  }
  FootprintUse use = UseOf(operand, role, access);
  PlaceLanes(use, lanes, BlocksOf(operand, bits));
  to.Add(use);
}

FootprintUse RowsUse(const abi::Operand& operand, std::string_view role,
                     Access access, uint64_t bytes, uint32_t rows,
                     uint64_t stride) {
  FootprintUse use = UseOf(operand, role, access);
  use.run_bytes = bytes;
  use.run_stride = stride;
  use.repeats = rows == 0 || bytes == 0 ? 0 : 1;
  use.body = {rows, 0};
  if (use.repeats != 0) Simplify(use);
  return use;
}

// Eight blocks a repeat, as Brcb and Gatherb write them: a block stride of 0
// acts as 1.
FootprintUse EightBlocksUse(const abi::Operand& operand, uint32_t repeats) {
  FootprintUse use = UseOf(operand, "dst", Access::kWrite);
  if (repeats == 0) return use;
  use.run_bytes = kBlockBytes;
  use.run_stride =
      uint64_t{std::max<uint32_t>(operand.block_stride, 1)} * kBlockBytes;
  use.repeat_stride = uint64_t{operand.repeat_stride} * kBlockBytes;
  use.repeats = repeats;
  use.body = {kBlocksPerRepeat, 0};
  Simplify(use);
  return use;
}

FootprintUse ByData(FootprintUse use, Shape shape,
                    const abi::Instruction& instruction, const Lanes& lanes) {
  use.shape = shape;
  use.instruction = &instruction;
  use.lanes = &lanes;
  use.repeats = lanes.counter && lanes.count == 0 ? 0 : lanes.repeats;
  return use;
}

// Lanes that give one result, and bytes of one result.
struct Part {
  uint32_t lanes;
  uint32_t result_bytes;
};

Part PartOf(const abi::Instruction& instruction, const Lanes& lanes,
            const PartResults& results) {
  const auto element = static_cast<uint32_t>(BytesOf(instruction.dst.dtype));
  switch (instruction.op) {
    case abi::Op::kBlockReduceMax:
    case abi::Op::kBlockReduceMin:
    case abi::Op::kBlockReduceSum:
      return {lanes.per_repeat / kBlocksPerRepeat, element};
    case abi::Op::kPairReduceSum:
      return {2, element};
    default:
      return {lanes.per_repeat, static_cast<uint32_t>(results.bytes)};
  }
}

// Results of parts without an active lane are not written.
FootprintUse PartResultsUse(const abi::Instruction& instruction,
                            const Lanes& lanes) {
  FootprintUse use = UseOf(instruction.dst, "dst", Access::kWrite);
  const PartResults results = ResultsOf(instruction, lanes.per_repeat);
  const Part part = PartOf(instruction, lanes, results);
  const uint32_t parts = lanes.per_repeat / part.lanes;
  Lanes written = lanes;
  written.per_repeat = parts;
  if (lanes.counter) {
    written.count =
        lanes.count / lanes.per_repeat * parts +
        (lanes.count % lanes.per_repeat + part.lanes - 1) / part.lanes;
  } else {
    written.mask[0] = written.mask[1] = 0;
    for (uint32_t lane = 0; lane < lanes.per_repeat; ++lane) {
      if (!lanes.Active(0, lane)) continue;
      const uint32_t result = lane / part.lanes;
      written.mask[result >> 6] |= uint64_t{1} << (result & 63);
    }
  }
  PlaceLanes(use, written,
             {instruction.dst.address, part.result_bytes * 8, parts,
              results.bytes, results.stride_bytes});
  return use;
}

uint64_t RoundUp(uint64_t value, uint64_t unit) {
  return (value + unit - 1) / unit * unit;
}

bool AnyActive(const Lanes& lanes) {
  return lanes.counter
             ? lanes.count != 0
             : lanes.repeats != 0 && (lanes.mask[0] | lanes.mask[1]) != 0;
}

void AddReduce(const abi::Instruction& i, const Lanes& lanes, Footprint& to) {
  if (!AnyActive(lanes)) return;
  const bool with_index = i.op != abi::Op::kReduceSum && i.mode != 0;
  to.AddRange(i.dst, "dst", Access::kWrite,
              (with_index ? 2 : 1) * BytesOf(i.dst.dtype));
  AddLanes(to, i.src0, "src", Access::kRead, lanes);
  if (i.src1.address != 0) {
    to.AddRange(i.src1, "work", Access::kWrite, ReduceWorkBytes(i, lanes));
  }
}

void AddCastDequant(const abi::Instruction& i, const Lanes& lanes,
                    const Core& core, Footprint& to) {
  if (i.src0.dtype == abi::DType::kInt16) {
    // Blocks of the source fill halves of blocks of the destination.
    FootprintUse dst = UseOf(i.dst, "dst", Access::kWrite);
    Layout layout = BlocksOf(i.dst, 8);
    layout.lanes_per_run = kBlockBytes / 2;
    if ((i.mode & 1) != 0) layout.address += kBlockBytes / 2;
    PlaceLanes(dst, lanes, layout);
    to.Add(dst);
  } else {
    AddLanes(to, i.dst, "dst", Access::kWrite, lanes);
  }
  AddLanes(to, i.src0, "src", Access::kRead, lanes);
  if (HasDequantTensor(i)) {
    abi::Operand scales = i.src0;
    scales.address = core.vector.dequant;
    scales.dtype = abi::DType::kUint64;
    to.AddRange(scales, "vdeq", Access::kRead,
                kDequantWords * sizeof(uint64_t));
  }
}

// Bits of the active lanes, packed; `lanes` has whole bytes of them a repeat.
FootprintUse BitsUse(const abi::Operand& operand, std::string_view role,
                     Access access, const Lanes& lanes) {
  FootprintUse use = UseOf(operand, role, access);
  const uint64_t bytes = lanes.per_repeat / 8;
  PlaceLanes(use, lanes, {operand.address, 1, lanes.per_repeat, bytes, bytes});
  return use;
}

void AddSelect(const abi::Instruction& i, const Lanes& lanes, Footprint& to) {
  const auto mode = static_cast<abi::Select>(i.mode);
  AddLanes(to, i.dst, "dst", Access::kWrite, lanes);
  AddLanes(to, i.src0, "src0", Access::kRead, lanes);
  if (mode != abi::Select::kTensorScalar) {
    AddLanes(to, i.src1, "src1", Access::kRead, lanes);
  }
  if (mode != abi::Select::kCmpMaskRegister) {
    to.Add(BitsUse(i.src2, "selMask", Access::kRead, lanes));
  } else if (i.src2.address != 0) {
    // All of them go through the comparison register.
    to.AddRange(i.src2, "selMask", Access::kRead, lanes.per_repeat / 8);
  }
}

void AddCompare(const abi::Instruction& i, const Lanes& lanes, Footprint& to) {
  if (i.op != abi::Op::kCompareToMask) {
    to.Add(BitsUse(i.dst, "dst", Access::kWrite, lanes));
  }
  AddLanes(to, i.src0, "src0", Access::kRead, lanes);
  if (i.op != abi::Op::kCompareScalar) {
    AddLanes(to, i.src1, "src1", Access::kRead, lanes);
  }
}

void AddGather(const abi::Instruction& i, const Lanes& lanes, Footprint& to) {
  AddLanes(to, i.dst, "dst", Access::kWrite, lanes);
  FootprintUse offsets = UseOf(i.src1, "srcOffset", Access::kRead);
  PlaceLanes(offsets, lanes, BlocksOf(i.src1, 32));
  to.Add(offsets);
  if (AnyActive(lanes)) {
    to.Add(
        ByData(UseOf(i.src0, "src", Access::kRead), Shape::kOffsets, i, lanes));
  }
}

void AddGatherMask(const abi::Instruction& i, const Lanes& lanes,
                   Footprint& to) {
  to.AddRange(i.dst, "dst", Access::kWrite, GatherMaskReach(i, lanes));
  AddLanes(to, i.src0, "src0", Access::kRead, lanes);
  if (i.gather_mask.pattern == 0) {
    to.Add(RowsUse(i.src1, "src1Pattern", Access::kRead,
                   (lanes.per_repeat + 7) / 8, lanes.repeats,
                   uint64_t{i.gather_mask.src1_repeat_stride} * kBlockBytes));
  }
}

void AddSort(const abi::Instruction& i, const Lanes& lanes, Footprint& to) {
  const auto rows = [&](const abi::Operand& operand, std::string_view role,
                        Access access, uint64_t element) {
    to.Add(RowsUse(operand, role, access, lanes.per_repeat * element,
                   lanes.repeats,
                   uint64_t{operand.repeat_stride} * kBlockBytes));
  };
  rows(i.dst, "dst", Access::kWrite, kPairBytes);
  rows(i.src0, "src0", Access::kRead, BytesOf(i.src0.dtype));
  rows(i.src1, "src1", Access::kRead, sizeof(uint32_t));
}

void AddMerge(const abi::Instruction& i, const Lanes& lanes, Footprint& to) {
  constexpr std::string_view kRoles[] = {"src1", "src2", "src3", "src4"};
  if (lanes.repeats == 0) return;
  const MergeCounts lengths = MergeLengths(i);
  const MergeCounts taken = MergeTaken(i);
  uint64_t pairs = 0;
  uint64_t written = 0;
  for (int list = 0; list < kMergeLists; ++list) {
    pairs += lengths[list];
    written += taken[list];
  }
  to.AddRange(i.dst, "dst", Access::kWrite,
              lanes.repeats * written * kPairBytes);
  for (int list = 0; list < kMergeLists; ++list) {
    abi::Operand source = i.src0;
    source.address = i.merge.list[list];
    // The pair behind the last one taken was compared too.
    const uint32_t compared = std::min(taken[list] + 1, lengths[list]);
    to.Add(RowsUse(source, kRoles[list], Access::kRead,
                   uint64_t{compared} * kPairBytes, lanes.repeats,
                   pairs * kPairBytes));
  }
}

void AddTransposeLists(const abi::Instruction& i, const Lanes& lanes,
                       Footprint& to) {
  if (lanes.repeats == 0) return;
  to.Add(ByData(UseOf(i.dst, "dst", Access::kWrite), Shape::kRows, i, lanes));
  to.Add(ByData(UseOf(i.src0, "src", Access::kRead), Shape::kRows, i, lanes));
  const auto list = [&](uint64_t address, std::string_view role) {
    // On-chip memories lie below 4 GB, the kernel's variables above.
    if (address >> 32 != 0) return;
    abi::Operand operand = i.dst;
    operand.address = address;
    operand.memory = abi::Memory::kUb;
    operand.dtype = abi::DType::kUint64;
    to.AddRange(operand, role, Access::kRead,
                kTransposeRows * sizeof(uint64_t));
  };
  list(i.lists.destinations, "dstList");
  list(i.lists.sources, "srcList");
}

void AddTransfer(const abi::Instruction& i, const Core& core, Footprint& to) {
  const bool accumulates = i.dst.memory == abi::Memory::kGm &&
                           core.vector.atomic != abi::Atomic::kNone;
  const TransferSide written = DestinationOf(i);
  const TransferSide read = SourceOf(i);
  to.Add(RowsUse(i.dst, "dst",
                 accumulates ? Access::kReadWrite : Access::kWrite,
                 written.block, static_cast<uint32_t>(written.blocks),
                 static_cast<uint64_t>(written.step)));
  to.Add(RowsUse(i.src0, "src", Access::kRead, read.block,
                 static_cast<uint32_t>(read.blocks),
                 static_cast<uint64_t>(read.step)));
}

void AddVector(const InstructionEvent& event, Footprint& to) {
  const abi::Instruction& i = event.instruction;
  const Lanes& lanes = *event.lanes;
  const auto add_dst = [&] {
    AddLanes(to, i.dst, "dst",
             ReadsDestination(i.op) ? Access::kReadWrite : Access::kWrite,
             lanes);
  };
  switch (FamilyOf(i.op)) {
    case Family::kCast:
      if (i.op == abi::Op::kCastDequant) {
        return AddCastDequant(i, lanes, event.core, to);
      }
      [[fallthrough]];
    case Family::kUnary:
    case Family::kCopy:
    case Family::kScalar:
      add_dst();
      AddLanes(to, i.src0, "src", Access::kRead, lanes);
      return;
    case Family::kBinary:
    case Family::kFused:
      add_dst();
      AddLanes(to, i.src0, "src0", Access::kRead, lanes);
      AddLanes(to, i.src1, "src1", Access::kRead, lanes);
      return;
    case Family::kCompare:
      return AddCompare(i, lanes, to);
    case Family::kCmpMask:
      if (i.op == abi::Op::kGetCmpMask) {
        to.AddRange(i.dst, "dst", Access::kWrite, 16);
      } else {
        to.AddRange(i.src0, "src", Access::kRead, 16);
      }
      return;
    case Family::kSelect:
      return AddSelect(i, lanes, to);
    case Family::kReduce:
      return AddReduce(i, lanes, to);
    case Family::kReduceParts:
      to.Add(PartResultsUse(i, lanes));
      AddLanes(to, i.src0, "src", Access::kRead, lanes);
      return;
    case Family::kDuplicate:
    case Family::kIndex:
      return add_dst();
    case Family::kGather:
      return AddGather(i, lanes, to);
    case Family::kBrcb:
      to.Add(EightBlocksUse(i.dst, lanes.repeats));
      to.AddRange(
          i.src0, "src", Access::kRead,
          uint64_t{lanes.repeats} * kBlocksPerRepeat * BytesOf(i.dst.dtype));
      return;
    case Family::kGatherb:
      to.Add(EightBlocksUse(i.dst, lanes.repeats));
      to.AddRange(
          i.src1, "offset", Access::kRead,
          uint64_t{lanes.repeats} * kBlocksPerRepeat * sizeof(uint32_t));
      to.Add(ByData(UseOf(i.src0, "src", Access::kRead), Shape::kBlockOffsets,
                    i, lanes));
      return;
    case Family::kGatherMask:
      return AddGatherMask(i, lanes, to);
    case Family::kSort:
      return AddSort(i, lanes, to);
    case Family::kMerge:
      return AddMerge(i, lanes, to);
    case Family::kTranspose: {
      constexpr uint64_t kBytes =
          uint64_t{kTransposeRows} * kTransposeRows * sizeof(uint16_t);
      const uint64_t bytes = lanes.repeats == 0 ? 0 : kBytes;
      to.AddRange(i.dst, "dst", Access::kWrite, bytes);
      to.AddRange(i.src0, "src", Access::kRead, bytes);
      return;
    }
    case Family::kTransposeLists:
      return AddTransposeLists(i, lanes, to);
    default:
      return;
  }
}

}  // namespace

void Footprint::Add(const FootprintUse& use) {
  if (use.repeats == 0) return;
  if (use.shape == Shape::kRuns &&
      BytesOfPattern(use.body, use.run_bytes) == 0 &&
      BytesOfPattern(use.tail, use.run_bytes) == 0) {
    return;
  }
  uses_[count_++] = use;
}

void Footprint::AddRange(const abi::Operand& operand, std::string_view role,
                         Access access, uint64_t bytes) {
  if (bytes == 0) return;
  FootprintUse& use = uses_[count_++];
  use.role = role;
  use.access = access;
  use.memory = operand.memory;
  use.dtype = operand.dtype;
  use.shape = Shape::kRuns;
  use.address = operand.address;
  use.run_bytes = bytes;
  use.run_stride = 0;
  use.repeat_stride = 0;
  use.repeats = 1;
  use.body = {1, 0};
  use.tail = {0, 0};
}

uint64_t ReduceWorkBytes(const abi::Instruction& reduce, const Lanes& lanes) {
  const uint64_t bytes = BytesOf(reduce.src0.dtype);
  const uint64_t per_block = kBlockBytes / bytes;
  const uint64_t per_repeat = kRepeatBytes / bytes;
  const uint64_t repeats =
      lanes.counter ? std::max<uint64_t>(lanes.count / lanes.per_repeat, 1)
                    : lanes.repeats;
  if (reduce.op == abi::Op::kReduceSum) {
    // By count the sums of repeats are added one after the other.
    return reduce.form == abi::Form::kCount
               ? 0
               : RoundUp(repeats, per_block) * bytes;
  }
  const uint64_t first = repeats * 2;
  uint64_t elements = RoundUp(first, per_block);
  if (reduce.mode != 0) {
    const uint64_t second = (first + per_repeat - 1) / per_repeat * 2;
    elements += RoundUp(second, per_block);
    if (second > 2) {
      const uint64_t third = (second + per_repeat - 1) / per_repeat * 2;
      elements += RoundUp(third, per_block);
    }
  }
  return elements * bytes;
}

Footprint FootprintOf(const InstructionEvent& event) {
  Footprint footprint;
  if (event.lanes != nullptr) {
    AddVector(event, footprint);
  } else if (FamilyOf(event.instruction.op) == Family::kTransfer) {
    AddTransfer(event.instruction, event.core, footprint);
  } else if (IsCube(FamilyOf(event.instruction.op))) {
    return CubeFootprintOf(event.instruction,
                           event.core.vector.atomic != abi::Atomic::kNone);
  }
  return footprint;
}

}  // namespace belay::npu
