// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CLOCK_UNIT_ORDER_H_
#define BELAY_CLOCK_UNIT_ORDER_H_

// The order that unit flags bring between Mmad and Fixpipe: which instruction
// of the other pipe each has to wait for. The chip hands fractals over one by
// one; here a whole instruction does.

#include <algorithm>
#include <array>
#include <cstdint>

#include "npu/cube/cube_state.h"
#include "npu/footprint.h"

namespace belay::clock {

class UnitOrder {
 public:
  void Reset() { *this = UnitOrder{}; }

  // A record was kept for M or for FIX.
  void Count(bool mmad) { ++(mmad ? mmad_ : fixpipe_).issued; }

  // For an Mmad or Fixpipe with a unit flag that is to give `records`. How many
  // records back on the other pipe the one is that it waits for, 1 being the
  // last; 0 when there is none.
  uint32_t Issue(bool mmad, uint64_t records, const npu::Footprint& footprint,
                 uint64_t l0c_base);

 private:
  static constexpr size_t kUnits = npu::CubeState::kUnits;
  static constexpr uint64_t kUnitBytes = 1024;

  struct Side {
    uint64_t issued = 0;
    std::array<uint64_t, kUnits> last{};  // by unit, from 1 on
  };
  Side mmad_;
  Side fixpipe_;
};

inline uint32_t UnitOrder::Issue(bool mmad, uint64_t records,
                                 const npu::Footprint& footprint,
                                 uint64_t l0c_base) {
  Side& own = mmad ? mmad_ : fixpipe_;
  const Side& other = mmad ? fixpipe_ : mmad_;
  uint64_t waits_for = 0;
  for (const npu::FootprintUse& use : footprint) {
    if (use.memory != abi::Memory::kL0c) continue;
    npu::ForEachRange(use, [&](uint64_t begin, uint64_t end) {
      const uint64_t last = (end - 1 - l0c_base) / kUnitBytes;
      for (uint64_t unit = (begin - l0c_base) / kUnitBytes; unit <= last;
           ++unit) {
        waits_for = std::max(waits_for, other.last[unit]);
        own.last[unit] = own.issued + records;
      }
    });
  }
  if (waits_for == 0) return 0;
  return static_cast<uint32_t>(other.issued - waits_for + 1);
}

}  // namespace belay::clock

#endif  // BELAY_CLOCK_UNIT_ORDER_H_
