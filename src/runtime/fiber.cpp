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

namespace belay::runtime {

using boost::context::detail::fcontext_t;
using boost::context::detail::jump_fcontext;
using boost::context::detail::make_fcontext;
using boost::context::detail::transfer_t;

thread_local constinit Fiber* Fiber::running_ = nullptr;

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

Fiber::Fiber() {
  void* memory = mmap(nullptr, kGuardBytes + kStackBytes, PROT_NONE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) {
    throw InternalError("[fiber] no address space left for a stack");
  }
  low_ = reinterpret_cast<uint64_t>(memory) + kGuardBytes;
  start_ = high_ = low_ + kStackBytes;
  mprotect(reinterpret_cast<void*>(low_), kStackBytes, PROT_READ | PROT_WRITE);
}

Fiber::~Fiber() {
  munmap(reinterpret_cast<void*>(low_ - kGuardBytes),
         kGuardBytes + kStackBytes);
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
  const transfer_t back = jump_fcontext(static_cast<fcontext_t>(inside_), this);
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
