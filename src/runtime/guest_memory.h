// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_RUNTIME_GUEST_MEMORY_H_
#define BELAY_RUNTIME_GUEST_MEMORY_H_

// Host memory that belongs to the guest: the images of its modules, and the
// call chain on a fiber's stack.

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/fiber.h"

namespace belay::runtime {

// A loaded shared object of the guest.
struct GuestModule {
  std::string path;
  uint64_t base = 0;  // load address: pc − base is the offset in the file
  uint64_t low = 0;
  uint64_t high = 0;

  bool Owns(uint64_t address) const { return address - low < high - low; }
};

// Modules the guest's code and constants lie in.
void RegisterGuestModule(const GuestModule& module);
const GuestModule* FindGuestModule(uint64_t address);

// Return addresses found by following frame pointers from `frame` up the
// fiber's stack, innermost first, at most 32, those in guest modules only.
std::vector<uint64_t> GuestCallers(const Fiber& fiber, const void* frame);

}  // namespace belay::runtime

#endif  // BELAY_RUNTIME_GUEST_MEMORY_H_
