// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_RUNTIME_QUEUE_ISSUE_H_
#define BELAY_RUNTIME_QUEUE_ISSUE_H_

// The instructions queues and pipes issue for the running block, and how their
// misuse is reported.

#include <string>

#include "belay/queue.h"
#include "runtime/device.h"

namespace belay::runtime {

// SetFlag, WaitFlag or PipeBarrier between two pipes.
void IssueFlag(Device& device, abi::Op op, abi::Pipe from, abi::Pipe to,
               int32_t id, uint64_t pc);

// Tells observers that a buffer changes hands.
void IssueQueue(Device& device, abi::Op op, const abi::QueueState& queue,
                int index, uint64_t pc);

// Throws Trap; "{name}" in the message becomes the queue as the guest's source
// calls it.
[[noreturn]] void TrapQueue(const char* code, std::string message,
                            std::string fix, const abi::QueueState& queue);

}  // namespace belay::runtime

#endif  // BELAY_RUNTIME_QUEUE_ISSUE_H_
