// SPDX-License-Identifier: Apache-2.0
// Sinh, Cosh, Tanh and their inverses.

#include "runtime/elementwise/functions.h"

namespace belay::runtime::elementwise {
namespace {

// exp(|x|) / 2 in `half_exp` and exp(-|x|) / 2 in `x`. The exponential is the
// product of two halves: it overflows only where sinh does.
void HalfExponentials(const Register& half_exp, const Register& x) {
  x.Abs(x);
  x.Muls(x, 0.5f);
  x.Exp(x);
  half_exp.Muls(x, 0.5f);
  half_exp.Mul(half_exp, x);
  x.Fill(0.25f);
  x.Div(x, half_exp);
}

}  // namespace

// By (exp(x) - exp(-x)) / 2, below 1 by a polynomial.
void Sinh(const Piece& piece) {
  const Register x = piece[0], r = piece[1], a = piece[2], b = piece[3];
  const Mask small = piece.mask(0);
  a.Copy(x);
  HalfExponentials(r, a);
  r.Sub(r, a);
  a.Abs(x);
  small.Less(a, 1.0f);
  r.TakeSign(x, b);
  // Outside the polynomial's range its value is not taken.
  OddPolynomial(x, a, b,
                {2.80628026e-6f, 0.00019838102f, 0.00833333968f, 0.166666666f});
  x.Pick(small, x, r);
}

void Cosh(const Piece& piece) {
  const Register x = piece[0], r = piece[1];
  HalfExponentials(r, x);
  x.Add(r, x);
}

// By 1 - 2 / (exp(2|x|) + 1), below 0.55 by a polynomial.
void Tanh(const Piece& piece) {
  const Register x = piece[0], r = piece[1], a = piece[2], b = piece[3];
  const Mask small = piece.mask(0);
  a.Abs(x);
  small.Less(a, 0.55f);
  r.Add(a, a);
  r.Exp(r);
  r.Adds(r, 1.0f);
  r.DivideInto(-2.0f, r, b);
  r.Adds(r, 1.0f);
  r.TakeSign(x, b);
  OddPolynomial(x, a, b,
                {0.00252639071f, -0.00852633306f, 0.0218184491f, -0.0539647004f,
                 0.133333242f, -0.333333333f});
  x.Pick(small, x, r);
}

// With w = 1 + u rounded, ln(w)·u / (w - 1) undoes what the rounding did.
void Log1p(const Register& u, const Register& w, const Register& q,
           const Mask& mask) {
  w.Adds(u, 1.0f);
  q.Adds(w, -1.0f);
  // Nothing was lost (also where both are infinite): the factor is 1.
  mask.Equal(q, u);
  q.Div(u, q);
  // 1 where nothing was lost: x / x is not, for 0 and infinity.
  w.Ln(w);
  q.Mul(q, w);
  q.Pick(mask, w, q);
  // Everything was lost: ln(1 + u) is u. The quotient is infinite there.
  mask.Equal(w, 0.0f);
  u.Pick(mask, u, q);
}

// log1p(|x| + x² / (1 + sqrt(1 + x²))), the quotient written so that nothing
// overflows: |x| / (1 / |x| + sqrt(1 + 1 / x²)).
void Asinh(const Piece& piece) {
  const Register x = piece[0], a = piece[1], b = piece[2], c = piece[3];
  const Register u = piece[4];
  const Mask mask = piece.mask(0);
  a.Abs(x);
  b.DivideInto(1.0f, a, c);
  c.Mul(b, b);
  c.Adds(c, 1.0f);
  c.Sqrt(c);
  b.Add(b, c);
  b.Div(a, b);
  u.Add(a, b);
  Log1p(u, a, b, mask);
  u.Abs(u);
  u.TakeSign(x, a);
  x.Copy(u);
}

// log1p(t + sqrt(t)·sqrt(t + 2)) with t = x - 1.
void Acosh(const Piece& piece) {
  const Register t = piece[0], a = piece[1], b = piece[2];
  const Mask mask = piece.mask(0);
  t.Adds(t, -1.0f);
  a.Adds(t, 2.0f);
  a.Sqrt(a);
  b.Sqrt(t);
  a.Mul(a, b);
  t.Add(t, a);
  Log1p(t, a, b, mask);
}

// log1p(2|x| / (1 - |x|)) / 2.
void Atanh(const Piece& piece) {
  const Register x = piece[0], a = piece[1], b = piece[2], u = piece[3];
  const Mask mask = piece.mask(0);
  a.Abs(x);
  b.Muls(a, -1.0f);
  b.Adds(b, 1.0f);
  u.Add(a, a);
  u.Div(u, b);
  Log1p(u, a, b, mask);
  u.Muls(u, 0.5f);
  u.Abs(u);
  u.TakeSign(x, a);
  x.Copy(u);
}

}  // namespace belay::runtime::elementwise
