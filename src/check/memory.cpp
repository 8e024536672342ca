// SPDX-License-Identifier: Apache-2.0
#include "check/memory.h"

#include <algorithm>

#include "base/dtype.h"
#include "npu/footprint.h"
#include "npu/hidden_scratch.h"
#include "npu/names.h"
#include "npu/transfer.h"

namespace belay::check {

using abi::BufferState;
using npu::Access;
using npu::Family;

namespace {

// Bytes of an operand whose extent follows from data.
uint64_t DataExtent(const abi::Instruction& instruction,
                    const npu::Lanes& lanes, const npu::OperandUse& operand) {
  const bool writes = operand.access == Access::kWrite;
  switch (npu::FamilyOf(instruction.op)) {
    case Family::kGather:
      return npu::GatherReach(instruction, lanes);
    case Family::kGatherb:
      return npu::GatherbReach(instruction, lanes).bytes;
    case Family::kGatherMask:
      return writes ? npu::GatherMaskReach(instruction, lanes) : 0;
    case Family::kMerge:
      return writes ? npu::MergeReach(instruction) : 0;
    case Family::kReduce:
      return npu::ReduceWorkBytes(instruction, lanes);
    default:
      return 0;
  }
}

// The lowest address an operand touches.
uint64_t FirstByte(const npu::InstructionEvent& event, std::string_view role) {
  uint64_t first = UINT64_MAX;
  const npu::Footprint footprint = npu::FootprintOf(event);
  for (const npu::FootprintUse& use : footprint) {
    if (use.role != role) continue;
    npu::ForEachRange(
        use, [&](uint64_t from, uint64_t) { first = std::min(first, from); });
  }
  return first;
}

// The operand a role of a cube instruction's footprint stands for.
const abi::Operand& CubeOperand(const abi::Instruction& instruction,
                                std::string_view role) {
  if (role == "dst") return instruction.dst;
  if (role == "src" || role == "fm") return instruction.src0;
  return role == "bias" ? instruction.src2 : instruction.src1;
}

}  // namespace

MemoryChecker::MemoryChecker(npu::Chip& chip, Findings& findings)
    : chip_(chip), findings_(findings), cores_(chip.on_chip().slots()) {}

void MemoryChecker::OnLaunch(const npu::LaunchEvent&) {
  for (int slot = 0; slot < chip_.on_chip().slots(); ++slot) {
    cores_[slot] = CoreState{};
    if (!chip_.on_chip().Has(slot, abi::Memory::kUb)) continue;
    const uint64_t end = chip_.on_chip().Base(slot, abi::Memory::kUb) +
                         chip_.spec().BytesOf(abi::Memory::kUb);
    const uint64_t bytes = chip_.spec().scratch_bytes;
    cores_[slot].scratch = ScratchShadow(end - bytes, bytes);
  }
}

void MemoryChecker::OnBlockBegin(const npu::Core& core) {
  StateOf(core).buffers.Clear();
}

void MemoryChecker::OnBlockEnd(const npu::Core& core) {
  ReportLeaks(core);
  StateOf(core).registers.Report(core, findings_);
}

MemoryChecker::Place MemoryChecker::PlaceOf(
    const npu::InstructionEvent& event) {
  return {event.core, npu::NameOf(event.instruction.op),
          npu::NameOf(event.pipe), event.instruction.pc};
}

void MemoryChecker::OnInstruction(const npu::InstructionEvent& event) {
  const Family family = npu::FamilyOf(event.instruction.op);
  if (npu::IsVector(family)) {
    CheckVector(event);
  } else if (family == Family::kTransfer) {
    CheckTransfer(event);
  } else if (npu::IsCube(family)) {
    CheckCube(event);
  } else if (family == Family::kQueue) {
    if (event.instruction.op == abi::Op::kResetBuffers &&
        event.instruction.mode == 1) {
      ReportLeaks(event.core);
    }
    StateOf(event.core).buffers.Apply(event.instruction);
  } else if (family == Family::kRegister) {
    StateOf(event.core).registers.Apply(event.instruction);
  }
}

bool MemoryChecker::IsPlainlyInside(const npu::InstructionEvent& event) {
  const abi::Instruction& instruction = event.instruction;
  const abi::Operand* operands[3] = {&instruction.dst};
  int count = 1;
  switch (npu::FamilyOf(instruction.op)) {
    case Family::kBinary:
      operands[count++] = &instruction.src0;
      operands[count++] = &instruction.src1;
      break;
    case Family::kUnary:
    case Family::kScalar:
      operands[count++] = &instruction.src0;
      break;
    case Family::kCast:
      if (instruction.op != abi::Op::kCast) return false;
      operands[count++] = &instruction.src0;
      break;
    case Family::kDuplicate:
      break;
    default:
      return false;
  }
  if (event.lanes->repeats == 0) return true;
  const uint64_t per_repeat = event.lanes->per_repeat;
  const uint64_t last_repeat = event.lanes->repeats - 1;
  CoreState& state = StateOf(event.core);
  for (int i = 0; i < count; ++i) {
    const abi::Operand& operand = *operands[i];
    const uint64_t last_block =
        (per_repeat * BitsOf(operand.dtype) + 255) / 256 - 1;
    const uint64_t reach = (last_repeat * operand.repeat_stride +
                            last_block * operand.block_stride + 1) *
                           npu::kBlockBytes;
    if (operand.address + reach > state.scratch.begin()) return false;
    if (operand.buffer_bytes == 0) continue;
    const uint64_t offset = operand.address - operand.buffer;
    if (offset > operand.buffer_bytes ||
        reach > operand.buffer_bytes - offset) {
      return false;
    }
  }
  constexpr std::string_view kRoles[3][3] = {
      {"dst"}, {"dst", "src"}, {"dst", "src0", "src1"}};
  for (int i = 0; i < count; ++i) {
    if (operands[i]->buffer_bytes == 0) continue;
    const Buffer* buffer = state.buffers.Beginning(operands[i]->buffer);
    if (buffer != nullptr) {
      CheckTurn(PlaceOf(event), kRoles[count - 1][i], *buffer);
    }
  }
  return true;
}

void MemoryChecker::CheckVector(const npu::InstructionEvent& event) {
  if (IsPlainlyInside(event)) return;
  const abi::Instruction& instruction = event.instruction;
  const npu::Lanes& lanes = *event.lanes;
  const Place place = PlaceOf(event);
  const Family family = npu::FamilyOf(instruction.op);
  const uint64_t scratch = StateOf(event.core).scratch.begin();
  if (family == Family::kTransposeLists) {
    CheckRows(event);
    CheckScratch(event, true);
    return;
  }
  bool touches_scratch = false;
  for (const npu::OperandUse& operand : npu::ListOperands(instruction, lanes)) {
    uint64_t extent = operand.extent;
    if (extent == 0 && operand.operand.address != 0) {
      extent = DataExtent(instruction, lanes, operand);
      if (extent == 0) continue;
    }
    uint64_t begin = operand.operand.address;
    const uint64_t end = begin + extent;
    // A mask may leave out what lies in front of the buffer.
    if (begin < operand.operand.buffer) begin = FirstByte(event, operand.role);
    touches_scratch |= end > scratch;
    if (family == Family::kMerge && operand.access == Access::kRead) {
      CheckByAddress(place, operand.role, operand.access, begin, end);
    } else {
      CheckUse(place,
               {operand.role, operand.access, abi::Memory::kUb, begin, end,
                operand.operand.buffer, operand.operand.buffer_bytes});
    }
  }
  CheckScratch(event, touches_scratch);
}

void MemoryChecker::CheckTransfer(const npu::InstructionEvent& event) {
  const abi::Instruction& instruction = event.instruction;
  const Place place = PlaceOf(event);
  const uint64_t scratch = StateOf(event.core).scratch.begin();
  bool touches_scratch = false;
  const auto check = [&](const abi::Operand& operand, std::string_view role,
                         Access access, const npu::TransferSide& side) {
    const uint64_t extent = side.Extent();
    if (extent == 0) return;
    CheckUse(place,
             {role, access, operand.memory, operand.address,
              operand.address + extent, operand.buffer, operand.buffer_bytes});
    touches_scratch |= operand.memory == abi::Memory::kUb &&
                       operand.address + extent > scratch;
  };
  check(instruction.src0, "src", Access::kRead, npu::SourceOf(instruction));
  check(instruction.dst, "dst", Access::kWrite,
        npu::DestinationOf(instruction));
  if (touches_scratch) CheckScratch(event, true);
}

void MemoryChecker::CheckCube(const npu::InstructionEvent& event) {
  const abi::Instruction& instruction = event.instruction;
  // Mmad reads whole fractals; what lies in them behind a matrix is ignored.
  const bool ignores_tails = npu::FamilyOf(instruction.op) == Family::kMmad;
  const Place place = PlaceOf(event);
  for (const npu::FootprintUse& use : npu::FootprintOf(event)) {
    const abi::Operand& operand = CubeOperand(instruction, use.role);
    uint64_t end = use.address;
    npu::ForEachRange(use,
                      [&](uint64_t, uint64_t to) { end = std::max(end, to); });
    if (ignores_tails && !use.writes()) end = use.address + 1;
    CheckUse(place, {use.role, use.access, use.memory, use.address, end,
                     operand.buffer, operand.buffer_bytes});
  }
}

void MemoryChecker::CheckRows(const npu::InstructionEvent& event) {
  const abi::Instruction& instruction = event.instruction;
  const QueueBuffers& buffers = StateOf(event.core).buffers;
  if (instruction.repeat == 0 || buffers.buffers().empty()) return;
  const Place place = PlaceOf(event);
  const auto check = [&](uint64_t list, const abi::Operand& operand,
                         std::string_view role, Access access) {
    constexpr int kRows = 16;
    const auto* rows = reinterpret_cast<const uint64_t*>(list);
    const uint64_t extent =
        (uint64_t{instruction.repeat - 1} * operand.repeat_stride + 1) *
        npu::kBlockBytes;
    for (int row = 0; row < kRows; ++row) {
      CheckByAddress(place, role, access, rows[row], rows[row] + extent);
    }
  };
  check(instruction.lists.sources, instruction.src0, "src", Access::kRead);
  check(instruction.lists.destinations, instruction.dst, "dst", Access::kWrite);
}

void MemoryChecker::CheckByAddress(const Place& place, std::string_view role,
                                   Access access, uint64_t begin,
                                   uint64_t end) {
  const Buffer* buffer = StateOf(place.core).buffers.Holding(begin);
  if (buffer == nullptr) return;
  CheckUse(place, {role, access, abi::Memory::kUb, begin, end, buffer->begin,
                   buffer->end - buffer->begin});
}

void MemoryChecker::CheckUse(const Place& place, const Use& use) {
  if (use.memory == abi::Memory::kGm && CheckAllocation(place, use)) return;
  if (use.buffer_bytes == 0) return;
  if (use.begin < use.buffer || use.end > use.buffer + use.buffer_bytes) {
    ReportOutside(place, use);
  }
  if (use.memory == abi::Memory::kGm) return;
  if (const Buffer* buffer =
          StateOf(place.core).buffers.Beginning(use.buffer)) {
    CheckTurn(place, use.role, *buffer);
  }
}

void MemoryChecker::OnOutsideBuffer(const npu::OutsideBufferEvent& event) {
  const bool global = chip_.global().Spans(event.buffer);
  ReportOutside(
      {event.core, "scalar access", "S", event.pc},
      {"the element", Access::kRead,
       global ? abi::Memory::kGm : abi::Memory::kUb, event.address,
       event.address + event.bytes, event.buffer, event.buffer_bytes});
}

void MemoryChecker::OnScalar(const npu::ScalarEvent& event) {
  const uint64_t end = event.address + event.bytes;
  const Place place{event.core, event.write ? "scalar store" : "scalar load",
                    "S", event.pc};
  if (chip_.global().Spans(event.address)) {
    CheckAllocation(place, {"it", event.write ? Access::kWrite : Access::kRead,
                            abi::Memory::kGm, event.address, end, 0, 0});
    return;
  }
  CoreState& state = StateOf(event.core);
  if (event.ordered) {
    const Buffer* buffer = state.buffers.Holding(event.address);
    if (buffer != nullptr) CheckTurn(place, "the element", *buffer);
  }
  if (end <= state.scratch.begin()) return;
  if (event.write) {
    state.scratch.Write(event.address, end, event.pc);
  } else {
    ReportLoss(place, "it", state.scratch.Read(event.address, end));
  }
}

void MemoryChecker::CheckScratch(const npu::InstructionEvent& event,
                                 bool touched) {
  CoreState& state = StateOf(event.core);
  const Place place = PlaceOf(event);
  if (event.lanes != nullptr) {
    const npu::HiddenScratch hidden =
        npu::HiddenScratchOf(chip_.spec(), event.instruction, *event.lanes);
    const uint64_t begin = state.scratch.begin();
    const uint64_t end = begin + hidden.bytes;
    if (hidden.bytes != 0 && state.buffers.end() > begin) {
      ReportBuffersOver(place, hidden);
    }
    if (hidden.bytes != 0) state.scratch.Clobber(begin, end, place.pc);
  }
  if (!touched) return;
  const npu::Footprint footprint = npu::FootprintOf(event);
  for (const npu::FootprintUse& use : footprint) {
    if (use.memory != abi::Memory::kUb || !use.reads()) continue;
    ScratchShadow::Loss first;
    npu::ForEachRange(use, [&](uint64_t from, uint64_t to) {
      if (to <= state.scratch.begin()) return;
      const ScratchShadow::Loss loss = state.scratch.Read(from, to);
      if (first.address == 0 ||
          (loss.address != 0 && loss.address < first.address)) {
        first = loss;
      }
    });
    ReportLoss(place, use.role, first);
  }
  for (const npu::FootprintUse& use : footprint) {
    if (use.memory != abi::Memory::kUb || !use.writes()) continue;
    npu::ForEachRange(use, [&](uint64_t from, uint64_t to) {
      if (to > state.scratch.begin()) state.scratch.Write(from, to, place.pc);
    });
  }
}

}  // namespace belay::check
