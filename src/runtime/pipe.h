// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_RUNTIME_PIPE_H_
#define BELAY_RUNTIME_PIPE_H_

// What TPipe and TBufPool do: hand out on-chip memory and event ids.

#include "belay/queue.h"
#include "runtime/device.h"

namespace belay::runtime {

// The memory a position lies in.
abi::Memory MemoryOf(abi::Position position);

// All of these act for the running block and throw npu::Trap.
void InitPipe(Device& device, abi::PipeState& pipe);
void DestroyPipe(Device& device, abi::PipeState& pipe, uint64_t pc);
void ResetPipe(Device& device, abi::PipeState& pipe, uint64_t pc);
void InitBuffer(Device& device, abi::PipeState& pipe, abi::QueueState& queue,
                uint32_t buffers, uint32_t bytes, uint64_t pc);

// A pool takes its memory from the pipe, or from a parent pool; with `shared`,
// it lies over that pool. Its buffers then come out of it. ResetPool waits for
// what still works on buffers that queues of the pool freed.
void InitPool(Device& device, abi::PipeState& pipe, abi::PoolState* parent,
              abi::PoolState& pool, abi::Position position, uint32_t bytes,
              const abi::PoolState* shared, uint64_t pc);
void ResetPool(Device& device, abi::PoolState& pool, uint64_t pc);
void InitPoolBuffer(Device& device, abi::PoolState& pool,
                    abi::QueueState& queue, uint32_t buffers, uint32_t bytes,
                    uint64_t pc);

// Lowest id of the pair that nobody reserved; throws Trap when there is none.
enum class Reserve : uint8_t { kNo, kForKernel, kForQueue };
int32_t TakeEvent(Device& device, abi::PipeState& pipe, abi::Pipe from,
                  abi::Pipe to, Reserve reserve);
void ReleaseEvent(abi::PipeState& pipe, abi::Pipe from, abi::Pipe to,
                  int32_t id);

}  // namespace belay::runtime

#endif  // BELAY_RUNTIME_PIPE_H_
