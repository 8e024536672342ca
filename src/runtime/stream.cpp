// SPDX-License-Identifier: Apache-2.0
#include "runtime/stream.h"

#include <fmt/format.h>

#include <mutex>

#include "base/error.h"

namespace belay::runtime {
namespace {

constexpr uint64_t kMaxBlocks = 65535;
constexpr int kErrorInvalidParameter = 107000;

npu::Fault LaunchFault(std::string message, std::string fix, uint64_t pc) {
  npu::Fault fault;
  fault.diagnostic.code = "BLY-G109";
  fault.diagnostic.message = std::move(message);
  fault.diagnostic.fix = std::move(fix);
  fault.pc = pc;
  return fault;
}

}  // namespace

Stream& StreamOf(void* handle) {
  static Stream default_stream;
  return handle == nullptr ? default_stream : *static_cast<Stream*>(handle);
}

void LaunchOnStream(void* handle, const Kernel& kernel, uint64_t blocks,
                    const void* arguments, size_t bytes, uint64_t pc) {
  static std::mutex one_at_a_time;
  const std::lock_guard lock(one_at_a_time);
  Device& device = *Device::Get();
  Stream& stream = StreamOf(handle);
  int error = 0;
  if (blocks == 0 || blocks > kMaxBlocks) {
    device.Raise(LaunchFault(
        fmt::format("[launch] kernel '{}' was launched with {} blocks: 1 to {} "
                    "are possible",
                    kernel.name, blocks, kMaxBlocks),
        "check how the number of blocks is computed", pc));
    error = kErrorInvalidParameter;
  } else {
    try {
      error = static_cast<int>(
          device.Launch(kernel, static_cast<int>(blocks), arguments, bytes));
    } catch (const UserError& refused) {
      device.Raise(LaunchFault(refused.what(), "", pc));
      error = kErrorInvalidParameter;
    }
  }
  if (stream.error == 0) stream.error = error;
}

}  // namespace belay::runtime
