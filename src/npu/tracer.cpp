// SPDX-License-Identifier: Apache-2.0
#include "npu/tracer.h"

#include <fmt/format.h>

#include "base/dtype.h"
#include "npu/cube/describe.h"
#include "npu/names.h"

namespace belay::npu {
namespace {

std::string DescribeLanes(const Lanes& lanes) {
  if (lanes.counter) return fmt::format("count={}", lanes.count);
  return fmt::format("mask={:#x},{:#x} repeat={}", lanes.mask[0], lanes.mask[1],
                     lanes.repeats);
}

bool IsContiguous(const abi::Operand& operand) {
  return operand.block_stride == 1 && operand.repeat_stride == 8;
}

}  // namespace

std::string Tracer::Address(const Core& core, uint64_t address) const {
  const auto place = chip_.on_chip().Locate(address);
  if (!place) return fmt::format("{:#x}", address);
  const std::string other =
      place->slot == core.slot ? "" : fmt::format("slot{}.", place->slot);
  return fmt::format("{}{}+{:#x}", other, NameOf(place->memory), place->offset);
}

std::string Tracer::Operand(const Core& core, const char* role,
                            const abi::Operand& operand) const {
  if (operand.address == 0) return "";
  std::string text =
      fmt::format(" {}={}:{}", role, Address(core, operand.address),
                  belay::NameOf(operand.dtype));
  if (!IsContiguous(operand) &&
      (operand.block_stride != 0 || operand.repeat_stride != 0)) {
    text += fmt::format("[{},{}]", operand.block_stride, operand.repeat_stride);
  }
  return text;
}

std::string Tracer::Describe(const Core& core,
                             const abi::Instruction& instruction,
                             const Lanes* lanes) const {
  std::string text(NameOf(instruction.op));
  switch (FamilyOf(instruction.op)) {
    case Family::kSync:
      if (instruction.op == abi::Op::kSetFlag ||
          instruction.op == abi::Op::kWaitFlag) {
        text += fmt::format(" {} id={}", EventName(instruction.sync),
                            instruction.sync.id);
      } else if (instruction.op == abi::Op::kCrossCoreSetFlag) {
        text += fmt::format(" mode={} id={}", instruction.mode,
                            instruction.sync.id);
      } else if (instruction.op == abi::Op::kCrossCoreWaitFlag) {
        text += fmt::format(" id={}", instruction.sync.id);
      } else if (instruction.op == abi::Op::kPipeBarrier) {
        text += fmt::format(" {}", NameOf(instruction.sync.from));
      }
      return text;
    case Family::kQueue:
      return text + fmt::format(" buffer={} at {} bytes={}",
                                instruction.queue.index,
                                Address(core, instruction.queue.address),
                                instruction.queue.bytes);
    case Family::kTransfer: {
      const abi::Transfer& transfer = instruction.transfer;
      text += Operand(core, "dst", instruction.dst);
      text += Operand(core, "src", instruction.src0);
      return text + fmt::format(" blocks={}x{}B gaps={},{}",
                                transfer.block_count, transfer.block_bytes,
                                transfer.source_gap, transfer.destination_gap);
    }
    case Family::kRegister:
      return text + fmt::format(" mode={} mask={:#x},{:#x}", instruction.mode,
                                instruction.mask[0], instruction.mask[1]);
    default:
      break;
  }
  text += Operand(core, "dst", instruction.dst);
  text += Operand(core, "src0", instruction.src0);
  text += Operand(core, "src1", instruction.src1);
  text += Operand(core, "src2", instruction.src2);
  if (instruction.scalar != 0) {
    text += fmt::format(" scalar={:#x}", instruction.scalar);
  }
  if (lanes != nullptr) text += " " + DescribeLanes(*lanes);
  if (IsCube(FamilyOf(instruction.op))) text += DescribeCube(instruction);
  return text;
}

void Tracer::Print(const Core& core, std::string_view pipe,
                   const std::string& text, uint64_t pc) {
  fmt::print(out_, "{:<6} b{:<3} {:<4} {}  {}\n", core.Name(), core.block, pipe,
             text, locate_(pc));
}

void Tracer::OnLaunch(const LaunchEvent& event) {
  fmt::print(out_, "launch {} blocks={}\n", event.kernel, event.blocks);
}

void Tracer::OnInstruction(const InstructionEvent& event) {
  Print(event.core, NameOf(event.pipe),
        Describe(event.core, event.instruction, event.lanes),
        event.instruction.pc);
}

void Tracer::OnScalar(const ScalarEvent& event) {
  Print(event.core, "S",
        fmt::format("{}{} {} bytes={}", event.write ? "store" : "load",
                    event.ordered ? " value" : "",
                    Address(event.core, event.address), event.bytes),
        event.pc);
}

void Tracer::OnBlockEnd(const Core& core) {
  fmt::print(out_, "{:<6} b{:<3} end\n", core.Name(), core.block);
}

}  // namespace belay::npu
