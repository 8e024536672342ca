// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_NPU_REPEATED_PAGES_H_
#define BELAY_NPU_REPEATED_PAGES_H_

// Memory that shows the same pages over and over: large tensors with little in
// them take no more room than that.

#include <cstdint>

namespace belay::npu {

inline constexpr uint64_t kRepeatedPageBytes = 4096;

// Replaces what is mapped at [address, address + bytes) by pages for reading
// that show `pattern` from its beginning, again and again. Addresses and
// `pattern_bytes` must be multiples of the page size, and the pattern lie in
// memory mapped as shared. A system call and a mapping for each turn. False
// when the system refuses, or where the rules above do not hold.
bool MapRepeated(uint64_t address, uint64_t bytes, const void* pattern,
                 uint64_t pattern_bytes);

// Puts fresh memory of its own there again.
void UnmapRepeated(uint64_t address, uint64_t bytes);

// Shared memory of its own that holds a copy of some bytes, whole pages of
// them. Throws std::bad_alloc.
class SharedPattern {
 public:
  SharedPattern(const void* bytes, uint64_t count);
  ~SharedPattern();
  SharedPattern(SharedPattern&& other) noexcept;
  SharedPattern& operator=(SharedPattern&&) = delete;

  const void* data() const { return data_; }
  uint64_t bytes() const { return bytes_; }

 private:
  void* data_ = nullptr;
  uint64_t bytes_ = 0;
};

}  // namespace belay::npu

#endif  // BELAY_NPU_REPEATED_PAGES_H_
