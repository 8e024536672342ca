// SPDX-License-Identifier: Apache-2.0
#include "runtime/stream.h"

#include <fmt/format.h>

#include <map>
#include <memory>
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

struct Streams {
  std::mutex mutex;
  std::map<void*, std::unique_ptr<Stream>> live;  // by handle
};
Streams& AllStreams() {
  static auto* streams = new Streams;  // programs end them in exit handlers
  return *streams;
}

}  // namespace

void* CreateStream() {
  const std::lock_guard lock(AllStreams().mutex);
  auto stream = std::make_unique<Stream>();
  void* handle = stream.get();
  AllStreams().live.emplace(handle, std::move(stream));
  return handle;
}

bool DestroyStream(void* handle) {
  const std::lock_guard lock(AllStreams().mutex);
  return AllStreams().live.erase(handle) != 0;
}

Stream* FindStream(void* handle) {
  static Stream default_stream;
  if (handle == nullptr) return &default_stream;
  const std::lock_guard lock(AllStreams().mutex);
  const auto found = AllStreams().live.find(handle);
  return found == AllStreams().live.end() ? nullptr : found->second.get();
}

void LaunchOnStream(void* handle, const Kernel& kernel, uint64_t blocks,
                    const void* arguments, size_t bytes, uint64_t pc) {
  static std::mutex one_at_a_time;
  const std::lock_guard lock(one_at_a_time);
  Device& device = *Device::Get();
  Stream* stream = FindStream(handle);
  int error = 0;
  device.BeginLaunch();
  if (stream == nullptr) {
    device.Raise(LaunchFault(
        fmt::format("[launch] kernel '{}' was launched on {}, which is not a "
                    "live stream",
                    kernel.name, fmt::ptr(handle)),
        "create the stream with aclrtCreateStream and destroy it after its "
        "last launch",
        pc));
  } else if (blocks == 0 || blocks > kMaxBlocks) {
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
  device.EndLaunch();
  if (stream != nullptr && stream->error == 0 && error != 0) {
    stream->error = error;
    stream->message = device.failure();
  }
}

}  // namespace belay::runtime
