// SPDX-License-Identifier: Apache-2.0
#include "runtime/scalar_access.h"

#include <fmt/format.h>

namespace belay::runtime {
namespace {

// A block that reads one global address this often in a row is polling.
constexpr int kPollsBeforeYield = 64;

// To be called before a read of global memory is announced: observers hear of
// it where it takes place, behind what other blocks did meanwhile.
void CountPolls(Device& device, Block& block, uint64_t address) {
  if (block.polled != address) {
    block.polled = address;
    block.polls = 0;
  } else if (++block.polls >= kPollsBeforeYield) {
    block.polls = 0;
    device.Yield();
  }
}

[[noreturn]] void FailGlobalStore(const GuestModule& module, uint64_t address,
                                  uint64_t bytes, const GuestPlace& place) {
  FailGuest("BLY-G101",
            fmt::format("[scalar store] {} bytes at {:#x}: a global variable "
                        "of the program ({})",
                        bytes, address, module.path),
            "kernels cannot write global variables: use a local variable or "
            "global memory",
            place);
}

// Whether the bytes are host memory that kernel code may touch as it is: its
// constants. Ends the block when it stores there.
bool IsOwnHostMemory(uint64_t address, uint64_t bytes, bool write,
                     const GuestPlace& place) {
  const GuestModule* module = FindGuestModule(address);
  if (module == nullptr) return false;
  if (write) FailGlobalStore(*module, address, bytes, place);
  return true;
}

void Grant(Block& block, const void* target, uint64_t bytes) {
  block.granted = reinterpret_cast<uint64_t>(target);
  block.granted_bytes = bytes;
}

// Whether the access is the one that was granted last.
bool TakeGrant(Block& block, uint64_t address, uint64_t bytes) {
  if (address != block.granted || bytes != block.granted_bytes) return false;
  block.granted_bytes = 0;
  return true;
}

Block* RunningBlock(Device* device) {
  return device == nullptr ? nullptr : device->current();
}

}  // namespace

void* AccessScalar(const void* pointer, uint64_t bytes, bool write,
                   AccessKind kind, const GuestPlace& place) {
  const auto address = reinterpret_cast<uint64_t>(pointer);
  void* target = const_cast<void*>(pointer);
  Device* device = Device::Get();
  Block* block = RunningBlock(device);
  if (block == nullptr || block->fiber->OwnsVariables(address, bytes)) return target;
  npu::Chip& chip = device->chip();
  const bool on_chip = chip.on_chip().Spans(address);
  const bool global = chip.global().Spans(address);
  if (!on_chip && !global && IsOwnHostMemory(address, bytes, write, place)) {
    return target;
  }
  if (!write && global) CountPolls(*device, *block, address);
  RunOrFail(place, [&] {
    target = chip.AccessScalar(*block->core, address, bytes, write,
                               kind == AccessKind::kOrdered, place.pc);
  });
  Grant(*block, target, bytes);
  return target;
}

void* AccessScalarDirect(const void* pointer, uint64_t bytes, bool write,
                         const GuestPlace& place) {
  Device& device = RunningDevice("access past the data cache", place);
  const auto address = reinterpret_cast<uint64_t>(pointer);
  Block& block = *device.current();
  void* target = nullptr;
  if (!write) CountPolls(device, block, address);
  RunOrFail(place, [&] {
    target = device.chip().AccessDirect(*block.core, address, bytes, write,
                                        place.pc);
  });
  Grant(block, target, bytes);
  return target;
}

void AnnounceScalar(const void* pointer, uint64_t bytes, bool write,
                    const GuestPlace& place) {
  const auto address = reinterpret_cast<uint64_t>(pointer);
  Device& device = *Device::Get();
  Block& block = *device.current();
  if (bytes == 0 || block.fiber->OwnsVariables(address, bytes)) return;
  if (TakeGrant(block, address, bytes)) return;
  npu::Chip& chip = device.chip();
  const bool global = chip.global().Spans(address);
  if (!global && !chip.on_chip().Spans(address) &&
      IsOwnHostMemory(address, bytes, write, place)) {
    return;
  }
  if (global && !write) CountPolls(device, block, address);
  RunOrFail(place, [&] {
    chip.AccessDirect(*block.core, address, bytes, write, place.pc);
  });
  if (!global) return;
  constexpr uint64_t kLine = npu::DataCache::kLineBytes;
  for (uint64_t line = address / kLine * kLine; line < address + bytes;
       line += kLine) {
    block.core->cache.CleanAndInvalidate(line);
  }
}

}  // namespace belay::runtime
