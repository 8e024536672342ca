// SPDX-License-Identifier: Apache-2.0
#include "mutate_buffers.h"

#include <fmt/format.h>

#include <map>

#include "npu/names.h"

namespace belay::orders {
namespace {

struct Buffers {
  uint64_t first = 0;
  uint64_t last = 0;
  uint64_t bytes = 0;
  uint32_t last_index = 0;
};

}  // namespace

std::vector<Mutant> MakeBufferCountMutants(const Recording& recording) {
  const std::vector<Event>& events = recording.events;
  // By the place of InitBuffer, then by core and queue.
  std::map<uint64_t, std::map<std::pair<int, uint64_t>, Buffers>> queues;
  for (const Event& event : events) {
    if (event.kind != Event::Kind::kInstruction ||
        event.instruction.op != abi::Op::kInitBuffer) {
      continue;
    }
    const abi::Queue& queue = event.instruction.queue;
    Buffers& buffers = queues[event.instruction.pc][{event.slot, queue.queue}];
    if (queue.index == 0) buffers.first = queue.address;
    if (queue.index >= buffers.last_index) {
      buffers.last = queue.address;
      buffers.last_index = queue.index;
    }
    buffers.bytes = queue.bytes;
  }
  std::vector<Mutant> mutants;
  for (const auto& [place, by_core] : queues) {
    if (by_core.begin()->second.last_index == 0) continue;
    Mutant mutant;
    mutant.group = "buffer count";
    mutant.what = fmt::format("queue with {} buffers instead of {}",
                              by_core.begin()->second.last_index,
                              by_core.begin()->second.last_index + 1);
    for (size_t i = 0; i < events.size(); ++i) {
      const Event& event = events[i];
      if (event.kind != Event::Kind::kInstruction) continue;
      for (const auto& [key, buffers] : by_core) {
        if (key.first != event.slot) continue;
        abi::Instruction changed = event.instruction;
        bool any = false;
        const auto move = [&](uint64_t& address) {
          if (address - buffers.last >= buffers.bytes) return;
          address = address - buffers.last + buffers.first;
          any = true;
        };
        if (npu::FamilyOf(changed.op) == npu::Family::kQueue) {
          if (changed.op == abi::Op::kInitBuffer) continue;
          move(changed.queue.address);
          if (any && changed.queue.queue == key.second) changed.queue.index = 0;
        } else {
          for (abi::Operand* operand :
               {&changed.dst, &changed.src0, &changed.src1, &changed.src2}) {
            move(operand->address);
            if (operand->buffer != 0) move(operand->buffer);
          }
        }
        if (any) mutant.changed.emplace_back(static_cast<int>(i), changed);
      }
    }
    mutants.push_back(std::move(mutant));
  }
  return mutants;
}

}  // namespace belay::orders
