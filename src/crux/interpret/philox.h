// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_INTERPRET_PHILOX_H_
#define BELAY_CRUX_INTERPRET_PHILOX_H_

// Random numbers that depend on a seed and a counter only: Philox4x32-10.

#include <array>
#include <cstdint>

#include "crux/interpret/value.h"

namespace belay::crux::interpret {

// Ten rounds of Philox 4x32 (Salmon et al., 2011).
std::array<uint32_t, 4> Philox4x32(std::array<uint32_t, 4> counter,
                                   std::array<uint32_t, 2> key);

// Element e, in C order, is the first word for the counter offset + e in words
// 0 and 1 (words 2 and 3 zero) and the key `seed`, low word first. u32: its
// bits. f32: its upper 24 bits times 2^-24.
TilePtr Philox(const Context& context, int64_t seed, int64_t offset,
               DType dtype, const Shape& shape);

}  // namespace belay::crux::interpret

#endif  // BELAY_CRUX_INTERPRET_PHILOX_H_
