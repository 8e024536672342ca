// SPDX-License-Identifier: Apache-2.0
// What the unit test interface calls (belay/host_launch.h): device memory, the
// kind of core, a stream for one launch.

#include <fmt/format.h>

#include <atomic>
#include <string>

#include "belay/host_launch.h"
#include "runtime/guest_fault.h"
#include "runtime/stream.h"

using belay::runtime::Device;
using belay::runtime::Stream;

namespace {

constexpr int kNoMode = -1;
std::atomic<int> kernel_mode = kNoMode;

}  // namespace

void* belay_gm_alloc(size_t bytes) {
  auto& global = Device::Get()->chip().global();
  const uint64_t address = global.Allocate(bytes);
  if (address == 0) {
    belay::runtime::FailGuest(
        "BLY-G110",
        fmt::format("[GmAlloc] {} bytes asked for, {} of {} taken", bytes,
                    global.live_bytes(), global.total_bytes()),
        bytes == 0 ? "ask for at least one byte" : "free what is not needed",
        BELAY_GUEST_PLACE());
  }
  // Host code writes it without a call that could be seen.
  belay::npu::Chip& chip = Device::Get()->chip();
  chip.NotifyAllocate(address, bytes);
  chip.NotifyHostWrite({address, bytes, 0});
  return reinterpret_cast<void*>(address);
}

void belay_gm_free(void* memory) {
  const auto address = reinterpret_cast<uint64_t>(memory);
  if (Device::Get()->chip().global().Free(address)) return;
  belay::runtime::FailGuest(
      "BLY-G110",
      fmt::format("[GmFree] {:#x} is not the start of live device memory",
                  address),
      "free each GmAlloc once", BELAY_GUEST_PLACE());
}

void belay_set_kernel_mode(int mode) { kernel_mode = mode; }

const char* belay_kernel_mode_kind() {
  switch (kernel_mode.load()) {
    case kNoMode:
      return "aicore";
    case 0:
      return "mix:1:2";
    case 1:
      return "cube";
    case 3:
      return "mix:1:1";
    default:
      return "vector";
  }
}

void* belay_open_stream() { return belay::runtime::CreateStream(); }

const char* belay_close_stream(void* handle) {
  static thread_local std::string text;
  const Stream* stream = belay::runtime::FindStream(handle);
  const bool failed = stream != nullptr && stream->error != 0;
  if (failed) text = stream->message;
  belay::runtime::DestroyStream(handle);
  return failed ? text.c_str() : nullptr;
}
