// SPDX-License-Identifier: Apache-2.0
// The calls TPipe, TQue and TBuf of a kernel make (belay/guest_abi.h).

#include "belay/guest_abi.h"
#include "runtime/guest_fault.h"
#include "runtime/pipe.h"
#include "runtime/queue.h"

namespace runtime = belay::runtime;
using belay::abi::Pipe;
using belay::abi::PipeState;
using belay::abi::PoolState;
using belay::abi::QueueState;
using runtime::Device;
using runtime::GuestPlace;

namespace {

// Runs f(device) for the running block.
template <typename F>
void WithDevice(const char* what, const GuestPlace& place, F f) {
  Device& device = runtime::RunningDevice(what, place);
  runtime::RunOrFail(place, [&] { f(device); });
}

}  // namespace

void belay_pipe_init(PipeState* pipe) {
  WithDevice("TPipe", BELAY_GUEST_PLACE(),
             [&](Device& device) { runtime::InitPipe(device, *pipe); });
}

void belay_pipe_destroy(PipeState* pipe) {
  const GuestPlace place = BELAY_GUEST_PLACE();
  WithDevice("TPipe::Destroy", place, [&](Device& device) {
    runtime::DestroyPipe(device, *pipe, place.pc);
  });
}

void belay_pipe_reset(PipeState* pipe) {
  const GuestPlace place = BELAY_GUEST_PLACE();
  WithDevice("TPipe::Reset", place, [&](Device& device) {
    runtime::ResetPipe(device, *pipe, place.pc);
  });
}

PipeState* belay_current_pipe() {
  Device& device = runtime::RunningDevice("GetTPipePtr", BELAY_GUEST_PLACE());
  return static_cast<PipeState*>(device.current()->pipe);
}

void belay_init_buffer(PipeState* pipe, QueueState* queue, uint32_t buffers,
                       uint32_t bytes) {
  const GuestPlace place = BELAY_GUEST_PLACE();
  WithDevice("InitBuffer", place, [&](Device& device) {
    runtime::InitBuffer(device, *pipe, *queue, buffers, bytes, place.pc);
  });
}

void belay_pool_init(PipeState* pipe, PoolState* parent, PoolState* pool,
                     belay::abi::Position position, uint32_t bytes,
                     PoolState* shared) {
  const GuestPlace place = BELAY_GUEST_PLACE();
  WithDevice("InitBufPool", place, [&](Device& device) {
    runtime::InitPool(device, *pipe, parent, *pool, position, bytes, shared,
                      place.pc);
  });
}

void belay_pool_reset(PoolState* pool) {
  const GuestPlace place = BELAY_GUEST_PLACE();
  WithDevice("TBufPool::Reset", place, [&](Device& device) {
    runtime::ResetPool(device, *pool, place.pc);
  });
}

void belay_pool_init_buffer(PoolState* pool, QueueState* queue,
                            uint32_t buffers, uint32_t bytes) {
  const GuestPlace place = BELAY_GUEST_PLACE();
  WithDevice("InitBuffer", place, [&](Device& device) {
    runtime::InitPoolBuffer(device, *pool, *queue, buffers, bytes, place.pc);
  });
}

uint64_t belay_queue_alloc(QueueState* queue) {
  const GuestPlace place = BELAY_GUEST_PLACE();
  uint64_t address = 0;
  WithDevice("AllocTensor", place, [&](Device& device) {
    address = runtime::AllocTensor(device, *queue, place.pc);
  });
  return address;
}

uint32_t belay_queue_enque(QueueState* queue, uint64_t address) {
  const GuestPlace place = BELAY_GUEST_PLACE();
  bool queued = false;
  WithDevice("EnQue", place, [&](Device& device) {
    queued = runtime::EnQue(device, *queue, address, place.pc);
  });
  return queued;
}

uint64_t belay_queue_deque(QueueState* queue) {
  const GuestPlace place = BELAY_GUEST_PLACE();
  uint64_t address = 0;
  WithDevice("DeQue", place, [&](Device& device) {
    address = runtime::DeQue(device, *queue, place.pc);
  });
  return address;
}

void belay_queue_free(QueueState* queue, uint64_t address) {
  const GuestPlace place = BELAY_GUEST_PLACE();
  WithDevice("FreeTensor", place, [&](Device& device) {
    runtime::FreeTensor(device, *queue, address, place.pc);
  });
}

void belay_queue_free_all_events(QueueState* queue) {
  const GuestPlace place = BELAY_GUEST_PLACE();
  WithDevice("FreeAllEvent", place, [&](Device& device) {
    runtime::FreeAllEvents(device, *queue, place.pc);
  });
}

namespace {

int32_t EventOf(uint32_t from, uint32_t to, runtime::Reserve reserve,
                const char* what, const GuestPlace& place) {
  int32_t id = 0;
  WithDevice(what, place, [&](Device& device) {
    // Without a TPipe nothing is reserved.
    auto* pipe = static_cast<PipeState*>(device.current()->pipe);
    PipeState none{};
    id = runtime::TakeEvent(device, pipe == nullptr ? none : *pipe,
                            static_cast<Pipe>(from), static_cast<Pipe>(to),
                            reserve);
  });
  return id;
}

}  // namespace

int32_t belay_event_alloc(uint32_t from, uint32_t to) {
  return EventOf(from, to, runtime::Reserve::kForKernel, "AllocEventID",
                 BELAY_GUEST_PLACE());
}

int32_t belay_event_fetch(uint32_t from, uint32_t to) {
  return EventOf(from, to, runtime::Reserve::kNo, "FetchEventID",
                 BELAY_GUEST_PLACE());
}

void belay_event_release(uint32_t from, uint32_t to, int32_t id) {
  WithDevice("ReleaseEventID", BELAY_GUEST_PLACE(), [&](Device& device) {
    auto* pipe = static_cast<PipeState*>(device.current()->pipe);
    if (pipe == nullptr || id < 0 || id >= 8) return;
    runtime::ReleaseEvent(*pipe, static_cast<Pipe>(from), static_cast<Pipe>(to),
                          id);
  });
}
