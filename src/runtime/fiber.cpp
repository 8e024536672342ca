// SPDX-License-Identifier: Apache-2.0
#include "runtime/fiber.h"

#include <sys/mman.h>

#include <boost/context/detail/fcontext.hpp>
#include <cstring>

#include "base/error.h"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

// Where the variables of the running code end; the compiler's name.
extern "C" {
[[gnu::tls_model("initial-exec"), gnu::visibility("default")]]
thread_local void* __safestack_unsafe_stack_ptr = nullptr;
}

namespace belay::runtime {

using boost::context::detail::fcontext_t;
using boost::context::detail::jump_fcontext;
using boost::context::detail::make_fcontext;
using boost::context::detail::transfer_t;

thread_local constinit Fiber* Fiber::running_ = nullptr;
constinit bool Fiber::separate_ = false;

struct FiberEntry {
  static void Run(transfer_t from) {
    auto* fiber = static_cast<Fiber*>(from.data);
    fiber->outside_ = from.fctx;
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_finish_switch_fiber(nullptr, &fiber->outside_stack_,
                                    &fiber->outside_bytes_);
#endif
    fiber->entry_(fiber->argument_);
  }
};

namespace {

// The lowest usable address.
uint64_t MapStack(size_t guard_bytes, size_t bytes) {
  void* memory = mmap(nullptr, guard_bytes + bytes, PROT_NONE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) {
    throw InternalError("[fiber] no address space left for a stack");
  }
  const uint64_t low = reinterpret_cast<uint64_t>(memory) + guard_bytes;
  mprotect(reinterpret_cast<void*>(low), bytes, PROT_READ | PROT_WRITE);
  return low;
}

}  // namespace

Fiber::Fiber() : low_(MapStack(kGuardBytes, kStackBytes)) {
  start_ = high_ = low_ + kStackBytes;
}

Fiber::~Fiber() {
  for (const uint64_t low : {low_, variables_low_}) {
    if (low == 0) continue;
    munmap(reinterpret_cast<void*>(low - kGuardBytes),
           kGuardBytes + kStackBytes);
  }
}

void Fiber::ForgetFrames() {
#if defined(__SANITIZE_ADDRESS__)
  __asan_unpoison_memory_region(reinterpret_cast<void*>(low_), high_ - low_);
#endif
}

void* Fiber::Reserve(const void* data, size_t bytes) {
  if (bytes > kStackBytes / 2) {
    throw UserError("[launch] kernel arguments do not fit on a stack");
  }
  ForgetFrames();
  start_ = (high_ - bytes) & ~uint64_t{63};
  void* place = reinterpret_cast<void*>(start_);
  if (bytes > 0) std::memcpy(place, data, bytes);
  return place;
}

void Fiber::Start(void (*entry)(void*), void* argument) {
  entry_ = entry;
  argument_ = argument;
  if (separate_) {
    if (variables_low_ == 0) {
      variables_low_ = MapStack(kGuardBytes, kStackBytes);
    }
    variables_at_ = reinterpret_cast<void*>(variables_low_ + kStackBytes);
  }
  inside_ = make_fcontext(reinterpret_cast<void*>(start_), start_ - low_,
                          FiberEntry::Run);
}

void Fiber::Resume() {
#if defined(__SANITIZE_ADDRESS__)
  void* own = nullptr;
  __sanitizer_start_switch_fiber(&own, reinterpret_cast<void*>(low_),
                                 high_ - low_);
#endif
  running_ = this;
  __safestack_unsafe_stack_ptr = variables_at_;
  const transfer_t back = jump_fcontext(static_cast<fcontext_t>(inside_), this);
  variables_at_ = __safestack_unsafe_stack_ptr;
  running_ = nullptr;
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_finish_switch_fiber(own, nullptr, nullptr);
#endif
  inside_ = back.fctx;
}

void Fiber::Suspend() {
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_start_switch_fiber(&sanitizer_stack_, outside_stack_,
                                 outside_bytes_);
#endif
  const transfer_t back =
      jump_fcontext(static_cast<fcontext_t>(outside_), nullptr);
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_finish_switch_fiber(sanitizer_stack_, &outside_stack_,
                                  &outside_bytes_);
#endif
  outside_ = back.fctx;
}

}  // namespace belay::runtime
