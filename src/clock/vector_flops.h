// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CLOCK_VECTOR_FLOPS_H_
#define BELAY_CLOCK_VECTOR_FLOPS_H_

// What a vector instruction counts as arithmetic: operations per element it
// works on, whatever they cost.

#include "belay/instruction.h"
#include "clock/clock_spec.h"

namespace belay::clock {

// One for each arithmetic function (Add, Exp, Max, …), two for a multiplication
// with an addition (Axpy, MulAddDst, …), one more for each Relu or scale in the
// same instruction. Reductions count one for each element that goes in.
// Comparisons and Select count one; copies, casts, gathers, sorts, fills,
// transposes and bitwise operations none.
int VectorFlops(abi::Op op);

// The width of the widest element an instruction of this cost works on.
int LaneBits(const VectorCost& cost);

}  // namespace belay::clock

#endif  // BELAY_CLOCK_VECTOR_FLOPS_H_
