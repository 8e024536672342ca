// SPDX-License-Identifier: Apache-2.0
#include "runtime/queue.h"

#include <fmt/format.h>

#include <algorithm>

#include "npu/names.h"

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

void IssueFlag(Device& device, abi::Op op, Pipe from, Pipe to, int32_t id,
               uint64_t pc) {
  abi::Instruction instruction{};
  instruction.op = op;
  instruction.sync = {from, to, static_cast<uint32_t>(id), 0};
  instruction.pc = pc;
  device.chip().Issue(*device.current()->core, instruction);
}

// Tells observers that a buffer changes hands.
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

int BufferAt(const abi::QueueState& queue, uint64_t address) {
  for (int i = 0; i < queue.buffers; ++i) {
    const uint64_t base = queue.buffer[i].address;
    if (address >= base && address < base + std::max(queue.bytes, 1u)) return i;
  }
  return -1;
}

// "{name}" becomes the queue as the guest's source calls it.
[[noreturn]] void TrapQueue(const char* code, std::string message,
                            std::string fix, const abi::QueueState& queue) {
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

void RequireInitialised(const char* what, const abi::QueueState& queue) {
  if (queue.buffers != 0) return;
  TrapQueue("BLY-Q108",
            fmt::format("[{}] the queue has no buffers: InitBuffer was never "
                        "called for it",
                        what),
            "call pipe.InitBuffer(queue, num, bytes) first", queue);
}

}  // namespace

abi::Memory MemoryOf(Position position) {
  switch (position) {
    case Position::kGm:
    case Position::kCo2:
      return abi::Memory::kGm;
    case Position::kA1:
    case Position::kB1:
    case Position::kC1:
    case Position::kTscm:
    case Position::kSpm:
      return abi::Memory::kL1;
    case Position::kA2:
      return abi::Memory::kL0a;
    case Position::kB2:
      return abi::Memory::kL0b;
    case Position::kC2:
      return abi::Memory::kBt;
    case Position::kCo1:
      return abi::Memory::kL0c;
    case Position::kC2Pipe2Gm:
    case Position::kC2Pipe2Local:
      return abi::Memory::kFb;
    default:
      return abi::Memory::kUb;
  }
}

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

int32_t TakeEvent(Device& device, abi::PipeState& pipe, Pipe from, Pipe to,
                  bool reserve) {
  uint8_t& taken = pipe.events[static_cast<int>(from)][static_cast<int>(to)];
  const auto ids = static_cast<int32_t>(device.chip().spec().limits.event_ids);
  for (int32_t id = 0; id < ids; ++id) {
    if (taken >> id & 1) continue;
    if (reserve) taken |= 1u << id;
    return id;
  }
  npu::ThrowTrap(
      "BLY-Q105",
      fmt::format("all {} event ids of {} are taken: the chip would wait for "
                  "one for ever",
                  ids, npu::EventName({from, to, 0, 0})),
      "release event ids, or keep fewer buffers in flight at this position");
}

void ReleaseEvent(abi::PipeState& pipe, Pipe from, Pipe to, int32_t id) {
  pipe.events[static_cast<int>(from)][static_cast<int>(to)] &= ~(1u << id);
}

void InitPipe(Device& device, abi::PipeState& pipe) {
  pipe = abi::PipeState{};
  pipe.live = 1;
  device.current()->pipe = &pipe;
}

void ResetPipe(Device& device, abi::PipeState& pipe, uint64_t pc) {
  // Flags that queues left for buffers nobody took again.
  const npu::FlagTable& flags = device.current()->core->flags;
  for (int from = 0; from < 8; ++from) {
    for (int to = 0; to < 8; ++to) {
      for (int32_t id = 0; pipe.events[from][to] != 0 && id < 8; ++id) {
        if (!(pipe.events[from][to] >> id & 1)) continue;
        const auto source = static_cast<Pipe>(from);
        const auto target = static_cast<Pipe>(to);
        if (flags.IsSet({source, target, static_cast<uint32_t>(id), 0})) {
          IssueFlag(device, abi::Op::kWaitFlag, source, target, id, pc);
        }
        ReleaseEvent(pipe, source, target, id);
      }
    }
  }
  abi::Instruction barrier{};
  barrier.op = abi::Op::kPipeBarrier;
  barrier.sync = {Pipe::kAll, Pipe::kAll, 0, 0};
  barrier.pc = pc;
  device.chip().Issue(*device.current()->core, barrier);
  std::fill(std::begin(pipe.used), std::end(pipe.used), 0);
  pipe.buffers = 0;
}

