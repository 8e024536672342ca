// SPDX-License-Identifier: Apache-2.0
#include "npu/requirements.h"

#include <fmt/format.h>

#include "base/dtype.h"
#include "npu/execute.h"
#include "npu/names.h"
#include "npu/operands.h"
#include "npu/requirements_by_data.h"
#include "npu/transfer.h"

namespace belay::npu {
namespace {

// The widest block stride an instruction's fields hold.
uint32_t BlockStrideLimit(const ChipSpec::Limits& limits, Family family) {
  switch (family) {
    case Family::kBinary:
    case Family::kFused:
    case Family::kCompare:
    case Family::kSelect:
      return limits.binary_block_stride;
    default:
      return limits.unary_block_stride;
  }
}

uint32_t RepeatStrideLimit(const ChipSpec::Limits& limits, Family family,
                           std::string_view role) {
  switch (family) {
    case Family::kReduceParts:
      // Counts results, not blocks, at its destination.
      return limits.wide_repeat_stride;
    case Family::kBrcb:
    case Family::kGather:
    case Family::kReduce:
      return limits.wide_repeat_stride;
    case Family::kCopy:
      return limits.copy_repeat_stride;
    case Family::kGatherMask:
    case Family::kTransposeLists:
      return role == "src1" ? limits.repeat_stride : limits.wide_repeat_stride;
    default:
      return limits.repeat_stride;
  }
}

void RequireStrides(const ChipSpec::Limits& limits, abi::Op op, Family family,
                    std::string_view role, const abi::Operand& operand) {
  const uint32_t block_limit = BlockStrideLimit(limits, family);
  if (operand.block_stride > block_limit) {
    ThrowTrap("BLY-N104",
              fmt::format("[{}] {} block stride {} does not fit: at most {}",
                          NameOf(op), role, operand.block_stride, block_limit),
              "copy the data closer together, or loop with several calls");
  }
  const uint32_t repeat_limit = RepeatStrideLimit(limits, family, role);
  if (operand.repeat_stride > repeat_limit) {
    ThrowTrap(
        "BLY-N104",
        fmt::format("[{}] {} repeat stride {} does not fit: at most {}",
                    NameOf(op), role, operand.repeat_stride, repeat_limit),
        "copy the data closer together, or loop with several calls");
  }
}

uint64_t OffsetOf(const Chip& chip, const Core& core, abi::Memory memory,
                  uint64_t address) {
  if (memory == abi::Memory::kGm) return address;
  return address - chip.on_chip().Base(core.slot, memory);
}

[[noreturn]] void TrapOutsideGlobal(const Chip& chip, abi::Op op,
                                    std::string_view what, uint64_t address,
                                    uint64_t bytes) {
  const GlobalMemory::Allocation* near =
      chip.global().Spans(address) ? chip.global().Below(address) : nullptr;
  std::string where = "no allocation lies below it";
  if (address < 4096) {
    where = "a null pointer";
  } else if (!chip.global().Spans(address)) {
    where = "no address of global memory at all";
  }
  std::string code = "BLY-N109";
  std::string fix = "check the offset and length against the tensor's size";
  if (near != nullptr) {
    where = fmt::format("it starts at byte {} of {}", address - near->base,
                        near->Describe());
    if (!near->label.outside_code.empty()) {
      code = near->label.outside_code;
      fix = near->label.outside_fix;
    }
  }
  ThrowTrap(std::move(code),
            fmt::format("[{}] {} covers {} bytes at {:#x}, outside any "
                        "allocation of global memory: {}",
                        NameOf(op), what, bytes, address, where),
            std::move(fix));
}

void RequireParameter(bool fits, const char* code, abi::Op op,
                      std::string_view name, uint64_t value, uint64_t limit,
                      std::string_view unit) {
  if (fits) return;
  ThrowTrap(code,
            fmt::format("[{}] {} {} does not fit: at most {}{}", NameOf(op),
                        name, value, limit, unit),
            "split the move into several calls");
}

void Warn(const Chip& chip, const Core& core,
          const abi::Instruction& instruction, const char* code,
          std::string message, std::string fix) {
  Fault fault;
  fault.diagnostic.code = code;
  fault.diagnostic.severity = Severity::kWarning;
  fault.diagnostic.message = std::move(message);
  fault.diagnostic.fix = std::move(fix);
  fault.diagnostic.core = core.Name();
  fault.diagnostic.pipe = NameOf(PipeOf(instruction));
  fault.pc = instruction.pc;
  chip.Report(std::move(fault));
}

void RequireTransferParameters(Chip& chip, const Core& core,
                               abi::Instruction& instruction) {
  const ChipSpec::Limits& limits = chip.spec().limits;
  abi::Transfer& transfer = instruction.transfer;
  const abi::Op op = instruction.op;
  const auto fits = [&](uint64_t value, uint64_t limit) {
    return value <= limit;
  };
  RequireParameter(fits(transfer.block_count, limits.copy_block_count),
                   "BLY-N108", op, "block count", transfer.block_count,
                   limits.copy_block_count, "");
  if (op == abi::Op::kDataCopyPad) {
    RequireParameter(fits(transfer.block_bytes, limits.pad_block_bytes),
                     "BLY-N108", op, "block length", transfer.block_bytes,
                     limits.pad_block_bytes, " bytes");
    const uint64_t element = BytesOf(instruction.dst.dtype, 2) / 2;
    const uint64_t padding =
        std::max(transfer.left_padding, transfer.right_padding) * element;
    RequireParameter(fits(padding, limits.padding_bytes), "BLY-N110", op,
                     "padding of", padding, limits.padding_bytes, " bytes");
    return;
  }
  if (const uint32_t rest = transfer.block_bytes % kBlockBytes; rest != 0) {
    Warn(chip, core, instruction, "BLY-N108",
         fmt::format("[DataCopy] {} bytes are not a multiple of 32: the chip "
                     "moves only the first {}",
                     transfer.block_bytes, transfer.block_bytes - rest),
         "use DataCopyPad, or round the count up inside a padded buffer");
    transfer.block_bytes -= rest;
  }
  const uint64_t blocks = transfer.block_bytes / kBlockBytes;
  RequireParameter(fits(blocks, limits.copy_block_length), "BLY-N108", op,
                   "block length", blocks, limits.copy_block_length,
                   " blocks of 32 bytes");
  const uint64_t gap =
      std::max(transfer.source_gap, transfer.destination_gap) / kBlockBytes;
  RequireParameter(fits(gap, limits.copy_gap), "BLY-N104", op, "gap", gap,
                   limits.copy_gap, " blocks of 32 bytes");
}

// Moves between GM and UB, inside UB, between GM and L1, and from L1 to the
// tables.
void RequireWay(const abi::Instruction& instruction) {
  const abi::Memory from = instruction.src0.memory;
  const abi::Memory to = instruction.dst.memory;
  const auto is_way = [&] {
    switch (from) {
      case abi::Memory::kGm:
        return to == abi::Memory::kUb || to == abi::Memory::kL1;
      case abi::Memory::kUb:
        return to == abi::Memory::kGm || to == abi::Memory::kUb;
      case abi::Memory::kL1:
        return to == abi::Memory::kGm || to == abi::Memory::kBt ||
               to == abi::Memory::kFb;
      default:
        return false;
    }
  };
  if (is_way()) return;
  ThrowTrap("BLY-N106",
            fmt::format("[{}] the chip has no way from {} to {}",
                        NameOf(instruction.op), NameOf(from), NameOf(to)),
            "go through global memory, or use the call for this way: "
            "LoadData, Fixpipe");
}

}  // namespace

void RequireAligned(const Chip& chip, const Core& core, abi::Op op,
                    std::string_view what, abi::Memory memory, uint64_t address,
                    uint32_t alignment) {
  const uint64_t offset = OffsetOf(chip, core, memory, address);
  if (offset % alignment == 0) return;
  ThrowTrap("BLY-N102",
            fmt::format("[{}] {} starts at byte {} of {}, which is not a "
                        "multiple of {}",
                        NameOf(op), what, static_cast<int64_t>(offset),
                        NameOf(memory), alignment),
            fmt::format("start {} at a multiple of {} bytes", what, alignment));
}

void RequireRange(const Chip& chip, const Core& core, abi::Op op,
                  std::string_view what, abi::Memory memory, uint64_t address,
                  uint64_t bytes) {
  if (bytes == 0) return;
  if (memory == abi::Memory::kGm) {
    const GlobalMemory::Allocation* allocation = chip.global().Find(address);
    if (allocation == nullptr || !allocation->Contains(address, bytes)) {
      TrapOutsideGlobal(chip, op, what, address, bytes);
    }
    return;
  }
  const uint64_t size = chip.spec().BytesOf(memory);
  const uint64_t offset = OffsetOf(chip, core, memory, address);
  if (offset <= size && bytes <= size - offset) return;
  ThrowTrap(
      "BLY-N101",
      fmt::format("[{}] {} covers bytes {} to {} of {}, which has {} "
                  "bytes",
                  NameOf(op), what, static_cast<int64_t>(offset),
                  static_cast<int64_t>(offset + bytes), NameOf(memory), size),
      "check the count, repeat and strides against the tensor's size");
}

void RequireVectorParameters(const Chip& chip,
                             const abi::Instruction& instruction) {
  const ChipSpec::Limits& limits = chip.spec().limits;
  const abi::Op op = instruction.op;
  const Family family = FamilyOf(op);
  if (instruction.form != abi::Form::kCount) {
    const uint32_t repeat_limit =
        family == Family::kGatherMask ? limits.wide_repeat : limits.repeat;
    if (instruction.repeat > repeat_limit) {
      ThrowTrap("BLY-N103",
                fmt::format("[{}] repeatTime {} does not fit: at most {}",
                            NameOf(op), instruction.repeat, repeat_limit),
                "loop with several calls, or use the count form");
    }
    RequireStrides(limits, op, family, "dst", instruction.dst);
    RequireStrides(limits, op, family, "src0", instruction.src0);
    RequireStrides(limits, op, family, "src1", instruction.src1);
  }
  if (SupportsDTypes(instruction) && !SupportsMode(instruction)) {
    ThrowTrap("BLY-N107",
              fmt::format("[{}] the chip has no such mode ({}) for dst {} and "
                          "src {}",
                          NameOf(op), instruction.mode,
                          AscendNameOf(instruction.dst.dtype),
                          AscendNameOf(instruction.src0.dtype)),
              "use a mode the documentation lists for these types");
  }
  if (!SupportsDTypes(instruction)) {
    ThrowTrap("BLY-N107",
              fmt::format("[{}] the chip has no such instruction for dst {} "
                          "and src {}",
                          NameOf(op), AscendNameOf(instruction.dst.dtype),
                          AscendNameOf(instruction.src0.dtype)),
              "cast to a type the instruction takes");
  }
  if (family == Family::kGatherMask) RequireGatherMaskParameters(instruction);
  if (family == Family::kMerge) RequireMergeParameters(chip, instruction);
}

void WarnOfLostLanes(const Chip& chip, const Core& core,
                     const abi::Instruction& instruction, uint32_t per_repeat) {
  const uint64_t count = instruction.count;
  if (FamilyOf(instruction.op) == Family::kCompare &&
      instruction.form == abi::Form::kCount && count % per_repeat != 0) {
    Warn(chip, core, instruction, "BLY-N112",
         fmt::format("[{}] {} elements are not whole repeats of {}: the chip "
                     "compares only the first {}",
                     NameOf(instruction.op), count, per_repeat,
                     count / per_repeat * per_repeat),
         "round the count up inside a padded buffer");
  }
  if (instruction.form == abi::Form::kContinuous && !core.vector.counter_mode &&
      count > per_repeat) {
    Warn(chip, core, instruction, "BLY-N105",
         fmt::format("[{}] mask {} has more lanes than the {} of a repeat",
                     NameOf(instruction.op), count, per_repeat),
         "give the lanes of one repeat, and the rest by repeatTime");
  }
}

void RequireVectorOperands(const Chip& chip, const Core& core,
                           const abi::Instruction& instruction,
                           const Lanes& lanes) {
  RequireNamedOperands(chip, core, instruction, lanes);
  RequireByData(chip, core, instruction, lanes);
}

void RequireNamedOperands(const Chip& chip, const Core& core,
                          const abi::Instruction& instruction,
                          const Lanes& lanes) {
  const OperandList operands = ListOperands(instruction, lanes);
  for (const OperandUse& use : operands) {
    const abi::Operand& operand = use.operand;
    if (operand.memory != abi::Memory::kUb) {
      ThrowTrap(
          "BLY-N106",
          fmt::format("[{}] {} lies in {}; vector instructions work on "
                      "UB only",
                      NameOf(instruction.op), use.role, NameOf(operand.memory)),
          "use a tensor at VECIN, VECOUT or VECCALC");
    }
    RequireAligned(chip, core, instruction.op, use.role, operand.memory,
                   operand.address, use.alignment);
    RequireRange(chip, core, instruction.op, use.role, operand.memory,
                 operand.address, use.extent);
  }
}

void RequireTransfer(Chip& chip, const Core& core,
                     abi::Instruction& instruction) {
  RequireWay(instruction);
  if (instruction.dst.memory == abi::Memory::kGm &&
      !CanAccumulate(core.vector.atomic, core.vector.atomic_dtype)) {
    ThrowTrap("BLY-N107",
              fmt::format("[{}] the chip cannot accumulate {} into global "
                          "memory, as SetAtomic asked for",
                          NameOf(instruction.op),
                          AscendNameOf(core.vector.atomic_dtype)),
              "use int8_t, int16_t, half, bfloat16_t, int32_t or float");
  }
  RequireTransferParameters(chip, core, instruction);
  const struct {
    const abi::Operand& operand;
    std::string_view role;
    uint64_t extent;
  } sides[] = {
      {instruction.src0, "src", SourceOf(instruction).Extent()},
      {instruction.dst, "dst", DestinationOf(instruction).Extent()},
  };
  for (const auto& side : sides) {
    const abi::Memory memory = side.operand.memory;
    if (memory != abi::Memory::kGm) {
      RequireAligned(
          chip, core, instruction.op, side.role, memory, side.operand.address,
          memory == abi::Memory::kFb ? chip.spec().cube.fixpipe_alignment
                                     : chip.spec().AlignmentOf(memory));
    }
    RequireRange(chip, core, instruction.op, side.role, memory,
                 side.operand.address, side.extent);
  }
}

}  // namespace belay::npu
