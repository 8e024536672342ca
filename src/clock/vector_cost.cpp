// SPDX-License-Identifier: Apache-2.0
#include "clock/vector_cost.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "base/dtype.h"
#include "base/error.h"
#include "npu/names.h"
#include "npu/vector/families.h"
#include "npu/vector/sort.h"
#include "npu/vector/transpose.h"

namespace belay::clock {
namespace {

using npu::Family;
using npu::kBlockBytes;
using npu::kRepeatBytes;

constexpr uint32_t kBlocksPerRepeat = kRepeatBytes / kBlockBytes;
constexpr uint64_t kUbMask = (uint64_t{1} << 18) - 1;
constexpr size_t kRememberedPatterns = size_t{1} << (64 - 52);

uint64_t DivideUp(uint64_t a, uint64_t b) { return (a + b - 1) / b; }

int WidthIndex(int bits) { return std::countr_zero(unsigned(bits)) - 3; }

uint8_t LeadingBlocks(uint64_t blocks) {
  return blocks >= kBlocksPerRepeat ? 0xFF
                                    : static_cast<uint8_t>((1u << blocks) - 1);
}

// The blocks of a repeat in which an operand with `bits` a lane has an active
// one.
uint8_t ActiveBlocks(const npu::Lanes& lanes, uint32_t bits) {
  const uint32_t per_block = kBlockBytes * 8 / bits;
  if (lanes.counter) {
    return LeadingBlocks(
        DivideUp(std::min<uint64_t>(lanes.count, lanes.per_repeat), per_block));
  }
  uint8_t blocks = 0;
  for (uint32_t block = 0;
       block * per_block < lanes.per_repeat && block < kBlocksPerRepeat;
       ++block) {
    const uint32_t lane = block * per_block;
    const uint64_t word = lanes.mask[lane >> 6] >> (lane & 63);
    const uint64_t some =
        per_block >= 64 ? word : word & ((uint64_t{1} << per_block) - 1);
    if (some != 0) blocks |= static_cast<uint8_t>(1u << block);
  }
  return blocks;
}

BankAccess AccessOf(const abi::Operand& operand, const npu::Lanes& lanes) {
  if (operand.memory != abi::Memory::kUb || operand.address == 0) return {};
  const auto bits = static_cast<uint32_t>(std::max(BitsOf(operand.dtype), 1));
  return {static_cast<uint32_t>((operand.address & kUbMask) / kBlockBytes),
          operand.block_stride, operand.repeat_stride,
          ActiveBlocks(lanes, bits)};
}

// Eight blocks a repeat, whatever the lanes.
BankAccess EightBlocks(const abi::Operand& operand) {
  return {static_cast<uint32_t>((operand.address & kUbMask) / kBlockBytes),
          std::max<uint32_t>(operand.block_stride, 1), operand.repeat_stride,
          0xFF};
}

// The operands that are read and written by lanes. What instructions do by
// offsets or in lists is in their documented rates.
BankPattern PatternOf(const abi::Instruction& i, const npu::Lanes& lanes) {
  BankPattern pattern;
  switch (npu::FamilyOf(i.op)) {
    case Family::kUnary:
    case Family::kScalar:
    case Family::kCast:
    case Family::kCopy:
      pattern.write = AccessOf(i.dst, lanes);
      pattern.read[0] = AccessOf(i.src0, lanes);
      if (npu::ReadsDestination(i.op)) pattern.read[1] = pattern.write;
      break;
    case Family::kBinary:
    case Family::kFused:
      pattern.write = AccessOf(i.dst, lanes);
      pattern.read[0] = AccessOf(i.src0, lanes);
      pattern.read[1] = AccessOf(i.src1, lanes);
      break;
    case Family::kCompare:
      pattern.read[0] = AccessOf(i.src0, lanes);
      if (i.op != abi::Op::kCompareScalar) {
        pattern.read[1] = AccessOf(i.src1, lanes);
      }
      break;
    case Family::kSelect:
      pattern.write = AccessOf(i.dst, lanes);
      pattern.read[0] = AccessOf(i.src0, lanes);
      if (static_cast<abi::Select>(i.mode) != abi::Select::kTensorScalar) {
        pattern.read[1] = AccessOf(i.src1, lanes);
      }
      break;
    case Family::kReduce:
    case Family::kReduceParts:
    case Family::kGatherMask:
      pattern.read[0] = AccessOf(i.src0, lanes);
      break;
    case Family::kDuplicate:
    case Family::kIndex:
      pattern.write = AccessOf(i.dst, lanes);
      break;
    case Family::kBrcb:
      pattern.write = EightBlocks(i.dst);
      break;
    default:
      break;
  }
  return pattern;
}

// Whether two sources, or one read and written by the same repeat, can meet at
// all: single accesses to adjacent blocks cannot.
bool IsHarmless(const BankPattern& pattern) {
  const auto adjacent = [](const BankAccess& access) {
    return access.blocks == 0 || access.block_stride == 1;
  };
  const int used = (pattern.write.blocks != 0) + (pattern.read[0].blocks != 0) +
                   (pattern.read[1].blocks != 0);
  return used <= 1 && adjacent(pattern.write) && adjacent(pattern.read[0]) &&
         adjacent(pattern.read[1]);
}

size_t HashOf(const BankPattern& pattern) {
  uint64_t hash = pattern.repeats * 8 + pattern.beats;
  const auto mix = [&](uint64_t value) {
    hash = (hash ^ value) * 0x9E3779B97F4A7C15u;
    hash ^= hash >> 29;
  };
  for (const BankAccess* access :
       {&pattern.write, &pattern.read[0], &pattern.read[1]}) {
    mix(uint64_t{access->first} << 32 | uint64_t{access->block_stride} << 24 |
        uint64_t{access->repeat_stride} << 8 | access->blocks);
  }
  return hash >> 52;
}

// A reduction to one result goes on over its own results until one is left;
// sums by count are kept in a register instead.
void AddPasses(const abi::Instruction& reduce, const npu::Lanes& lanes,
               VectorWork& work) {
  if (reduce.op == abi::Op::kReduceSum && lanes.counter) return;
  const uint64_t element = BytesOf(reduce.src0.dtype);
  const uint64_t results = reduce.op == abi::Op::kReduceSum ? 1 : 2;
  uint64_t repeats = work.repeats;
  while (repeats > 1) {
    repeats = DivideUp(repeats * results * element, kRepeatBytes);
    work.repeats += static_cast<uint32_t>(repeats);
    ++work.units;
  }
}

uint64_t ActiveLanes(const npu::Lanes& lanes) {
  if (lanes.counter) return lanes.count;
  return uint64_t{lanes.repeats} *
         (std::popcount(lanes.mask[0]) + std::popcount(lanes.mask[1]));
}

}  // namespace

int WidestBits(const abi::Instruction& i) {
  switch (npu::FamilyOf(i.op)) {
    case Family::kCompare:
    case Family::kSort:
    case Family::kReduce:
    case Family::kReduceParts:
      return std::max(BitsOf(i.src0.dtype), 8);
    case Family::kDuplicate:
    case Family::kIndex:
    case Family::kGather:
    case Family::kGatherb:
    case Family::kBrcb:
    case Family::kSelect:
      return std::max(BitsOf(i.dst.dtype), 8);
    case Family::kMerge:
    case Family::kCmpMask:
      return 32;
    default:
      return std::max({BitsOf(i.dst.dtype), BitsOf(i.src0.dtype), 8});
  }
}

VectorPricer::VectorPricer(const ClockSpec& spec)
    : write_delay_(static_cast<uint32_t>(spec.Value("bank.write_delay"))),
      remembered_(kRememberedPatterns) {
  for (size_t op = 0; op < costs_.size(); ++op) {
    const std::string_view name = npu::NameOf(static_cast<abi::Op>(op));
    for (size_t width = 0; width < costs_[op].size(); ++width) {
      costs_[op][width] =
          spec.FindVectorCost(name, 8 << width).value_or(kNoCost);
    }
  }
  for (const VectorCost& cost : spec.vector_costs()) {
    slopes_.push_back(cost.slope.value);
  }
}

uint16_t VectorPricer::CostOf(const abi::Instruction& instruction) const {
  const uint16_t cost = costs_[static_cast<size_t>(instruction.op)]
                              [WidthIndex(WidestBits(instruction))];
  if (cost == kNoCost) {
    throw InternalError(
        fmt::format("[clock] no cost is known for {} on elements of {} bits",
                    npu::NameOf(instruction.op), WidestBits(instruction)));
  }
  return cost;
}

VectorWork VectorPricer::PriceLocalCopy(
    const abi::Instruction& instruction) const {
  const abi::Transfer& transfer = instruction.transfer;
  VectorWork work{};
  work.cost = CostOf(instruction);
  work.units =
      transfer.block_count * DivideUp(transfer.block_bytes, kRepeatBytes);
  work.repeats = static_cast<uint32_t>(work.units);
  work.elements = uint64_t{transfer.block_count} * transfer.block_bytes /
                  std::max<size_t>(BytesOf(instruction.dst.dtype, 2) / 2, 1);
  return work;
}

void VectorPricer::AddConflicts(const abi::Instruction& instruction,
                                const npu::Lanes& lanes, VectorWork& work) {
  BankPattern pattern = PatternOf(instruction, lanes);
  if (IsHarmless(pattern)) return;
  pattern.repeats = work.repeats;
  const double slope = slopes_[work.cost];
  pattern.interval = static_cast<uint16_t>(std::max(1.0, slope));
  // Where results come slower than sources could be read, sources are read in
  // parts.
  const bool by_parts = slope == 2 || slope == 4;
  pattern.beats = by_parts ? static_cast<uint8_t>(slope) : 1;
  pattern = Lowered(pattern);
  Remembered& entry = remembered_[HashOf(pattern)];
  if (!(entry.pattern == pattern)) {
    entry = {pattern, CountBankConflicts(pattern, write_delay_)};
  }
  work.conflict_cycles = entry.conflicts.conflict_cycles;
  work.delayed_repeats = entry.conflicts.delayed;
}

VectorWork VectorPricer::Price(const npu::InstructionEvent& event) {
  const abi::Instruction& i = event.instruction;
  if (event.lanes == nullptr) return PriceLocalCopy(i);
  const npu::Lanes& lanes = *event.lanes;
  VectorWork work{};
  work.cost = CostOf(i);
  work.units = 1;
  work.elements = ActiveLanes(lanes);
  switch (npu::FamilyOf(i.op)) {
    case Family::kMerge: {
      uint64_t pairs = 0;
      for (const uint32_t length : npu::MergeLengths(i)) pairs += length;
      work.repeats = lanes.repeats;
      work.units = work.elements = lanes.repeats * pairs;
      return work;
    }
    case Family::kTranspose:
    case Family::kTransposeLists:
      // 16 rows of 32 bytes.
      work.repeats = lanes.repeats;
      work.units = uint64_t{lanes.repeats} * npu::kTransposeRows * kBlockBytes /
                   kRepeatBytes;
      work.elements = work.units * kRepeatBytes * 8 / WidestBits(i);
      return work;
    case Family::kCmpMask:
      return work;
    default:
      break;
  }
  // Where lanes are counted per repeat there may be more than 256 bytes.
  const uint64_t full = kRepeatBytes * 8 / WidestBits(i);
  const uint64_t pieces =
      lanes.per_repeat > full ? DivideUp(lanes.per_repeat, full) : 1;
  work.repeats = static_cast<uint32_t>(lanes.repeats * pieces);
  work.odd_tail = lanes.counter && lanes.per_repeat != 0 &&
                  lanes.count % lanes.per_repeat != 0;
  if (pieces == 1) AddConflicts(i, lanes, work);
  if (npu::FamilyOf(i.op) == Family::kReduce) AddPasses(i, lanes, work);
  return work;
}

}  // namespace belay::clock
