// SPDX-License-Identifier: Apache-2.0
#include "npu/requirements_by_data.h"

#include <fmt/format.h>

#include "base/dtype.h"
#include "npu/names.h"
#include "npu/operands.h"
#include "npu/requirements.h"
#include "npu/vector/dequant.h"
#include "npu/vector/sort.h"
#include "npu/vector/transpose.h"

namespace belay::npu {
namespace {

void RequireGatherb(const Chip& chip, const Core& core,
                    const abi::Instruction& instruction, const Lanes& lanes) {
  const BlockReach reach = GatherbReach(instruction, lanes);
  if (reach.misaligned) {
    ThrowTrap("BLY-N102",
              fmt::format("[Gatherb] offset {} is not a multiple of {}",
                          *reach.misaligned, kBlockBytes),
              "offsets count bytes and name whole 32-byte blocks");
  }
  RequireRange(chip, core, instruction.op, "src as far as its offsets reach",
               instruction.src0.memory, instruction.src0.address, reach.bytes);
}

// A list of 16 addresses: in UB, or a variable of the kernel's.
void RequireAddressList(const Chip& chip, const Core& core, abi::Op op,
                        std::string_view what, uint64_t address) {
  constexpr uint64_t kBytes = kTransposeRows * sizeof(uint64_t);
  if (chip.on_chip().Spans(address)) {
    RequireRange(chip, core, op, what, abi::Memory::kUb, address, kBytes);
  } else if (address == 0) {
    ThrowTrap("BLY-N101", fmt::format("[{}] {} is null", NameOf(op), what),
              "pass an array of 16 addresses");
  }
}

void RequireTransposeRows(const Chip& chip, const Core& core,
                          const abi::Instruction& instruction,
                          const Lanes& lanes) {
  const abi::Op op = instruction.op;
  if (lanes.repeats == 0) return;
  RequireAddressList(chip, core, op, "dstList", instruction.lists.destinations);
  RequireAddressList(chip, core, op, "srcList", instruction.lists.sources);
  const TransposeRows rows = ReadTransposeRows(instruction);
  const auto require = [&](std::string_view list, uint32_t row,
                           const abi::Operand& operand, uint64_t address) {
    const std::string what = fmt::format("{}[{}]", list, row);
    RequireAligned(chip, core, op, what, abi::Memory::kUb, address,
                   kBlockBytes);
    RequireRange(chip, core, op, what, abi::Memory::kUb, address,
                 (uint64_t{lanes.repeats - 1} * operand.repeat_stride + 1) *
                     kBlockBytes);
  };
  for (uint32_t row = 0; row < kTransposeRows; ++row) {
    require("dstList", row, instruction.dst, rows.destinations[row]);
    require("srcList", row, instruction.src0, rows.sources[row]);
  }
}

void RequireDequantTensor(const Chip& chip, const Core& core,
                          const abi::Instruction& instruction) {
  const uint64_t address = core.vector.dequant;
  constexpr uint64_t kBytes = kDequantWords * sizeof(uint64_t);
  if (!chip.on_chip().Spans(address)) {
    ThrowTrap("BLY-N101",
              "[CastDequant] isVecDeq takes its scales from a tensor, but "
              "SetDeqScale was not given one",
              "call SetDeqScale(vdeq, vdeqInfo), or set isVecDeq to false");
  }
  RequireAligned(chip, core, instruction.op, "vdeq", abi::Memory::kUb, address,
                 kBlockBytes);
  RequireRange(chip, core, instruction.op, "vdeq", abi::Memory::kUb, address,
               kBytes);
}

}  // namespace

void RequireGatherMaskParameters(const abi::Instruction& instruction) {
  constexpr uint32_t kLastPattern = 7;
  const uint32_t pattern = instruction.gather_mask.pattern;
  const bool has_bits = instruction.src1.address != 0;
  if (pattern > kLastPattern || (pattern == 0 && !has_bits)) {
    ThrowTrap("BLY-N110",
              fmt::format("[GatherMask] there is no built-in pattern {}: 1 to "
                          "{}",
                          pattern, kLastPattern),
              "choose a pattern from 1 to 7, or pass a tensor of bits");
  }
  if (pattern != 0) return;
  const abi::DType bits = instruction.src1.dtype;
  const abi::DType wanted = BytesOf(instruction.src0.dtype) == 2
                                ? abi::DType::kUint16
                                : abi::DType::kUint32;
  if (bits == wanted) return;
  ThrowTrap(
      "BLY-N107",
      fmt::format("[GatherMask] src1Pattern is {}; for src0 {} it must be {}",
                  AscendNameOf(bits), AscendNameOf(instruction.src0.dtype),
                  AscendNameOf(wanted)),
      "reinterpret the tensor of bits");
}

void RequireMergeParameters(const Chip& chip,
                            const abi::Instruction& instruction) {
  const abi::Merge& merge = instruction.merge;
  if (merge.valid != 0x3 && merge.valid != 0x7 && merge.valid != 0xf) {
    ThrowTrap(
        "BLY-N110",
        fmt::format("[MrgSort] validBit {} is not 3, 7 or 15", merge.valid),
        "merge the first two, three or four lists");
  }
  const uint32_t limit = chip.spec().limits.merge_length;
  for (int list = 0; list < kMergeLists; ++list) {
    if (MergeLengths(instruction)[list] <= limit) continue;
    ThrowTrap("BLY-N110",
              fmt::format("[MrgSort] elementLengths[{}] {} does not fit: at "
                          "most {}",
                          list, merge.count[list], limit),
              "merge shorter lists");
  }
  if (instruction.repeat <= 1 || MayRepeatMerge(instruction)) return;
  Fault fault;
  fault.diagnostic.code = "BLY-N103";
  fault.diagnostic.severity = Severity::kWarning;
  fault.diagnostic.message = fmt::format(
      "[MrgSort] repeatTimes {} has no effect: only four lists of one length "
      "that follow each other, with validBit 15 and without "
      "ifExhaustedSuspension, are merged repeatedly",
      instruction.repeat);
  fault.diagnostic.fix = "set repeatTimes to 1, or arrange the lists so";
  fault.pc = instruction.pc;
  chip.Report(std::move(fault));
}

void RequireByData(const Chip& chip, const Core& core,
                   const abi::Instruction& instruction, const Lanes& lanes) {
  const abi::Operand& dst = instruction.dst;
  switch (instruction.op) {
    case abi::Op::kGather:
      return RequireRange(chip, core, instruction.op,
                          "src as far as its offsets reach",
                          instruction.src0.memory, instruction.src0.address,
                          GatherReach(instruction, lanes));
    case abi::Op::kGatherb:
      return RequireGatherb(chip, core, instruction, lanes);
    case abi::Op::kGatherMask:
      return RequireRange(chip, core, instruction.op, "dst", dst.memory,
                          dst.address, GatherMaskReach(instruction, lanes));
    case abi::Op::kMrgSort:
      if (instruction.merge.stop_when_exhausted == 0 || lanes.repeats == 0) {
        return;
      }
      return RequireRange(chip, core, instruction.op, "dst", dst.memory,
                          dst.address, MergeReach(instruction));
    case abi::Op::kTransDataTo5HD:
      return RequireTransposeRows(chip, core, instruction, lanes);
    case abi::Op::kCastDequant:
      if (HasDequantTensor(instruction)) {
        RequireDequantTensor(chip, core, instruction);
      }
      return;
    default:
      return;
  }
}

}  // namespace belay::npu
