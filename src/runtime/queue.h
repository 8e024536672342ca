// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_RUNTIME_QUEUE_H_
#define BELAY_RUNTIME_QUEUE_H_

// What TQue does: passes buffers from one pipe to the next, and sets and waits
// for the flags that order them.

#include "belay/queue.h"
#include "runtime/device.h"

namespace belay::runtime {

// The pipes a queue hands buffers between: the flag EnQue sets and DeQue
// waits for goes from producer to consumer, the one FreeTensor sets and
// AllocTensor waits for goes back.
struct QueuePipes {
  abi::Pipe producer;
  abi::Pipe consumer;
};
QueuePipes PipesOf(const abi::QueueState& queue);

// All of these act for the running block and throw npu::Trap.
uint64_t AllocTensor(Device& device, abi::QueueState& queue, uint64_t pc);
bool EnQue(Device& device, abi::QueueState& queue, uint64_t address,
           uint64_t pc);
uint64_t DeQue(Device& device, abi::QueueState& queue, uint64_t pc);
void FreeTensor(Device& device, abi::QueueState& queue, uint64_t address,
                uint64_t pc);
void FreeAllEvents(Device& device, abi::QueueState& queue, uint64_t pc);

}  // namespace belay::runtime

#endif  // BELAY_RUNTIME_QUEUE_H_
