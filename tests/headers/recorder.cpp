// SPDX-License-Identifier: Apache-2.0
#include "recorder.h"

#include <gtest/gtest.h>

#include <cstdarg>

namespace belay::header_test {
namespace {

// Every memory of the one core there is.
alignas(512) uint8_t memories[8][256 * 1024];

std::string Pair(uint32_t from, uint32_t to) {
  return std::to_string(from) + ">" + std::to_string(to);
}

void Note(std::string call) { Recorded().calls.push_back(std::move(call)); }

std::string Name(const abi::QueueState& queue) {
  return std::to_string(static_cast<int>(queue.source)) + ">" +
         std::to_string(static_cast<int>(queue.destination));
}

std::string Buffer(const abi::QueueState& queue, uint64_t address) {
  return std::to_string((address - queue.buffer[0].address) / queue.bytes);
}

}  // namespace

Recorder& Recorded() {
  static Recorder recorder;
  return recorder;
}

void Forget() { Recorded() = Recorder(); }

const abi::Instruction& OnlyRecord() {
  static const abi::Instruction none{};
  EXPECT_EQ(Recorded().issued.size(), 1u);
  return Recorded().issued.empty() ? none : Recorded().issued.back();
}

std::string Calls() {
  std::string all;
  for (const std::string& call : Recorded().calls) {
    all += (all.empty() ? "" : "; ") + call;
  }
  return all;
}

}  // namespace belay::header_test

using namespace belay::header_test;
using belay::abi::BufferState;
using belay::abi::Memory;
using belay::abi::PipeState;
using belay::abi::PoolState;
using belay::abi::QueueState;

void belay_issue(belay::abi::Instruction* instruction) {
  Recorded().issued.push_back(*instruction);
}

const void* belay_get_value(const void* address, uint64_t bytes, uint64_t,
                            uint64_t) {
  Note("get " + std::to_string(bytes));
  return address;
}
void* belay_set_value(void* address, uint64_t bytes, uint64_t, uint64_t) {
  Note("set " + std::to_string(bytes));
  return address;
}

void belay_outside_buffer(uint64_t, uint64_t bytes, uint64_t,
                          uint64_t buffer_bytes) {
  Note("outside " + std::to_string(bytes) + " of " +
       std::to_string(buffer_bytes));
}

void belay_pipe_init(PipeState* pipe) {
  Note("init");
  *pipe = PipeState{};
  pipe->live = 1;
  Recorded().pipe = pipe;
}
void belay_pipe_destroy(PipeState* pipe) {
  Note("destroy");
  pipe->live = 0;
}
void belay_pipe_reset(PipeState*) { Note("reset"); }
PipeState* belay_current_pipe() { return Recorded().pipe; }

void belay_init_buffer(PipeState* pipe, QueueState* queue, uint32_t buffers,
                       uint32_t bytes) {
  Note("buffers " + Name(*queue) + " depth " + std::to_string(queue->depth) +
       (queue->is_queue != 0 ? " queue " : " buf ") + std::to_string(buffers) +
       "x" + std::to_string(bytes));
  queue->buffers = static_cast<uint8_t>(buffers);
  queue->bytes = bytes;
  for (uint32_t i = 0; i < buffers; ++i) {
    queue->buffer[i].address =
        belay_memory_base(Memory::kUb) + pipe->used[1] + i * bytes;
  }
  pipe->used[1] += buffers * bytes;
}

void belay_pool_init(PipeState*, PoolState* parent, PoolState* pool,
                     belay::abi::Position position, uint32_t bytes,
                     PoolState* shared) {
  Note("pool " + std::to_string(static_cast<int>(position)) + " " +
       std::to_string(bytes) + (parent != nullptr ? " nested" : "") +
       (shared != nullptr ? " shared" : ""));
  *pool = {Memory::kUb, belay_memory_base(Memory::kUb) + 1024, bytes, 0, 0};
  if (shared != nullptr) pool->base = shared->base;
}
void belay_pool_reset(PoolState* pool) {
  Note("pool reset");
  pool->used = pool->buffers = 0;
}
void belay_pool_init_buffer(PoolState* pool, QueueState* queue,
                            uint32_t buffers, uint32_t bytes) {
  Note(
      "pool buffers " + Name(*queue) + " " + std::to_string(buffers) + "x" +
      std::to_string(bytes) + " at " +
      std::to_string(pool->base + pool->used - belay_memory_base(Memory::kUb)) +
      " of " + std::to_string(pool->bytes));
  queue->buffers = static_cast<uint8_t>(buffers);
  queue->bytes = bytes;
  for (uint32_t i = 0; i < buffers; ++i) {
    queue->buffer[i].address = pool->base + pool->used + i * bytes;
  }
  pool->used += buffers * bytes;
}

