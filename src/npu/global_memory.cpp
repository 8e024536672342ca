// SPDX-License-Identifier: Apache-2.0
#include "npu/global_memory.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <cerrno>
#include <cstring>

#include "base/error.h"
#include "npu/on_chip_memory.h"
#include "npu/poisoned_pages.h"

namespace belay::npu {
namespace {

constexpr uint64_t kGlobalBase = 0x200000000000;
constexpr uint64_t kPage = 4096;

// Bytes an allocation takes in the address range, its gap included.
uint64_t RoomFor(uint64_t capacity) {
  return (capacity + kPage - 1) / kPage * kPage + kPage;
}

// From this size on, memory is poisoned only where it is touched.
constexpr uint64_t kLazyAllocation = 256 << 10;

// Makes [address, address + bytes) usable, every byte of it `fresh_byte`.
bool MapFresh(uint64_t address, uint64_t bytes, int fresh_byte) {
  if (bytes >= kLazyAllocation && fresh_byte == kPoison &&
      MapPoisoned(address, bytes)) {
    return true;
  }
  void* memory =
      mmap(reinterpret_cast<void*>(address), bytes, PROT_READ | PROT_WRITE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
  if (memory == MAP_FAILED) return false;
  if (fresh_byte != 0) std::memset(memory, fresh_byte, bytes);
  return true;
}

}  // namespace

GlobalMemory::GlobalMemory(uint64_t bytes)
    : total_(bytes), next_(kGlobalBase), fresh_byte_(kPoison) {
  void* base = reinterpret_cast<void*>(kGlobalBase);
  void* mapped = mmap(
      base, total_, PROT_NONE,
      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (mapped != base) {
    throw InternalError(
        fmt::format("[memory] cannot reserve {} bytes of global memory: {}",
                    total_, std::strerror(errno)));
  }
}

GlobalMemory::~GlobalMemory() {
  munmap(reinterpret_cast<void*>(kGlobalBase), total_);
}

std::string GlobalMemory::Allocation::Describe() const {
  return label.name.empty()
             ? fmt::format("an allocation of {} bytes", bytes)
             : fmt::format("{}, which has {} bytes", label.name, bytes);
}

uint64_t GlobalMemory::TakeRoom(uint64_t room) {
  if (next_ + room <= kGlobalBase + total_) {
    next_ += room;
    return next_ - room;
  }
  for (auto it = free_.begin(); it != free_.end(); ++it) {
    if (it->second < room) continue;
    const uint64_t base = it->first;
    if (it->second > room) free_[base + room] = it->second - room;
    free_.erase(base);
    return base;
  }
  return 0;
}

uint64_t GlobalMemory::AllocateEmpty() {
  const uint64_t base = TakeRoom(RoomFor(0));
  if (base != 0) allocations_[base] = {base, 0, 0};
  last_ = nullptr;
  return base;
}

void GlobalMemory::SetLabel(uint64_t address, Label label) {
  const auto it = allocations_.find(address);
  if (it == allocations_.end()) {
    throw InternalError(fmt::format(
        "[memory] no allocation starts at {:#x}: cannot name it '{}'", address,
        label.name));
  }
  it->second.label = std::move(label);
}

uint64_t GlobalMemory::Allocate(uint64_t bytes) {
  if (bytes == 0 || bytes > total_) return 0;
  const uint64_t capacity = (bytes + kGranule - 1) / kGranule * kGranule;
  const uint64_t room = RoomFor(capacity);
  const uint64_t base = TakeRoom(room);
  if (base == 0) return 0;
  if (fills_ ? !MapFresh(base, room - kPage, fresh_byte_)
             : mprotect(reinterpret_cast<void*>(base), room - kPage,
                        PROT_READ | PROT_WRITE) != 0) {
    return 0;
  }
  allocations_[base] = {base, bytes, capacity};
  live_ += bytes;
  last_ = nullptr;
  return base;
}

bool GlobalMemory::Free(uint64_t address) {
  const auto it = allocations_.find(address);
  if (it == allocations_.end()) return false;
  const uint64_t room = RoomFor(it->second.capacity);
  void* memory = reinterpret_cast<void*>(address);
  madvise(memory, room, MADV_DONTNEED);
  mprotect(memory, room, PROT_NONE);
  live_ -= it->second.bytes;
  allocations_.erase(it);
  last_ = nullptr;

  // Join the freed room with its free neighbours.
  auto [entry, inserted] = free_.emplace(address, room);
  if (auto after = std::next(entry);
      after != free_.end() && entry->first + entry->second == after->first) {
    entry->second += after->second;
    free_.erase(after);
  }
  if (entry != free_.begin()) {
    auto before = std::prev(entry);
    if (before->first + before->second == entry->first) {
      before->second += entry->second;
      free_.erase(entry);
    }
  }
  return true;
}

void GlobalMemory::Restart() {
  if (!allocations_.empty()) {
    throw InternalError(fmt::format(
        "[memory] {} allocations are live: addresses cannot start anew",
        allocations_.size()));
  }
  next_ = kGlobalBase;
  free_.clear();
}

const GlobalMemory::Allocation* GlobalMemory::Below(uint64_t address) const {
  auto it = allocations_.upper_bound(address);
  return it == allocations_.begin() ? nullptr : &std::prev(it)->second;
}

const GlobalMemory::Allocation* GlobalMemory::Find(uint64_t address) const {
  if (last_ != nullptr && last_->Contains(address, 1)) return last_;
  const Allocation* found = Below(address);
  if (found == nullptr || !found->Contains(address, 1)) return nullptr;
  return last_ = found;
}

uint64_t GlobalMemory::base() const { return kGlobalBase; }

bool GlobalMemory::Spans(uint64_t address) const {
  return address - kGlobalBase < total_;
}

}  // namespace belay::npu
