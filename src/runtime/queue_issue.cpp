// SPDX-License-Identifier: Apache-2.0
#include "runtime/queue_issue.h"

namespace belay::runtime {

void IssueFlag(Device& device, abi::Op op, abi::Pipe from, abi::Pipe to,
               int32_t id, uint64_t pc) {
  abi::Instruction instruction{};
  instruction.op = op;
  instruction.mode = 1;
  instruction.sync = {from, to, static_cast<uint32_t>(id), 0};
  instruction.pc = pc;
  device.chip().Issue(*device.current()->core, instruction);
}

void IssueQueue(Device& device, abi::Op op, const abi::QueueState& queue,
                int index, uint64_t pc) {
  abi::Instruction instruction{};
  instruction.op = op;
  instruction.queue = {reinterpret_cast<uint64_t>(&queue),
                       queue.buffer[index].address, queue.bytes,
                       static_cast<uint32_t>(index)};
  instruction.pc = pc;
  device.chip().Issue(*device.current()->core, instruction);
}

void TrapQueue(const char* code, std::string message, std::string fix,
               const abi::QueueState& queue) {
  npu::Fault fault;
  fault.diagnostic.code = code;
  fault.diagnostic.message = std::move(message);
  fault.diagnostic.fix = std::move(fix);
  fault.name_pc = queue.init_pc;
  if (queue.init_pc != 0) {
    fault.notes.push_back({"the queue got its buffers here", queue.init_pc});
  }
  throw npu::Trap(std::move(fault));
}

}  // namespace belay::runtime
