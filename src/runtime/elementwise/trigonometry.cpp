// SPDX-License-Identifier: Apache-2.0
// Sin, Cos, Tan: the argument less a multiple of π/2, then a polynomial.

#include "runtime/elementwise/functions.h"

namespace belay::runtime::elementwise {
namespace {

constexpr float kTwoOverPi = 0.636619772f;

// x -= q·π/2 for whole numbers q below 2^16. π/2 comes in four parts of eight
// bits, whose products with q are exact, and a rest.
void SubtractHalfPis(const Register& x, const Register& q,
                     const Register& work) {
  for (const float part :
       {-1.5703125f, -0.0004825592041015625f, -1.26659870147705078125e-6f,
        -9.895302355289459228516e-10f, -2.56334415159e-12f}) {
    work.Muls(q, part);
    x.Add(x, work);
  }
}

// floor(q / 2) in `halved` and the rest, 0 or 1, in q.
void Halve(const Register& q, const Register& halved, const Register& work) {
  halved.Muls(q, 0.5f);
  halved.Round(halved, abi::Round::kFloor);
  work.Muls(halved, -2.0f);
  q.Add(q, work);
}

// Of x = r + q·π/2, |r| at most π/4, in x: sin(x + shift·π/2), which is sin(r),
// cos(r), -sin(r) or -cos(r).
void SinOfQuarter(const Piece& piece, float shift) {
  const Register x = piece[0], q = piece[1], a = piece[2], b = piece[3];
  const Register cosine = piece[4];
  const Mask odd = piece.mask(0);
  q.Muls(x, kTwoOverPi);
  q.Round(q, abi::Round::kRint);
  SubtractHalfPis(x, q, a);
  CosNearZero(cosine, x, a);
  SinNearZero(x, a, b);
  q.Adds(q, shift);
  Halve(q, a, b);
  odd.Greater(q, 0.0f);
  x.Pick(odd, cosine, x);
  Halve(a, b, q);
  a.Muls(a, -2.0f);
  a.Adds(a, 1.0f);
  x.Mul(x, a);
}

}  // namespace

void OddPolynomial(const Register& x, const Register& z, const Register& work,
                   std::initializer_list<float> coefficients) {
  z.Mul(x, x);
  work.Polynomial(z, coefficients);
  work.Mul(work, z);
  work.Mul(work, x);
  x.Add(x, work);
}

void SinNearZero(const Register& x, const Register& z, const Register& work) {
  OddPolynomial(x, z, work,
                {-2.40611285e-8f, 2.75356319e-6f, -0.000198410755f,
                 0.00833333272f, -0.166666667f});
}

void CosNearZero(const Register& result, const Register& x, const Register& z) {
  z.Mul(x, x);
  result.Polynomial(
      z, {-2.72882038e-7f, 2.48004995e-5f, -0.00138888875f, 0.0416666667f});
  result.Mul(result, z);
  result.Adds(result, -0.5f);
  result.Mul(result, z);
  result.Adds(result, 1.0f);
}

void Sin(const Piece& piece) { SinOfQuarter(piece, 0.0f); }
void Cos(const Piece& piece) { SinOfQuarter(piece, 1.0f); }

// sin(r) / cos(r), or for odd multiples of π/2 -cos(r) / sin(r).
void Tan(const Piece& piece) {
  const Register x = piece[0], q = piece[1], a = piece[2], b = piece[3];
  const Register cosine = piece[4];
  const Mask even = piece.mask(0);
  q.Muls(x, kTwoOverPi);
  q.Round(q, abi::Round::kRint);
  SubtractHalfPis(x, q, a);
  CosNearZero(cosine, x, a);
  SinNearZero(x, a, b);
  Halve(q, a, b);
  even.Less(q, 0.5f);
  a.Muls(cosine, -1.0f);
  a.Pick(even, x, a);
  b.Pick(even, cosine, x);
  x.Div(a, b);
}

}  // namespace belay::runtime::elementwise
