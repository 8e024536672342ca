// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_LIBRARY_TSAN_PLACE_H_
#define BELAY_LIBRARY_TSAN_PLACE_H_

// What every call-back of -fsanitize=thread does in kernel code.

#include "belay/guest_abi.h"
#include "runtime/device.h"
#include "runtime/scalar_access.h"

namespace belay::library {

// Whether the calling thread is on a block's stack.
inline bool InKernel() { return runtime::Fiber::Running() != nullptr; }

// Takes one unit off the block's slice: loops whose accesses are announced end
// by fuel, and let the other blocks run.
inline void Meter(uint64_t pc) {
  if (--belay_budget < 0) runtime::Device::Get()->Tick(pc);
}

// An access of kernel code that follows the call.
inline void OnAccess(const void* address, uint64_t bytes, bool write,
                     const runtime::GuestPlace& place) {
  Meter(place.pc);
  const auto at = reinterpret_cast<uint64_t>(address);
  if (runtime::Fiber::Running()->Owns(at)) return;
  runtime::AnnounceScalar(address, bytes, write, place);
}

}  // namespace belay::library

#endif  // BELAY_LIBRARY_TSAN_PLACE_H_
