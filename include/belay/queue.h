// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_QUEUE_H_
#define BELAY_QUEUE_H_

// State of a kernel's TPipe and of its queues. It lies inside guest objects;
// the library alone changes it.

#include "belay/instruction.h"

namespace belay::abi {

// AscendC's TPosition, by its values.
enum class Position : uint8_t {
  kGm,
  kA1,
  kA2,
  kB1,
  kB2,
  kC1,
  kC2,
  kCo1,
  kCo2,
  kVecIn,
  kVecOut,
  kVecCalc,
  kSpm,
  kTscm,
  kC2Pipe2Gm,
  kC2Pipe2Local,
  kMax,
};

inline constexpr uint32_t kMaxQueueBuffers = 16;
inline constexpr uint32_t kMaxPoolBuffers = 16;

struct PipeState {
  uint32_t used[8];            // bytes taken in each Memory
  uint32_t buffers;            // buffers handed out
  uint32_t live;               // 1 between init and destroy
  uint8_t events[8][8];        // reserved event ids, a bit each, by [from][to]
  uint8_t queue_events[8][8];  // those of them that queues reserved
  // The buffer FreeTensor set each for (on-chip addresses fit), 0 for none.
  uint32_t freed_buffer[8][8][8];
  // On a cube core the L1 that the kernel's Matmul objects share, and which of
  // them used it last. On a vector core whose Matmul objects ask a cube core
  // that core's L1, and one of the objects.
  uint64_t matmul_l1;
  uint32_t matmul_l1_bytes;
  uint64_t matmul_owner;
};

enum class BufferState : uint8_t { kFree, kAllocated, kEnqueued, kDequeued };

// A part of a memory that a TBufPool hands out again.
struct PoolState {
  Memory memory;
  uint64_t base;
  uint32_t bytes;
  uint32_t used;
  uint32_t buffers;
};

struct QueueBuffer {
  uint64_t address;
  BufferState state;
  int8_t forward_event;   // id set by EnQue, -1 if none
  int8_t backward_event;  // id set by FreeTensor, -1 if none
};

struct QueueState {
  // Filled by the headers before belay_init_buffer.
  Position source;
  Position destination;
  uint8_t depth;     // consecutive EnQue without DeQue; 0 = in place
  uint8_t is_queue;  // 0 for TBuf
  // Filled by the library.
  Memory memory;
  uint8_t buffers;
  uint8_t next;    // buffer AllocTensor tries first
  uint8_t head;    // oldest entry of `order`
  uint8_t queued;  // entries of `order`
  uint32_t bytes;  // of one buffer
  uint64_t init_pc;
  QueueBuffer buffer[kMaxQueueBuffers];
  uint8_t order[kMaxQueueBuffers];  // enqueued buffers, a ring
};

}  // namespace belay::abi

#endif  // BELAY_QUEUE_H_
