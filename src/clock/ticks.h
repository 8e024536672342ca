// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CLOCK_TICKS_H_
#define BELAY_CLOCK_TICKS_H_

// Simulated time in whole numbers, so that it is the same on every machine.

#include <cmath>
#include <cstdint>

namespace belay::clock {

// 1/1024 of a cycle of the chip's clock. 2^63 of them are 56 days at 1.85 GHz.
using Ticks = int64_t;

inline constexpr Ticks kTicksPerCycle = 1024;

// Nearest whole ticks.
inline Ticks FromCycles(double cycles) {
  return static_cast<Ticks>(std::llround(cycles * kTicksPerCycle));
}

inline double ToCycles(Ticks ticks) {
  return static_cast<double>(ticks) / kTicksPerCycle;
}

inline double ToMicroseconds(Ticks ticks, double clock_mhz) {
  return ToCycles(ticks) / clock_mhz;
}

}  // namespace belay::clock

#endif  // BELAY_CLOCK_TICKS_H_
