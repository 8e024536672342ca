// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CHECK_MEMORY_SCRATCH_H_
#define BELAY_CHECK_MEMORY_SCRATCH_H_

// The end of one core's Unified Buffer, which some instructions use as hidden
// scratch: which bytes hold data of the kernel, and which lost them.

#include <cstdint>
#include <vector>

namespace belay::check {

class ScratchShadow {
 public:
  ScratchShadow() = default;
  // The scratch covers the addresses [begin, begin + bytes).
  ScratchShadow(uint64_t begin, uint64_t bytes)
      : begin_(begin), bytes_(bytes) {}

  uint64_t begin() const { return begin_; }

  // Ranges of addresses; what lies outside the scratch does not count.
  void Write(uint64_t from, uint64_t to, uint64_t pc);
  void Clobber(uint64_t from, uint64_t to, uint64_t pc);

  struct Loss {
    uint64_t address = 0;     // of the first byte lost; 0: none is
    uint64_t write_pc = 0;    // who wrote it
    uint64_t clobber_pc = 0;  // whose scratch it became
  };
  Loss Read(uint64_t from, uint64_t to) const;

 private:
  enum class State : uint8_t { kNone, kLive, kLost };
  struct Clip {
    uint64_t from;
    uint64_t to;  // offsets; empty when from >= to
  };
  Clip ClipOf(uint64_t from, uint64_t to) const;

  static constexpr uint64_t kBlock = 32;  // bytes that share a writer's place

  uint64_t begin_ = 0;
  uint64_t bytes_ = 0;
  // Empty until something is written.
  std::vector<State> state_;
  std::vector<uint64_t> write_pc_;    // by block
  std::vector<uint64_t> clobber_pc_;  // by byte
};

}  // namespace belay::check

#endif  // BELAY_CHECK_MEMORY_SCRATCH_H_
