// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CLOCK_FOOTPRINT_END_H_
#define BELAY_CLOCK_FOOTPRINT_END_H_

// How far the bytes of one operand reach.

#include <cstdint>

#include "npu/footprint.h"

namespace belay::clock {

// The end of the last byte the use touches; not for uses that follow data.
uint64_t EndOf(const npu::FootprintUse& use);

}  // namespace belay::clock

#endif  // BELAY_CLOCK_FOOTPRINT_END_H_
