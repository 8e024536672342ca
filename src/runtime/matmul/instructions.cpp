// SPDX-License-Identifier: Apache-2.0
#include "runtime/matmul/instructions.h"

#include <utility>

#include "npu/fault.h"
#include "runtime/pipe.h"
#include "runtime/queue_issue.h"

namespace belay::runtime::matmul {

using abi::DType;
using abi::Op;
using abi::Pipe;

uint64_t Instructions::MemoryBase(abi::Memory memory) const {
  return device_.chip().on_chip().Base(device_.current()->core->slot, memory);
}

uint64_t Instructions::MemoryBytes(abi::Memory memory) const {
  return device_.chip().spec().BytesOf(memory);
}

abi::Operand Instructions::Place(abi::Memory memory, uint64_t address,
                                 uint64_t bytes, DType dtype) const {
  abi::Operand operand{};
  operand.address = address;
  operand.block_stride = 1;
  operand.repeat_stride = 8;
  operand.dtype = dtype;
  operand.memory = memory;
  operand.buffer = address;
  operand.buffer_bytes = bytes;
  return operand;
}

void Instructions::Issue(abi::Instruction& instruction) {
  instruction.pc = pc_;
  device_.chip().Issue(*device_.current()->core, instruction);
}

void Instructions::Raise(abi::MatmulFlag& flag, Pipe from, Pipe to) {
  const int32_t id = TakeEvent(device_, pipe_, from, to, Reserve::kForQueue);
  flag.raised = static_cast<uint8_t>(id + 1);
  IssueFlag(device_, Op::kSetFlag, from, to, id, pc_);
}

void Instructions::Await(abi::MatmulFlag& flag, Pipe from, Pipe to) {
  if (flag.raised == 0 || flag.raised > 8) return;
  const int32_t id = flag.raised - 1;
  flag.raised = 0;
  IssueFlag(device_, Op::kWaitFlag, from, to, id, pc_);
  ReleaseEvent(pipe_, from, to, id);
}

void Instructions::Order(Pipe from, Pipe to) {
  abi::MatmulFlag flag{};
  Raise(flag, from, to);
  Await(flag, from, to);
}

void Instructions::Barrier(Pipe pipe) {
  IssueFlag(device_, Op::kPipeBarrier, pipe, pipe, 0, pc_);
}

void Instructions::SetRegister(Op op, uint64_t scalar, uint8_t mode) {
  abi::Instruction set{};
  set.op = op;
  set.mode = mode;
  set.scalar = scalar;
  Issue(set);
}

void Instructions::SetAtomic(abi::Atomic atomic, DType dtype) {
  abi::Instruction set{};
  set.op = Op::kSetAtomic;
  set.mode = static_cast<uint8_t>(atomic);
  set.dst.dtype = dtype;
  Issue(set);
}

void Instructions::Copy(const abi::Operand& dst, const abi::Operand& src,
                        uint64_t bytes) {
  abi::Instruction copy{};
  copy.op = Op::kDataCopy;
  copy.dst = dst;
  copy.src0 = src;
  copy.transfer.block_count = 1;
  copy.transfer.block_bytes = static_cast<uint32_t>(bytes);
  Issue(copy);
}

void Refuse(const char* code, std::string message, std::string fix) {
  npu::ThrowTrap(code, std::move(message), std::move(fix));
}

}  // namespace belay::runtime::matmul
