// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_NPU_ON_CHIP_MEMORY_H_
#define BELAY_NPU_ON_CHIP_MEMORY_H_

// The memories inside the cores, at addresses that are the same in every run
// and fit into 32 bits.

#include <cstdint>
#include <optional>

#include "npu/chip_spec.h"

namespace belay::npu {

// Every uninitialised byte: NaN as half, bfloat16 and float, −1 as integer.
inline constexpr int kPoison = 0xFF;

class OnChipMemory {
 public:
  // Maps the memories of all cores of `spec`. One at a time per process.
  explicit OnChipMemory(const ChipSpec& spec);
  ~OnChipMemory();
  OnChipMemory(const OnChipMemory&) = delete;
  OnChipMemory& operator=(const OnChipMemory&) = delete;

  // Slots number the vector cores first, then the cube cores.
  int slots() const { return slots_; }

  // Where `memory` of a core starts; the core's type must have it.
  uint64_t Base(int slot, abi::Memory memory) const;

  struct Place {
    int slot;
    abi::Memory memory;
    uint64_t offset;
  };
  // Nothing when no core's memory is there (gaps between memories included).
  std::optional<Place> Locate(uint64_t address) const;

  // Whether the address lies in the range set aside for on-chip memories.
  bool Spans(uint64_t address) const;

  // Fills all memories of a core with kPoison.
  void Poison(int slot);

  bool Has(int slot, abi::Memory memory) const;

 private:
  const ChipSpec spec_;
  int slots_;
};

}  // namespace belay::npu

#endif  // BELAY_NPU_ON_CHIP_MEMORY_H_
