// SPDX-License-Identifier: Apache-2.0
#include "runtime/guest_fault.h"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <stdexcept>

namespace belay::runtime {

uint64_t stated_place = 0;

void FailGuest(npu::Fault fault, const GuestPlace& place) {
  if (fault.pc == 0) fault.pc = place.pc;
  Device& device = *Device::Get();
  if (device.current() == nullptr) {
    device.Raise(std::move(fault));
    if (device.options().host_faults_throw) {
      throw std::runtime_error(device.failure());
    }
    std::fflush(stdout);
    std::_Exit(1);
  }
  fault.callers = GuestCallers(*device.current()->fiber, place.frame);
  device.Abort(std::move(fault));
}

void FailGuest(const char* code, std::string message, std::string fix,
               const GuestPlace& place) {
  npu::Fault fault;
  fault.diagnostic.code = code;
  fault.diagnostic.message = std::move(message);
  fault.diagnostic.fix = std::move(fix);
  FailGuest(std::move(fault), place);
}

void FailAssertion(const char* expression, const char* file, unsigned line,
                   const char* function, const GuestPlace& place) {
  FailGuest("BLY-G105",
            fmt::format("assertion failed: {} ({}:{}, in {})", expression, file,
                        line, function),
            "", place);
}

Device& RunningDevice(const char* what, const GuestPlace& place) {
  Device* device = Device::Get();
  if (device->current() != nullptr) return *device;
  FailGuest("BLY-G108",
            fmt::format("[{}] called outside a kernel: host code has no core "
                        "to run it on",
                        what),
            "call it from a function that a kernel calls", place);
}

}  // namespace belay::runtime