uint64_t belay_queue_alloc(QueueState* queue) {
  Note("alloc " + Name(*queue));
  for (int i = 0; i < queue->buffers; ++i) {
    if (queue->buffer[i].state != BufferState::kFree) continue;
    queue->buffer[i].state = BufferState::kAllocated;
    return queue->buffer[i].address;
  }
  return 0;
}
uint32_t belay_queue_enque(QueueState* queue, uint64_t address) {
  Note("enque " + Name(*queue) + " " + Buffer(*queue, address));
  if (queue->queued >= queue->depth && queue->depth != 0) return 0;
  queue->order[queue->queued++] =
      static_cast<uint8_t>((address - queue->buffer[0].address) / queue->bytes);
  return 1;
}
uint64_t belay_queue_deque(QueueState* queue) {
  Note("deque " + Name(*queue));
  const uint64_t address = queue->buffer[queue->order[0]].address;
  for (int i = 1; i < queue->queued; ++i) {
    queue->order[i - 1] = queue->order[i];
  }
  --queue->queued;
  return address;
}
void belay_queue_free(QueueState* queue, uint64_t address) {
  Note("free " + Name(*queue) + " " + Buffer(*queue, address));
  queue->buffer[(address - queue->buffer[0].address) / queue->bytes].state =
      BufferState::kFree;
}
void belay_queue_free_all_events(QueueState* queue) {
  Note("free all events " + Name(*queue));
}

int32_t belay_event_alloc(uint32_t from, uint32_t to) {
  Note("event alloc " + Pair(from, to));
  return 3;
}
int32_t belay_event_fetch(uint32_t from, uint32_t to) {
  Note("event fetch " + Pair(from, to));
  return 5;
}
void belay_event_release(uint32_t from, uint32_t to, int32_t id) {
  Note("event release " + Pair(from, to) + " " + std::to_string(id));
}

uint64_t belay_get_register(belay::abi::Register which) {
  return Recorded().registers[static_cast<int>(which)];
}

const void* belay_read_direct(const void* address, uint64_t bytes) {
  Note("read direct " + std::to_string(bytes));
  return address;
}
void* belay_write_direct(void* address, uint64_t bytes) {
  Note("write direct " + std::to_string(bytes));
  return address;
}

void belay_dump_tensor(uint64_t address, belay::abi::DType dtype,
                       belay::abi::Position position, uint32_t label,
                       uint32_t count) {
  Note("dump " + std::to_string(address) + " dtype " +
       std::to_string(static_cast<int>(dtype)) + " position " +
       std::to_string(static_cast<int>(position)) + " label " +
       std::to_string(label) + " count " + std::to_string(count));
}

uint64_t belay_memory_base(Memory memory) {
  return reinterpret_cast<uint64_t>(memories[static_cast<int>(memory)]);
}
uint64_t belay_memory_bytes(Memory) { return sizeof(memories[0]); }

int64_t belay_block_index() { return 7; }
int64_t belay_block_count() { return 48; }
int64_t belay_subblock_index() { return 1; }
int64_t belay_subblock_count() { return 2; }
int64_t belay_task_ratio() { return 2; }
int64_t belay_system_cycle() { return 1234; }
uint32_t belay_core_is_cube() { return 0; }
uint64_t belay_workspace() { return Recorded().workspace; }
void belay_set_workspace(uint64_t address) { Recorded().workspace = address; }

int belay_printf(const char* format, ...) {
  char text[256];
  va_list arguments;
  va_start(arguments, format);
  const int size = vsnprintf(text, sizeof(text), format, arguments);
  va_end(arguments);
  Recorded().printed += text;
  return size;
}

// Thrown by what does not return, so that a test can go on.
void belay_assert_fail(const char* expression, const char*, unsigned,
                       const char*) {
  throw std::string("assert ") + expression;
}
void belay_trap() { throw std::string("trap"); }
void belay_not_on_chip(const char* name) {
  throw std::string("not on chip: ") + name;
}
