// SPDX-License-Identifier: Apache-2.0
#include "runtime/queue.h"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/pipe.h"
#include "runtime/queue_issue.h"

namespace belay::runtime {
namespace {

using abi::BufferState;
using abi::Pipe;
using abi::Position;

abi::PipeState& LivePipe(Device& device) {
  auto* pipe = static_cast<abi::PipeState*>(device.current()->pipe);
  if (pipe == nullptr) {
    npu::ThrowTrap("BLY-Q107", "a queue is used while no TPipe is alive",
                   "keep the TPipe alive until the kernel has ended");
  }
  return *pipe;
}

// Takes an event id and sets its flag; the id goes into `event`.
void SetEvent(Device& device, Pipe from, Pipe to, int8_t& event, uint64_t pc) {
  event = static_cast<int8_t>(
      TakeEvent(device, LivePipe(device), from, to, Reserve::kForQueue));
  IssueFlag(device, abi::Op::kSetFlag, from, to, event, pc);
}

// The buffer for which FreeTensor set an event; 0 when that has ended.
uint32_t& FreedBuffer(Device& device, const QueuePipes& pipes, int8_t event) {
  return LivePipe(device).freed_buffer[static_cast<int>(pipes.consumer)]
                                      [static_cast<int>(pipes.producer)][event];
}

// Waits for the flag and gives the id back; nothing when there is none.
void WaitEvent(Device& device, Pipe from, Pipe to, int8_t& event, uint64_t pc) {
  if (event < 0) return;
  IssueFlag(device, abi::Op::kWaitFlag, from, to, event, pc);
  ReleaseEvent(LivePipe(device), from, to, event);
  event = -1;
}

// Waits until whoever read the buffer before it was freed is done with it;
// TBufPool::Reset may have waited already.
void WaitForReaders(Device& device, const QueuePipes& pipes,
                    abi::QueueBuffer& buffer, uint64_t pc) {
  if (buffer.backward_event >= 0 &&
      FreedBuffer(device, pipes, buffer.backward_event) !=
          static_cast<uint32_t>(buffer.address)) {
    buffer.backward_event = -1;
  }
  WaitEvent(device, pipes.consumer, pipes.producer, buffer.backward_event, pc);
}

// -1: none. Buffers of no bytes lie at one address: the first of them in that
// state, if there is one.
int BufferAt(const abi::QueueState& queue, uint64_t address,
             BufferState state) {
  int found = -1;
  for (int i = 0; i < queue.buffers; ++i) {
    const abi::QueueBuffer& buffer = queue.buffer[i];
    const uint64_t base = buffer.address;
    if (address < base || address >= base + std::max(queue.bytes, 1u)) continue;
    if (buffer.state == state) return i;
    if (found < 0) found = i;
  }
  return found;
}

void RequireInitialised(const char* what, const abi::QueueState& queue) {
  if (queue.buffers != 0) return;
  TrapQueue("BLY-Q108",
            fmt::format("[{}] the queue has no buffers: InitBuffer was never "
                        "called for it",
                        what),
            "call pipe.InitBuffer(queue, num, bytes) first", queue);
}

}  // namespace

QueuePipes PipesOf(const abi::QueueState& queue) {
  const Position from = queue.source;
  const Position to = queue.destination;
  if (from == Position::kVecIn && to == Position::kVecOut) {
    return {Pipe::kMte2, Pipe::kMte3};
  }
  if (from == Position::kVecOut || from == Position::kVecCalc) {
    return {Pipe::kV, to == Position::kVecCalc ? Pipe::kV : Pipe::kMte3};
  }
  if (from == Position::kCo1) return {Pipe::kM, Pipe::kFix};
  switch (to) {
    case Position::kVecIn:
      return {Pipe::kMte2, Pipe::kV};
    case Position::kA1:
    case Position::kB1:
    case Position::kC1:
    case Position::kTscm:
      return {from == Position::kGm ? Pipe::kMte2 : Pipe::kMte3, Pipe::kMte1};
    case Position::kA2:
    case Position::kB2:
    case Position::kC2:
      return {from == Position::kGm ? Pipe::kMte2 : Pipe::kMte1, Pipe::kM};
    case Position::kC2Pipe2Gm:
      return {Pipe::kMte1, Pipe::kFix};
    default:
      return {Pipe::kV, Pipe::kV};
  }
}

uint64_t AllocTensor(Device& device, abi::QueueState& queue, uint64_t pc) {
  RequireInitialised("AllocTensor", queue);
  for (int tried = 0; tried < queue.buffers; ++tried) {
    const int index = (queue.next + tried) % queue.buffers;
    abi::QueueBuffer& buffer = queue.buffer[index];
    if (buffer.state != BufferState::kFree) continue;
    WaitForReaders(device, PipesOf(queue), buffer, pc);
    buffer.state = BufferState::kAllocated;
    queue.next = static_cast<uint8_t>((index + 1) % queue.buffers);
    IssueQueue(device, abi::Op::kAllocTensor, queue, index, pc);
    return buffer.address;
  }
  TrapQueue("BLY-Q101",
            fmt::format("[AllocTensor] deadlock: all {} buffers of queue "
                        "'{{name}}' are taken, and the chip waits for ever "
                        "for one to be freed",
                        queue.buffers),
            "free a tensor of this queue first, or give InitBuffer more "
            "buffers",
            queue);
}

bool EnQue(Device& device, abi::QueueState& queue, uint64_t address,
           uint64_t pc) {
  RequireInitialised("EnQue", queue);
  const int index = BufferAt(queue, address, BufferState::kAllocated);
  if (index < 0) {
    TrapQueue("BLY-Q104", "[EnQue] the tensor is not one of queue '{name}'",
              "enqueue what this queue's AllocTensor returned", queue);
  }
  const int depth = queue.depth == 0 ? queue.buffers : queue.depth;
  if (queue.queued >= depth) {
    TrapQueue("BLY-Q106",
              fmt::format("[EnQue] queue '{{name}}' is full: {} tensors wait "
                          "already and its depth is {}",
                          queue.queued, depth),
              "DeQue before the next EnQue, or declare a larger depth", queue);
  }
  const QueuePipes pipes = PipesOf(queue);
  abi::QueueBuffer& buffer = queue.buffer[index];
  IssueQueue(device, abi::Op::kEnQue, queue, index, pc);
  SetEvent(device, pipes.producer, pipes.consumer, buffer.forward_event, pc);
  buffer.state = BufferState::kEnqueued;
  queue.order[(queue.head + queue.queued) % abi::kMaxQueueBuffers] =
      static_cast<uint8_t>(index);
  ++queue.queued;
  return true;
}

uint64_t DeQue(Device& device, abi::QueueState& queue, uint64_t pc) {
  RequireInitialised("DeQue", queue);
  if (queue.queued == 0) {
    TrapQueue("BLY-Q102",
              "[DeQue] queue '{name}' is empty: nothing was enqueued",
              "EnQue a tensor first", queue);
  }
  const int index = queue.order[queue.head];
  queue.head = static_cast<uint8_t>((queue.head + 1) % abi::kMaxQueueBuffers);
  --queue.queued;
  abi::QueueBuffer& buffer = queue.buffer[index];
  const QueuePipes pipes = PipesOf(queue);
  WaitEvent(device, pipes.producer, pipes.consumer, buffer.forward_event, pc);
  buffer.state = BufferState::kDequeued;
  IssueQueue(device, abi::Op::kDeQue, queue, index, pc);
  return buffer.address;
}

void FreeTensor(Device& device, abi::QueueState& queue, uint64_t address,
                uint64_t pc) {
  RequireInitialised("FreeTensor", queue);
  const int index = BufferAt(queue, address, BufferState::kDequeued);
  if (index < 0 || queue.buffer[index].state == BufferState::kFree) {
    TrapQueue("BLY-Q104",
              index < 0 ? "[FreeTensor] the tensor is not one of queue '{name}'"
                        : "[FreeTensor] the tensor of queue '{name}' is free "
                          "already",
              "free each tensor once, with the queue that allocated it", queue);
  }
  abi::QueueBuffer& buffer = queue.buffer[index];
  const QueuePipes pipes = PipesOf(queue);
  IssueQueue(device, abi::Op::kFreeTensor, queue, index, pc);
  SetEvent(device, pipes.consumer, pipes.producer, buffer.backward_event, pc);
  FreedBuffer(device, pipes, buffer.backward_event) =
      static_cast<uint32_t>(buffer.address);
  buffer.state = BufferState::kFree;
}

void FreeAllEvents(Device& device, abi::QueueState& queue, uint64_t pc) {
  const QueuePipes pipes = PipesOf(queue);
  for (int i = 0; i < queue.buffers; ++i) {
    WaitForReaders(device, pipes, queue.buffer[i], pc);
  }
}

}  // namespace belay::runtime
