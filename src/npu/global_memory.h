// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_NPU_GLOBAL_MEMORY_H_
#define BELAY_NPU_GLOBAL_MEMORY_H_

// Global memory: one range of addresses, the same in every run, handed out in
// allocations with unmapped gaps between them.

#include <cstdint>
#include <map>
#include <string>

namespace belay::npu {

class GlobalMemory {
 public:
  // What messages say about an allocation.
  struct Label {
    std::string name;  // "input 'x'"; empty: an allocation without a name
    // Code and fix for accesses just outside it; empty: the usual ones.
    std::string outside_code = {};
    std::string outside_fix = {};
  };

  struct Allocation {
    uint64_t base = 0;
    uint64_t bytes = 0;     // as asked for
    uint64_t capacity = 0;  // rounded up to kGranule; accesses may reach here
    Label label = {};
    bool Contains(uint64_t address, uint64_t size) const {
      return address >= base && size <= capacity &&
             address - base <= capacity - size;
    }
    // "an allocation of 64 bytes", "input 'x', which has 64 bytes".
    std::string Describe() const;
  };

  static constexpr uint64_t kGranule = 512;

  // Reserves `bytes` of addresses; memory is taken as allocations are made.
  // One at a time per process.
  explicit GlobalMemory(uint64_t bytes);
  ~GlobalMemory();
  GlobalMemory(const GlobalMemory&) = delete;
  GlobalMemory& operator=(const GlobalMemory&) = delete;

  // What bytes nobody wrote hold in allocations to come; kPoison at first.
  void SetFreshByte(int value) { fresh_byte_ = value; }

  // Allocations to come are not filled: they take no room until written to.
  void LeaveFreshMemory() { fills_ = false; }

  // Fresh memory, aligned to kGranule; 0 when none is left or bytes is 0.
  uint64_t Allocate(uint64_t bytes);

  // An allocation of no bytes: an address of its own that nobody may touch.
  uint64_t AllocateEmpty();

  // Names the live allocation that starts at `address`.
  void SetLabel(uint64_t address, Label label);

  // False when `address` is not the start of a live allocation.
  bool Free(uint64_t address);

  // Addresses are handed out from the first one again, also those that were
  // freed. Throws InternalError when there are live allocations.
  void Restart();

  // The live allocation that holds `address`, or nullptr.
  const Allocation* Find(uint64_t address) const;

  // The live allocation nearest below `address`, or nullptr.
  const Allocation* Below(uint64_t address) const;

  // The live ones, by where they start.
  const std::map<uint64_t, Allocation>& allocations() const {
    return allocations_;
  }

  bool Spans(uint64_t address) const;

  // Where the range of addresses starts.
  uint64_t base() const;

  uint64_t total_bytes() const { return total_; }
  uint64_t live_bytes() const { return live_; }

 private:
  // Addresses for an allocation and the gap behind it; 0 when none are left.
  uint64_t TakeRoom(uint64_t room);

  uint64_t total_;
  uint64_t next_;  // first address never handed out
  uint64_t live_ = 0;
  int fresh_byte_;
  bool fills_ = true;
  std::map<uint64_t, Allocation> allocations_;  // by base
  std::map<uint64_t, uint64_t> free_;           // base → room
  mutable const Allocation* last_ = nullptr;
};

}  // namespace belay::npu

#endif  // BELAY_NPU_GLOBAL_MEMORY_H_
