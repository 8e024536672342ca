// SPDX-License-Identifier: Apache-2.0
// The calls TPipe, TQue and TBuf of a kernel make (belay/guest_abi.h).

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "belay/guest_abi.h"
#include "runtime/fiber.h"
#include "runtime/guest_fault.h"
#include "runtime/pipe.h"
#include "runtime/queue.h"

namespace runtime = belay::runtime;
using belay::abi::kMaxQueueBuffers;
using belay::abi::Pipe;
using belay::abi::PipeState;
using belay::abi::PoolState;
using belay::abi::Position;
using belay::abi::QueueState;
using runtime::Device;
using runtime::GuestPlace;

namespace {

bool IsSound(const PipeState& /*pipe*/) { return true; }
bool IsSound(const PoolState& pool) {
  return static_cast<unsigned>(pool.memory) < 8;
}
bool IsSound(const QueueState& queue) {
  return static_cast<unsigned>(queue.memory) < 8 &&
         queue.source <= Position::kMax &&
         queue.destination <= Position::kMax &&
         queue.buffers <= kMaxQueueBuffers && queue.next <= kMaxQueueBuffers &&
         queue.head <= kMaxQueueBuffers && queue.queued <= kMaxQueueBuffers &&
         std::all_of(
             std::begin(queue.order), std::end(queue.order),
             [](uint8_t index) { return index < kMaxQueueBuffers; });
}

// State that code nobody trusts hands over: it must be its own, and whole.
// Null is left to the callee.
template <typename State>
void RequireOwn(Device& device, const State* state, const char* what,
                const GuestPlace& place) {
  if (!runtime::Fiber::HasSeparateVariables() || state == nullptr) return;
  if (device.current()->fiber->OwnsVariables(reinterpret_cast<uint64_t>(state),
                                             sizeof *state) &&
      IsSound(*state)) {
    return;
  }
  runtime::FailGuest(
      "BLY-G101",
      fmt::format("[{}] the object at {} is none that a TPipe made", what,
                  static_cast<const void*>(state)),
      "make pipes, queues and buffers as local variables or members, and leave "
      "their memory alone",
      place);
}

// Runs f(device) for the running block, after a look at the states it is
// given.
template <typename F, typename... States>
void WithDevice(const char* what, const GuestPlace& place, F f,
                const States*... states) {
  Device& device = runtime::RunningDevice(what, place);
  (RequireOwn(device, states, what, place), ...);
  runtime::RunOrFail(place, [&] { f(device); });
}

}  // namespace

void belay_pipe_init(PipeState* pipe) {
  WithDevice(
      "TPipe", BELAY_GUEST_PLACE(),
      [&](Device& device) { runtime::InitPipe(device, *pipe); }, pipe);
}

void belay_pipe_destroy(PipeState* pipe) {
  const GuestPlace place = BELAY_GUEST_PLACE();
  WithDevice(
      "TPipe::Destroy", place,
      [&](Device& device) { runtime::DestroyPipe(device, *pipe, place.pc); },
      pipe);
}

void belay_pipe_reset(PipeState* pipe) {
  const GuestPlace place = BELAY_GUEST_PLACE();
  WithDevice(
      "TPipe::Reset", place,
      [&](Device& device) { runtime::ResetPipe(device, *pipe, place.pc); },
      pipe);
}

PipeState* belay_current_pipe() {
  Device& device = runtime::RunningDevice("GetTPipePtr", BELAY_GUEST_PLACE());
  return static_cast<PipeState*>(device.current()->pipe);
}

void belay_init_buffer(PipeState* pipe, QueueState* queue, uint32_t buffers,
                       uint32_t bytes) {
  const GuestPlace place = BELAY_GUEST_PLACE();
  WithDevice(
      "InitBuffer", place,
      [&](Device& device) {
        runtime::InitBuffer(device, *pipe, *queue, buffers, bytes, place.pc);
      },
      pipe, queue);
}

void belay_pool_init(PipeState* pipe, PoolState* parent, PoolState* pool,
                     belay::abi::Position position, uint32_t bytes,
                     PoolState* shared) {
  const GuestPlace place = BELAY_GUEST_PLACE();
  WithDevice(
      "InitBufPool", place,
      [&](Device& device) {
        runtime::InitPool(device, *pipe, parent, *pool, position, bytes, shared,
                          place.pc);
      },
      pipe, parent, pool, shared);
}

void belay_pool_reset(PoolState* pool) {
  const GuestPlace place = BELAY_GUEST_PLACE();
  WithDevice(
      "TBufPool::Reset", place,
      [&](Device& device) { runtime::ResetPool(device, *pool, place.pc); },
      pool);
}

void belay_pool_init_buffer(PoolState* pool, QueueState* queue,
                            uint32_t buffers, uint32_t bytes) {
  const GuestPlace place = BELAY_GUEST_PLACE();
  WithDevice(
      "InitBuffer", place,
      [&](Device& device) {
        runtime::InitPoolBuffer(device, *pool, *queue, buffers, bytes,
                                place.pc);
      },
      pool, queue);
}

uint64_t belay_queue_alloc(QueueState* queue) {
  const GuestPlace place = BELAY_GUEST_PLACE();
  uint64_t address = 0;
  WithDevice(
      "AllocTensor", place,
      [&](Device& device) {
        address = runtime::AllocTensor(device, *queue, place.pc);
      },
      queue);
  return address;
}

uint32_t belay_queue_enque(QueueState* queue, uint64_t address) {
  const GuestPlace place = BELAY_GUEST_PLACE();
  bool queued = false;
  WithDevice(
      "EnQue", place,
      [&](Device& device) {
        queued = runtime::EnQue(device, *queue, address, place.pc);
      },
      queue);
  return queued;
}

uint64_t belay_queue_deque(QueueState* queue) {
  const GuestPlace place = BELAY_GUEST_PLACE();
  uint64_t address = 0;
  WithDevice(
      "DeQue", place,
      [&](Device& device) {
        address = runtime::DeQue(device, *queue, place.pc);
      },
      queue);
  return address;
}

void belay_queue_free(QueueState* queue, uint64_t address) {
  const GuestPlace place = BELAY_GUEST_PLACE();
  WithDevice(
      "FreeTensor", place,
      [&](Device& device) {
        runtime::FreeTensor(device, *queue, address, place.pc);
      },
      queue);
}

void belay_queue_free_all_events(QueueState* queue) {
  const GuestPlace place = BELAY_GUEST_PLACE();
  WithDevice(
      "FreeAllEvent", place,
      [&](Device& device) { runtime::FreeAllEvents(device, *queue, place.pc); },
      queue);
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
