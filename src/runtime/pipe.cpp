// SPDX-License-Identifier: Apache-2.0
#include "runtime/pipe.h"

#include <fmt/format.h>

#include <algorithm>

#include "npu/names.h"
#include "runtime/queue_issue.h"

namespace belay::runtime {

using abi::BufferState;
using abi::Pipe;
using abi::Position;

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

int32_t TakeEvent(Device& device, abi::PipeState& pipe, Pipe from, Pipe to,
                  Reserve reserve) {
  uint8_t& taken = pipe.events[static_cast<int>(from)][static_cast<int>(to)];
  const auto ids = static_cast<int32_t>(device.chip().spec().limits.event_ids);
  for (int32_t id = 0; id < ids; ++id) {
    if (taken >> id & 1) continue;
    if (reserve != Reserve::kNo) taken |= 1u << id;
    if (reserve == Reserve::kForQueue) {
      pipe.queue_events[static_cast<int>(from)][static_cast<int>(to)] |= 1u
                                                                         << id;
    }
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
  const auto others = static_cast<uint8_t>(~(1u << id));
  pipe.events[static_cast<int>(from)][static_cast<int>(to)] &= others;
  pipe.queue_events[static_cast<int>(from)][static_cast<int>(to)] &= others;
  pipe.freed_buffer[static_cast<int>(from)][static_cast<int>(to)][id] = 0;
}

void InitPipe(Device& device, abi::PipeState& pipe) {
  pipe = abi::PipeState{};
  pipe.live = 1;
  device.current()->pipe = &pipe;
}

namespace {

// Tells observers that buffers go back: `bytes` from `address` on, or all.
void IssueReset(Device& device, uint64_t address, uint64_t bytes, bool ends,
                uint64_t pc) {
  abi::Instruction reset{};
  reset.op = abi::Op::kResetBuffers;
  reset.mode = ends ? 1 : 0;
  reset.queue = {0, address, bytes, 0};
  reset.pc = pc;
  device.chip().Issue(*device.current()->core, reset);
}

// Waits for the flags that queues set and nobody waited for, as far as `ends`
// says so of [from][to][id], and gives their ids back. Flags the kernel set
// itself stay.
template <typename F>
void EndQueueEvents(Device& device, abi::PipeState& pipe, uint64_t pc, F ends) {
  const npu::FlagTable& flags = device.current()->core->flags;
  for (int from = 0; from < 8; ++from) {
    for (int to = 0; to < 8; ++to) {
      for (int32_t id = 0; pipe.queue_events[from][to] != 0 && id < 8; ++id) {
        if (!(pipe.queue_events[from][to] >> id & 1)) continue;
        if (!ends(from, to, id)) continue;
        const auto source = static_cast<Pipe>(from);
        const auto target = static_cast<Pipe>(to);
        if (flags.IsSet({source, target, static_cast<uint32_t>(id), 0})) {
          IssueFlag(device, abi::Op::kWaitFlag, source, target, id, pc);
        }
        ReleaseEvent(pipe, source, target, id);
      }
    }
  }
}

// Ends all events of queues, waits for all pipes, and takes all memory and ids
// back.
void Reset(Device& device, abi::PipeState& pipe, bool ends, uint64_t pc) {
  IssueReset(device, 0, 0, ends, pc);
  EndQueueEvents(device, pipe, pc, [](int, int, int32_t) { return true; });
  for (auto& events : pipe.events) std::fill_n(events, 8, 0);
  IssueFlag(device, abi::Op::kPipeBarrier, Pipe::kAll, Pipe::kAll, 0, pc);
  std::fill(std::begin(pipe.used), std::end(pipe.used), 0);
  pipe.buffers = 0;
  pipe.matmul_l1 = 0;
  pipe.matmul_l1_bytes = 0;
}

}  // namespace

void ResetPipe(Device& device, abi::PipeState& pipe, uint64_t pc) {
  Reset(device, pipe, false, pc);
}

void DestroyPipe(Device& device, abi::PipeState& pipe, uint64_t pc) {
  if (!pipe.live) return;
  Reset(device, pipe, true, pc);
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
  if (!HasMemory(device, queue.memory)) {
    // A TSCM of a vector core lies in L1 of the cube core it asks.
    if (queue.memory == abi::Memory::kL1 && pipe.matmul_l1 != 0) {
      FillQueue(device,
                {pipe.matmul_l1, device.chip().spec().BytesOf(queue.memory),
                 pipe.used[static_cast<int>(queue.memory)], pipe.buffers,
                 device.chip().spec().limits.buffers},
                queue, buffers, bytes, pc);
    }
    return;
  }
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

void ResetPool(Device& device, abi::PoolState& pool, uint64_t pc) {
  IssueReset(device, pool.base, pool.bytes, false, pc);
  auto* pipe = static_cast<abi::PipeState*>(device.current()->pipe);
  if (pipe != nullptr) {
    EndQueueEvents(device, *pipe, pc, [&](int from, int to, int32_t id) {
      const uint32_t buffer = pipe->freed_buffer[from][to][id];
      return buffer != 0 && buffer - pool.base < pool.bytes;
    });
  }
  pool.used = pool.buffers = 0;
}

void InitPoolBuffer(Device& device, abi::PoolState& pool,
                    abi::QueueState& queue, uint32_t buffers, uint32_t bytes,
                    uint64_t pc) {
  PlaceQueue(queue, pc);
  if (!HasMemory(device, queue.memory)) return;
  FillQueue(device, RoomOf(pool, abi::kMaxPoolBuffers), queue, buffers, bytes,
            pc);
}

}  // namespace belay::runtime
