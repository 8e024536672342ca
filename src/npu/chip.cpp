// SPDX-License-Identifier: Apache-2.0
#include "npu/chip.h"

#include <fmt/format.h>

#include <bit>
#include <cstring>

#include "npu/cube/cube.h"
#include "npu/cube/requirements.h"
#include "npu/execute.h"
#include "npu/hidden_scratch.h"
#include "npu/names.h"
#include "npu/requirements.h"
#include "npu/requirements_by_data.h"
#include "npu/transfer.h"

namespace belay::npu {
namespace {

void ExecuteRegister(const abi::Instruction& instruction, VectorState& state) {
  switch (instruction.op) {
    case abi::Op::kResetMask:
      state.mask[0] = state.mask[1] = ~uint64_t{0};
      break;
    case abi::Op::kSetMaskCount:
      state.counter_mode = true;
      break;
    case abi::Op::kSetMaskNorm:
      state.counter_mode = false;
      break;
    case abi::Op::kSetVectorMask:
      state.mask[0] = instruction.mask[0];
      state.mask[1] = instruction.mask[1];
      break;
    case abi::Op::kSetCtrl:
      state.SetControl(instruction.scalar);
      break;
    case abi::Op::kSetDeqScale:
      state.dequant = instruction.scalar;
      if (instruction.mode == 0) {
        state.deq_scale =
            std::bit_cast<float>(static_cast<uint32_t>(instruction.scalar));
      }
      break;
    case abi::Op::kSetPadValue:
      state.pad_value = instruction.scalar;
      state.pad_value_set = true;
      break;
    case abi::Op::kSetAtomic:
      state.atomic = static_cast<abi::Atomic>(instruction.mode);
      state.atomic_dtype = instruction.dst.dtype;
      break;
    default:
      break;
  }
}

// Select without a mask argument finds in the comparison register what its
// mode needs: the scalar, or the address of the bits.
void CompleteSelect(abi::Instruction& select, const VectorState& state) {
  const auto mode = static_cast<abi::Select>(select.mode);
  if (mode == abi::Select::kTensorScalar && select.src1.address == 0 &&
      select.src1.dtype != abi::DType::kNone) {
    select.scalar = state.compare_mask[0];
  } else if (mode == abi::Select::kTensorTensor && select.src2.address == 0) {
    select.src2.address = static_cast<uint32_t>(state.compare_mask[0]);
    select.src2.memory = abi::Memory::kUb;
  }
}

// A move from or to a memory that only the other type of core has.
bool IsElsewhere(const Core& core, const abi::Instruction& instruction) {
  for (const abi::Memory memory :
       {instruction.src0.memory, instruction.dst.memory}) {
    if (memory == abi::Memory::kGm) continue;
    if ((memory == abi::Memory::kUb) != (core.type == CoreType::kVector)) {
      return true;
    }
  }
  return false;
}

void RequireEventId(const ChipSpec& spec, const abi::Instruction& instruction) {
  if (instruction.sync.id < spec.limits.event_ids) return;
  ThrowTrap("BLY-S105",
            fmt::format("[{}] event id {} of {} is out of range: 0 to {}",
                        NameOf(instruction.op),
                        static_cast<int32_t>(instruction.sync.id),
                        EventName(instruction.sync), spec.limits.event_ids - 1),
            "take the id from TPipe::AllocEventID or FetchEventID");
}

void ExecuteSetFlag(const abi::Instruction& instruction, Core& core) {
  const abi::Sync& flag = instruction.sync;
  if (core.flags.IsSet(flag)) {
    Fault fault;
    fault.diagnostic.code = "BLY-S104";
    fault.diagnostic.message = fmt::format(
        "[SetFlag] flag {} of event {} is set a second time before a WaitFlag "
        "took it",
        flag.id, EventName(flag));
    fault.diagnostic.fix = "pair every SetFlag with one WaitFlag";
    fault.notes.push_back({"it was set here first", core.flags.SetPc(flag)});
    throw Trap(std::move(fault));
  }
  core.flags.Set(flag, instruction.pc);
}

void ExecuteWaitFlag(const abi::Instruction& instruction, Core& core) {
  const abi::Sync& flag = instruction.sync;
  if (!core.flags.IsSet(flag)) {
    ThrowTrap(
        "BLY-S101",
        fmt::format("[WaitFlag] deadlock: no SetFlag came before this "
                    "wait for flag {} of event {}, and one that only comes "
                    "later in the program must not be waited for",
                    flag.id, EventName(flag)),
        "issue SetFlag with the same event and id first");
  }
  core.flags.Clear(flag);
}

}  // namespace

Chip::Chip(ChipSpec spec)
    : spec_(std::move(spec)),
      on_chip_(spec_),
      global_(spec_.BytesOf(abi::Memory::kGm)) {
  for (int slot = 0; slot < on_chip_.slots(); ++slot) {
    const bool vector = slot < spec_.vector_cores;
    Core core(
        DataCache(vector ? spec_.vector_cache_bytes : spec_.cube_cache_bytes,
                  spec_.cache_ways));
    core.type = vector ? CoreType::kVector : CoreType::kCube;
    core.index = vector ? slot : slot - spec_.vector_cores;
    core.slot = slot;
    cores_.push_back(std::move(core));
  }
}

void Chip::Notify(const Core& core, const abi::Instruction& instruction,
                  const Lanes* lanes) {
  if (observers_.empty()) return;
  const InstructionEvent event{core, instruction, lanes, PipeOf(instruction)};
  for (Observer* observer : observers_) observer->OnInstruction(event);
}

void Chip::NotifyWaited(const Core& core, const abi::Instruction& instruction) {
  const InstructionEvent event{core, instruction, nullptr, PipeOf(instruction)};
  for (Observer* observer : observers_) observer->OnWaited(event);
}

void Chip::NotifyRegister(const Core& core, abi::Register which, uint64_t pc) {
  for (Observer* observer : observers_) observer->OnRegister({core, which, pc});
}

void Chip::IssueVector(Core& core, abi::Instruction& instruction) {
  if (instruction.op == abi::Op::kSelect) {
    CompleteSelect(instruction, core.vector);
  }
  RequireVectorParameters(*this, instruction);
  const uint32_t per_repeat = LanesPerRepeat(instruction);
  WarnOfLostLanes(*this, core, instruction, per_repeat);
  const Lanes lanes = ResolveLanes(instruction, per_repeat, core.vector);
  RequireNamedOperands(*this, core, instruction, lanes);
  if (timing_only_ && FamilyOf(instruction.op) != Family::kCmpMask) {
    timing_only_->Pass({core, instruction, &lanes, PipeOf(instruction)});
    Notify(core, instruction, &lanes);
    if (instruction.op == abi::Op::kGatherMask) {
      instruction.scalar = timing_only_->PretendRegister(instruction.pc);
    }
    return;
  }
  try {
    RequireByData(*this, core, instruction, lanes);
  } catch (const Trap&) {
    const InstructionEvent event{core, instruction, &lanes,
                                 PipeOf(instruction)};
    for (Observer* observer : observers_) observer->OnRefusedByData(event);
    throw;
  }
  Notify(core, instruction, &lanes);
  const HiddenScratch scratch = HiddenScratchOf(spec_, instruction, lanes);
  if (scratch.bytes != 0) {
    std::memset(
        reinterpret_cast<void*>(on_chip_.Base(core.slot, abi::Memory::kUb) +
                                scratch.offset),
        kPoison, scratch.bytes);
  }
  ExecuteVector(instruction, lanes, core.vector);
  if (instruction.op == abi::Op::kGatherMask) {
    instruction.scalar = core.vector.gathered;
  }
}

void Chip::IssueCube(Core& core, abi::Instruction& instruction) {
  CompleteCube(instruction, core.cube);
  if (IsNothing(instruction)) return;
  RequireCube(*this, core, instruction);
  PassUnitFlags(*this, core, instruction);
  Notify(core, instruction, nullptr);
  if (FamilyOf(instruction.op) != Family::kCubeRegister && timing_only_ &&
      !timing_only_->Pass({core, instruction, nullptr, PipeOf(instruction)})) {
    return;
  }
  ExecuteCube(instruction,
              {on_chip_.Base(core.slot, abi::Memory::kL1),
               on_chip_.Base(core.slot, abi::Memory::kL0b),
               spec_.BytesOf(abi::Memory::kL0b)},
              core.cube, core.vector);
}

void Chip::Issue(Core& core, abi::Instruction& instruction) {
  try {
    const Family family = FamilyOf(instruction.op);
    if (IsCube(family)) {
      if (core.type == CoreType::kCube) IssueCube(core, instruction);
      return;
    }
    if (IsVector(family)) {
      if (core.type == CoreType::kVector) IssueVector(core, instruction);
      return;
    }
    switch (family) {
      case Family::kTransfer:
        if (IsElsewhere(core, instruction)) return;
        RequireTransfer(*this, core, instruction);
        Notify(core, instruction, nullptr);
        if (!timing_only_ || timing_only_->Pass({core, instruction, nullptr,
                                                 PipeOf(instruction)})) {
          ExecuteTransfer(instruction, core.vector);
        }
        return;
      case Family::kSync:
        if (instruction.op == abi::Op::kSetFlag ||
            instruction.op == abi::Op::kWaitFlag) {
          RequireEventId(spec_, instruction);
        }
        Notify(core, instruction, nullptr);
        if (instruction.op == abi::Op::kSetFlag) {
          ExecuteSetFlag(instruction, core);
        } else if (instruction.op == abi::Op::kWaitFlag) {
          ExecuteWaitFlag(instruction, core);
        }
        return;
      case Family::kCache:
        Notify(core, instruction, nullptr);
        if (instruction.cache.entire) {
          core.cache.CleanAndInvalidateAll();
        } else {
          core.cache.CleanAndInvalidate(instruction.cache.address);
        }
        return;
      case Family::kRegister:
        Notify(core, instruction, nullptr);
        ExecuteRegister(instruction, core.vector);
        return;
      default:
        Notify(core, instruction, nullptr);
        return;
    }
  } catch (Trap& trap) {
    Fault& fault = trap.fault();
    fault.pc = instruction.pc;
    fault.diagnostic.core = core.Name();
    fault.diagnostic.pipe = NameOf(PipeOf(instruction));
    throw;
  }
}

bool Chip::IsInside(const Core& core, uint64_t address, uint64_t bytes) const {
  // Nearly always the Unified Buffer.
  const abi::Memory usual =
      core.type == CoreType::kVector ? abi::Memory::kUb : abi::Memory::kL1;
  const uint64_t offset = address - on_chip_.Base(core.slot, usual);
  const uint64_t size = spec_.BytesOf(usual);
  if (offset < size) return bytes <= size - offset;
  if (!on_chip_.Spans(address)) return false;
  const auto place = on_chip_.Locate(address);
  return place && place->slot == core.slot &&
         bytes <= spec_.BytesOf(place->memory) - place->offset;
}

bool Chip::CheckScalar(Core& core, uint64_t address, uint64_t bytes, bool write,
                       bool ordered, uint64_t pc, bool direct) {
  const bool inside_core = IsInside(core, address, bytes);
  if (!inside_core) {
    const GlobalMemory::Allocation* allocation =
        on_chip_.Spans(address) ? nullptr : global_.Find(address);
    if (allocation == nullptr || !allocation->Contains(address, bytes)) {
      Fault fault;
      fault.diagnostic.code = "BLY-G101";
      fault.diagnostic.core = core.Name();
      fault.diagnostic.pipe = "S";
      fault.diagnostic.message = fmt::format(
          "[scalar {}] {} bytes at {:#x} lie in no memory of this kernel: {}",
          write ? "store" : "load", bytes, address, DescribeAddress(address));
      fault.diagnostic.fix =
          "check the index and that the pointer is one the kernel was given";
      const GlobalMemory::Allocation* near =
          global_.Spans(address) ? global_.Below(address) : nullptr;
      if (near != nullptr && !near->label.outside_code.empty()) {
        fault.diagnostic.code = near->label.outside_code;
        fault.diagnostic.fix = near->label.outside_fix;
      }
      fault.pc = pc;
      throw Trap(std::move(fault));
    }
  }
  if (!observers_.empty()) {
    const ScalarEvent event{core, address, bytes, write, ordered, pc, direct};
    for (Observer* observer : observers_) observer->OnScalar(event);
  }
  return inside_core;
}

void* Chip::AccessScalar(Core& core, uint64_t address, uint64_t bytes,
                         bool write, bool ordered, uint64_t pc) {
  const bool inside =
      CheckScalar(core, address, bytes, write, ordered, pc, false);
  if (timing_only_ && !KnowsScalar(address, bytes, write)) {
    return const_cast<void*>(timing_only_->Pretend(bytes, pc));
  }
  if (inside) return reinterpret_cast<void*>(address);
  if (write) return core.cache.Store(address, bytes);
  return const_cast<void*>(core.cache.Load(address, bytes));
}

void* Chip::AccessDirect(Core& core, uint64_t address, uint64_t bytes,
                         bool write, uint64_t pc) {
  CheckScalar(core, address, bytes, write, false, pc, true);
  if (timing_only_ && !KnowsScalar(address, bytes, write)) {
    return const_cast<void*>(timing_only_->Pretend(bytes, pc));
  }
  return reinterpret_cast<void*>(address);
}

bool Chip::KnowsScalar(uint64_t address, uint64_t bytes, bool write) {
  if (write) timing_only_->ScalarWrote(address, bytes);
  return write || timing_only_->Knows(address, bytes);
}

std::string Chip::DescribeAddress(uint64_t address) const {
  if (address < 4096) return "a null pointer";
  if (const auto place = on_chip_.Locate(address)) {
    return fmt::format("{} of another core, or across its end",
                       NameOf(place->memory));
  }
  if (on_chip_.Spans(address)) return "behind the end of an on-chip memory";
  if (!global_.Spans(address)) return "a host address";
  const GlobalMemory::Allocation* near = global_.Below(address);
  if (near == nullptr) return "global memory that was never allocated";
  return fmt::format("byte {} of {}", address - near->base, near->Describe());
}

}  // namespace belay::npu
