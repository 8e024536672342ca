// SPDX-License-Identifier: Apache-2.0
#include "npu/names.h"

#include <fmt/format.h>

namespace belay::npu {
namespace {

constexpr std::string_view kOperations[] = {
    "Invalid",
#define BELAY_OPERATION(name, family) #name,
#include "belay/operations.def"
#undef BELAY_OPERATION
};

constexpr std::string_view kPipes[] = {"S",    "V",    "M",   "MTE1",
                                       "MTE2", "MTE3", "FIX", "ALL"};
constexpr std::string_view kMemories[] = {"GM",  "UB",  "L1", "L0A",
                                          "L0B", "L0C", "BT", "FB"};

abi::Pipe TransferPipe(const abi::Instruction& instruction) {
  const abi::Memory from = instruction.src0.memory;
  const abi::Memory to = instruction.dst.memory;
  if (from == abi::Memory::kGm) return abi::Pipe::kMte2;
  if (from == abi::Memory::kUb) {
    return to == abi::Memory::kUb ? abi::Pipe::kV : abi::Pipe::kMte3;
  }
  if (from == abi::Memory::kL0c || to == abi::Memory::kFb) {
    return abi::Pipe::kFix;
  }
  return to == abi::Memory::kGm ? abi::Pipe::kMte3 : abi::Pipe::kMte1;
}

abi::Pipe CubePipe(const abi::Instruction& instruction, Family family) {
  switch (family) {
    case Family::kLoad2D:
      return instruction.src0.memory == abi::Memory::kGm ? abi::Pipe::kMte2
                                                         : abi::Pipe::kMte1;
    case Family::kLoad3D:
      return abi::Pipe::kMte1;
    case Family::kNd2Nz:
      return abi::Pipe::kMte2;
    case Family::kFill:
      return instruction.dst.memory == abi::Memory::kL1 ? abi::Pipe::kMte2
                                                        : abi::Pipe::kMte1;
    case Family::kMmad:
      return abi::Pipe::kM;
    case Family::kFixpipe:
      return abi::Pipe::kFix;
    default:
      return abi::Pipe::kS;
  }
}

}  // namespace

std::string_view NameOf(abi::Op op) {
  const auto index = static_cast<size_t>(op);
  return index < std::size(kOperations) ? kOperations[index] : kOperations[0];
}

std::string_view NameOf(abi::Pipe pipe) {
  return kPipes[static_cast<size_t>(pipe)];
}

std::string_view NameOf(abi::Memory memory) {
  return kMemories[static_cast<size_t>(memory)];
}

abi::Pipe PipeOf(const abi::Instruction& instruction) {
  const Family family = FamilyOf(instruction.op);
  if (IsVector(family)) return abi::Pipe::kV;
  if (family == Family::kTransfer) return TransferPipe(instruction);
  if (IsCube(family)) return CubePipe(instruction, family);
  if (family == Family::kSync) {
    return instruction.op == abi::Op::kWaitFlag ? instruction.sync.to
                                                : instruction.sync.from;
  }
  return abi::Pipe::kS;
}

std::string EventName(const abi::Sync& sync) {
  return fmt::format("{}_{}", NameOf(sync.from), NameOf(sync.to));
}

}  // namespace belay::npu
