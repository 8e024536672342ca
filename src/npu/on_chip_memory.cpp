// SPDX-License-Identifier: Apache-2.0
#include "npu/on_chip_memory.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <cerrno>
#include <cstring>

#include "base/error.h"
#include "npu/poisoned_pages.h"

namespace belay::npu {
namespace {

constexpr uint64_t kOnChipBase = 0x40000000;
constexpr uint64_t kSlotBytes = 0x400000;

// Each memory has a fixed room in the slot, with an unmapped gap behind it.
constexpr uint64_t kRoom[kMemoryCount] = {
    0,         // GM is elsewhere
    0x000000,  // UB
    0x080000,  // L1
    0x180000,  // L0A
    0x1C0000,  // L0B
    0x200000,  // L0C
    0x300000,  // BT
    0x380000,  // FB
};
constexpr uint64_t kRoomEnd[kMemoryCount] = {
    0, 0x080000, 0x180000, 0x1C0000, 0x200000, 0x300000, 0x380000, kSlotBytes,
};

// From this size on, a memory is poisoned only where it is touched.
constexpr uint64_t kLazyMemory = 32 << 10;

uint64_t PageUp(uint64_t bytes) { return (bytes + 4095) & ~uint64_t{4095}; }

}  // namespace

OnChipMemory::OnChipMemory(const ChipSpec& spec)
    : spec_(spec), slots_(spec.vector_cores + spec.cube_cores) {
  void* base = reinterpret_cast<void*>(kOnChipBase);
  void* mapped = mmap(
      base, slots_ * kSlotBytes, PROT_NONE,
      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (mapped != base) {
    throw InternalError(
        fmt::format("[memory] cannot map on-chip memories at {:#x}: {}",
                    kOnChipBase, std::strerror(errno)));
  }
  for (int slot = 0; slot < slots_; ++slot) {
    for (int i = 1; i < kMemoryCount; ++i) {
      const auto memory = static_cast<abi::Memory>(i);
      if (!Has(slot, memory)) continue;
      const uint64_t bytes = PageUp(spec_.bytes[i]);
      if (kRoom[i] + bytes >= kRoomEnd[i]) {
        throw InternalError(
            fmt::format("[memory] memory {} of chip {} does not fit its room",
                        i, spec_.name));
      }
      mprotect(reinterpret_cast<void*>(Base(slot, memory)), bytes,
               PROT_READ | PROT_WRITE);
    }
  }
}

OnChipMemory::~OnChipMemory() {
  munmap(reinterpret_cast<void*>(kOnChipBase), slots_ * kSlotBytes);
}

bool OnChipMemory::Has(int slot, abi::Memory memory) const {
  if (memory == abi::Memory::kGm) return false;
  return (slot < spec_.vector_cores) == (memory == abi::Memory::kUb);
}

uint64_t OnChipMemory::Base(int slot, abi::Memory memory) const {
  return kOnChipBase + slot * kSlotBytes + kRoom[static_cast<int>(memory)];
}

bool OnChipMemory::Spans(uint64_t address) const {
  return address - kOnChipBase < slots_ * kSlotBytes;
}

std::optional<OnChipMemory::Place> OnChipMemory::Locate(
    uint64_t address) const {
  if (!Spans(address)) return std::nullopt;
  const int slot = static_cast<int>((address - kOnChipBase) / kSlotBytes);
  for (int i = 1; i < kMemoryCount; ++i) {
    const auto memory = static_cast<abi::Memory>(i);
    const uint64_t offset = address - Base(slot, memory);
    if (Has(slot, memory) && offset < spec_.bytes[i]) {
      return Place{slot, memory, offset};
    }
  }
  return std::nullopt;
}

void OnChipMemory::Poison(int slot) {
  for (int i = 1; i < kMemoryCount; ++i) {
    const auto memory = static_cast<abi::Memory>(i);
    if (!Has(slot, memory)) continue;
    const uint64_t base = Base(slot, memory);
    if (spec_.bytes[i] >= kLazyMemory &&
        MapPoisoned(base, PageUp(spec_.bytes[i]))) {
      continue;
    }
    std::memset(reinterpret_cast<void*>(base), kPoison, spec_.bytes[i]);
  }
}

}  // namespace belay::npu