void DestroyPipe(Device& device, abi::PipeState& pipe, uint64_t pc) {
  if (!pipe.live) return;
  ResetPipe(device, pipe, pc);
  pipe.live = 0;
  if (device.current()->pipe == &pipe) device.current()->pipe = nullptr;
}

namespace {

// A stretch of on-chip memory that buffers are taken from, front to back.
struct Room {
  uint64_t base;
  uint64_t bytes;
  uint32_t& used;
  uint32_t& buffers;      // handed out so far
  uint32_t buffer_limit;  // in all
};

// Cuts `buffers` buffers off the room for the queue.
void FillQueue(Device& device, Room room, abi::QueueState& queue,
               uint32_t buffers, uint32_t bytes, uint64_t pc) {
  if (buffers == 0 || buffers > abi::kMaxQueueBuffers ||
      room.buffers + buffers > room.buffer_limit) {
    TrapQueue(
        "BLY-Q105",
        fmt::format("[InitBuffer] {} buffers for '{{name}}', {} in all: a "
                    "queue takes 1 to {}, all together {}",
                    buffers, room.buffers + buffers, abi::kMaxQueueBuffers,
                    room.buffer_limit),
        "use fewer buffers", queue);
  }
  const uint64_t each = (uint64_t{bytes} + 31) / 32 * 32;
  if (room.used + each * buffers > room.bytes) {
    TrapQueue("BLY-Q103",
              fmt::format("[InitBuffer] {} has {} bytes left, '{{name}}' asks "
                          "for {} × {} bytes",
                          npu::NameOf(queue.memory), room.bytes - room.used,
                          buffers, each),
              "use smaller tiles or fewer buffers", queue);
  }
  queue.bytes = static_cast<uint32_t>(each);
  queue.buffers = static_cast<uint8_t>(buffers);
  queue.next = queue.head = queue.queued = 0;
  for (uint32_t i = 0; i < buffers; ++i) {
    queue.buffer[i] = {room.base + room.used, BufferState::kFree, -1, -1};
    room.used += static_cast<uint32_t>(each);
    IssueQueue(device, abi::Op::kInitBuffer, queue, static_cast<int>(i), pc);
  }
  room.buffers += buffers;
}

Room RoomOf(Device& device, abi::PipeState& pipe, abi::Memory memory) {
  const npu::ChipSpec& spec = device.chip().spec();
  return {device.chip().on_chip().Base(device.current()->core->slot, memory),
          spec.BytesOf(memory), pipe.used[static_cast<int>(memory)],
          pipe.buffers, spec.limits.buffers};
}

Room RoomOf(abi::PoolState& pool, uint32_t buffer_limit) {
  return {pool.base, pool.bytes, pool.used, pool.buffers, buffer_limit};
}

void PlaceQueue(abi::QueueState& queue, uint64_t pc) {
  queue.memory = MemoryOf(
      queue.destination == Position::kGm ? queue.source : queue.destination);
  queue.init_pc = pc;
}

// Instructions on the other core type's memory do nothing, nor does this.
bool HasMemory(Device& device, abi::Memory memory) {
  return device.chip().on_chip().Has(device.current()->core->slot, memory);
}

}  // namespace

void InitBuffer(Device& device, abi::PipeState& pipe, abi::QueueState& queue,
                uint32_t buffers, uint32_t bytes, uint64_t pc) {
  PlaceQueue(queue, pc);
  if (!HasMemory(device, queue.memory)) return;
  FillQueue(device, RoomOf(device, pipe, queue.memory), queue, buffers, bytes,
            pc);
}

