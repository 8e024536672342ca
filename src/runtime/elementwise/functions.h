// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_RUNTIME_ELEMENTWISE_FUNCTIONS_H_
#define BELAY_RUNTIME_ELEMENTWISE_FUNCTIONS_H_

// The functions of belay/elementwise.def over one piece: register 0 (and 1)
// holds the operands, register 0 then the result. And what several of them
// share.

#include "runtime/elementwise/registers.h"

namespace belay::runtime::elementwise {

inline constexpr float kPi = 3.14159265f;

#define BELAY_ELEMENTWISE(name, registers, masks) void name(const Piece& piece);
#include "belay/elementwise.def"
#undef BELAY_ELEMENTWISE

// --- shared ------------------------------------------------------------------

// x + x·z·P(z) with z = x·x, in x. `z` and `work` are used up.
void OddPolynomial(const Register& x, const Register& z, const Register& work,
                   std::initializer_list<float> coefficients);

// sin(x) in x, for |x| up to a little over π/2.
void SinNearZero(const Register& x, const Register& z, const Register& work);
// cos(x) in `result`, for |x| up to a little over π/4.
void CosNearZero(const Register& result, const Register& x, const Register& z);

// ln(1 + u) in u for u > -1, whole registers `w` and `q` being used up.
void Log1p(const Register& u, const Register& w, const Register& q,
           const Mask& mask);

}  // namespace belay::runtime::elementwise

#endif  // BELAY_RUNTIME_ELEMENTWISE_FUNCTIONS_H_
