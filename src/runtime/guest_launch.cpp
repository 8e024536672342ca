// SPDX-License-Identifier: Apache-2.0
// What <<<…>>> turns into (belay/guest_abi.h): configure, then launch.

#include "belay/guest_abi.h"
#include "runtime/guest_fault.h"
#include "runtime/stream.h"

namespace {

struct Configuration {
  uint64_t blocks = 1;
  void* stream = nullptr;
};
thread_local Configuration configuration;

}  // namespace

void belay_configure_launch(uint64_t blocks, uint64_t, void* stream) {
  configuration = {blocks, stream};
}

void belay_launch(const belay::abi::KernelRecord* kernel, const void* arguments,
                  uint64_t bytes) {
  using belay::runtime::Device;
  Device& device = *Device::Get();
  const belay::runtime::GuestPlace place = BELAY_GUEST_PLACE();
  if (device.current() != nullptr) {
    belay::runtime::FailGuest("BLY-G109", "a kernel cannot launch a kernel",
                              "launch it from host code", place);
  }
  belay::runtime::LaunchOnStream(
      configuration.stream,
      belay::runtime::KernelOf(*kernel, device.tiling_key()),
      configuration.blocks, arguments, bytes, place.pc);
}
