// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_SELECT_DIVIDE_H_
#define BELAY_CRUX_SELECT_DIVIDE_H_

// Division of integers by the vector unit, which divides floats only: exact,
// rounded down, as `//` and `%` are.

#include "crux/select/vector.h"

namespace belay::crux::select {

enum class Division : uint8_t { kQuotient, kRest };

// dst = a divided by the number, which is above 0 and below 2^29. dst and a lie
// apart.
void DivideByNumber(Emitter& emitter, Division wanted, const Lane& dst,
                    const Lane& a, const Int& divisor);

// dst = a divided by b, whose elements are not 0, lane by lane. All have the
// same dims, and dst lies apart from the others. The lowest i32 divided by -1
// is itself.
void DivideByLanes(Emitter& emitter, Division wanted, const Lane& dst,
                   const Lane& a, const Lane& b);

// The same for elements of 8 and 16 bits, of any dtype that all three have, and
// operands that broadcast: floats hold such quotients, and which are whole.
void DivideNarrow(Emitter& emitter, Division wanted, const Lane& dst,
                  const Lane& a, const Lane& b);

// And by a number that is not 0.
void DivideNarrowByNumber(Emitter& emitter, Division wanted, const Lane& dst,
                          const Lane& a, const Int& divisor);

// The kernel ends if an element of the tile, of at most 32 bits and with plain
// rows (extremes.h), is 0.
void RequireNoZero(Emitter& emitter, int tile);

}  // namespace belay::crux::select

#endif  // BELAY_CRUX_SELECT_DIVIDE_H_
