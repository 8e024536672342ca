// SPDX-License-Identifier: Apache-2.0
#include "npu/repeated_pages.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

namespace belay::npu {
namespace {

bool IsPageMultiple(uint64_t value) { return value % kRepeatedPageBytes == 0; }

uint64_t WholePages(uint64_t bytes) {
  return (bytes + kRepeatedPageBytes - 1) / kRepeatedPageBytes *
         kRepeatedPageBytes;
}

}  // namespace

bool MapRepeated(uint64_t address, uint64_t bytes, const void* pattern,
                 uint64_t pattern_bytes) {
  if (pattern_bytes == 0 || !IsPageMultiple(pattern_bytes) ||
      !IsPageMultiple(address) ||
      !IsPageMultiple(reinterpret_cast<uint64_t>(pattern))) {
    return false;
  }
  const uint64_t whole = WholePages(bytes);
  for (uint64_t at = 0; at < whole; at += pattern_bytes) {
    const uint64_t turn = std::min(pattern_bytes, whole - at);
    // An old size of 0 makes a second mapping of shared memory.
    void* const made = mremap(const_cast<void*>(pattern), 0, turn,
                              MREMAP_MAYMOVE | MREMAP_FIXED,
                              reinterpret_cast<void*>(address + at));
    if (made == MAP_FAILED) return false;
  }
  return mprotect(reinterpret_cast<void*>(address), whole, PROT_READ) == 0;
}

void UnmapRepeated(uint64_t address, uint64_t bytes) {
  mmap(reinterpret_cast<void*>(address), WholePages(bytes),
       PROT_READ | PROT_WRITE,
       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
}

SharedPattern::SharedPattern(const void* bytes, uint64_t count)
    : bytes_(count) {
  data_ = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE,
               MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (data_ == MAP_FAILED) throw std::bad_alloc();
  std::memcpy(data_, bytes, bytes_);
}

SharedPattern::~SharedPattern() {
  if (data_ != nullptr) munmap(data_, bytes_);
}

SharedPattern::SharedPattern(SharedPattern&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), bytes_(other.bytes_) {}

}  // namespace belay::npu
