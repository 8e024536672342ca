// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_RUNTIME_GUEST_FAULT_H_
#define BELAY_RUNTIME_GUEST_FAULT_H_

// How a guest call ends the block it was made from.

#include <memory>
#include <string>

#include "runtime/device.h"
#include "runtime/guest_memory.h"

// The guest's place and frame, in a function guest code calls directly: the
// byte before the return address lies in the calling line.
#define BELAY_GUEST_PC()                \
  (::belay::runtime::stated_place != 0  \
       ? ::belay::runtime::stated_place \
       : reinterpret_cast<uint64_t>(__builtin_return_address(0)) - 1)
#define BELAY_GUEST_PLACE() \
  (::belay::runtime::GuestPlace{BELAY_GUEST_PC(), __builtin_frame_address(0)})

namespace belay::runtime {

// The place of the running block, for guests that are executed rather than
// compiled: their calls all come from the same code. 0: return addresses say
// it. Each block has its own; whoever runs such a guest sets it back to 0.
extern uint64_t stated_place;

struct GuestPlace {
  uint64_t pc;
  const void* frame;
};

// Reports the fault at `place` with its callers, and ends the launch; in host
// code, ends the program or throws, as the device's options say.
[[noreturn]] void FailGuest(npu::Fault fault, const GuestPlace& place);
[[noreturn]] void FailGuest(const char* code, std::string message,
                            std::string fix, const GuestPlace& place);

// assert() of kernel code.
[[noreturn]] void FailAssertion(const char* expression, const char* file,
                                unsigned line, const char* function,
                                const GuestPlace& place);

// Runs `action` for the current block; a trap ends the launch. Nothing of a
// caught exception is alive when the stack is left.
template <typename F>
void RunOrFail(const GuestPlace& place, F action) {
  std::unique_ptr<npu::Fault> fault;
  try {
    action();
    return;
  } catch (npu::Trap& trap) {
    fault = std::make_unique<npu::Fault>(std::move(trap.fault()));
  }
  FailGuest(std::move(*fault), place);
}

// The device, if a block is running; else ends the program with a fault that
// says that `what` was called outside a kernel.
Device& RunningDevice(const char* what, const GuestPlace& place);

}  // namespace belay::runtime

#endif  // BELAY_RUNTIME_GUEST_FAULT_H_
