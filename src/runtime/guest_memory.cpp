// SPDX-License-Identifier: Apache-2.0
#include "runtime/guest_memory.h"

namespace belay::runtime {
namespace {

std::vector<GuestModule>& Modules() {
  static std::vector<GuestModule> modules;
  return modules;
}

}  // namespace

void RegisterGuestModule(const GuestModule& module) {
  Modules().push_back(module);
}

const GuestModule* FindGuestModule(uint64_t address) {
  for (const GuestModule& module : Modules()) {
    if (module.Owns(address)) return &module;
  }
  return nullptr;
}

std::vector<uint64_t> GuestCallers(const Fiber& fiber, const void* frame) {
  std::vector<uint64_t> callers;
  auto at = reinterpret_cast<uint64_t>(frame);
  for (int depth = 0; depth < 32; ++depth) {
    if (!fiber.Owns(at) || !fiber.Owns(at + 15) || at % 8 != 0) break;
    const auto* words = reinterpret_cast<const uint64_t*>(at);
    const uint64_t next = words[0];
    const uint64_t return_address = words[1];
    if (FindGuestModule(return_address) != nullptr) {
      callers.push_back(return_address - 1);
    }
    if (next <= at) break;
    at = next;
  }
  return callers;
}

}  // namespace belay::runtime