void InitPool(Device& device, abi::PipeState& pipe, abi::PoolState* parent,
              abi::PoolState& pool, Position position, uint32_t bytes,
              const abi::PoolState* shared, uint64_t pc) {
  pool = abi::PoolState{};
  pool.memory = MemoryOf(position);
  if (!HasMemory(device, pool.memory)) return;
  pool.bytes = (bytes + 31) / 32 * 32;
  if (shared != nullptr) {
    pool.base = shared->base;
    return;
  }
  Room room = parent != nullptr
                  ? RoomOf(*parent, device.chip().spec().limits.buffers)
                  : RoomOf(device, pipe, pool.memory);
  if (room.used + uint64_t{pool.bytes} > room.bytes) {
    npu::Fault fault;
    fault.diagnostic.code = "BLY-Q103";
    fault.diagnostic.message = fmt::format(
        "[InitBufPool] {} has {} bytes left, '{{name}}' asks for {}",
        npu::NameOf(pool.memory), room.bytes - room.used, pool.bytes);
    fault.diagnostic.fix = "use a smaller pool";
    fault.name_pc = pc;
    throw npu::Trap(std::move(fault));
  }
  pool.base = room.base + room.used;
  room.used += pool.bytes;
}

void InitPoolBuffer(Device& device, abi::PoolState& pool,
                    abi::QueueState& queue, uint32_t buffers, uint32_t bytes,
                    uint64_t pc) {
  PlaceQueue(queue, pc);
  if (!HasMemory(device, queue.memory)) return;
  FillQueue(device, RoomOf(pool, abi::kMaxPoolBuffers), queue, buffers, bytes,
            pc);
}

uint64_t AllocTensor(Device& device, abi::QueueState& queue, uint64_t pc) {
  RequireInitialised("AllocTensor", queue);
  for (int tried = 0; tried < queue.buffers; ++tried) {
    const int index = (queue.next + tried) % queue.buffers;
    abi::QueueBuffer& buffer = queue.buffer[index];
    if (buffer.state != BufferState::kFree) continue;
    if (buffer.backward_event >= 0) {
      const QueuePipes pipes = PipesOf(queue);
      IssueFlag(device, abi::Op::kWaitFlag, pipes.consumer, pipes.producer,
                buffer.backward_event, pc);
      ReleaseEvent(LivePipe(device), pipes.consumer, pipes.producer,
                   buffer.backward_event);
      buffer.backward_event = -1;
    }
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
  const int index = BufferAt(queue, address);
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
  buffer.forward_event = static_cast<int8_t>(TakeEvent(
      device, LivePipe(device), pipes.producer, pipes.consumer, true));
  IssueFlag(device, abi::Op::kSetFlag, pipes.producer, pipes.consumer,
            buffer.forward_event, pc);
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
  IssueFlag(device, abi::Op::kWaitFlag, pipes.producer, pipes.consumer,
            buffer.forward_event, pc);
  ReleaseEvent(LivePipe(device), pipes.producer, pipes.consumer,
               buffer.forward_event);
  buffer.forward_event = -1;
  buffer.state = BufferState::kDequeued;
  IssueQueue(device, abi::Op::kDeQue, queue, index, pc);
  return buffer.address;
}

void FreeTensor(Device& device, abi::QueueState& queue, uint64_t address,
                uint64_t pc) {
  RequireInitialised("FreeTensor", queue);
  const int index = BufferAt(queue, address);
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
  buffer.backward_event = static_cast<int8_t>(TakeEvent(
      device, LivePipe(device), pipes.consumer, pipes.producer, true));
  IssueFlag(device, abi::Op::kSetFlag, pipes.consumer, pipes.producer,
            buffer.backward_event, pc);
  buffer.state = BufferState::kFree;
}

void FreeAllEvents(Device& device, abi::QueueState& queue, uint64_t pc) {
  const QueuePipes pipes = PipesOf(queue);
  for (int i = 0; i < queue.buffers; ++i) {
    abi::QueueBuffer& buffer = queue.buffer[i];
    if (buffer.backward_event < 0) continue;
    IssueFlag(device, abi::Op::kWaitFlag, pipes.consumer, pipes.producer,
              buffer.backward_event, pc);
    ReleaseEvent(LivePipe(device), pipes.consumer, pipes.producer,
                 buffer.backward_event);
    buffer.backward_event = -1;
  }
}

}  // namespace belay::runtime
