// SPDX-License-Identifier: Apache-2.0
// Erf and Erfc.

#include "runtime/elementwise/functions.h"

namespace belay::runtime::elementwise {

// Below 0.9 a polynomial, above it 1 - exp(-Q(|x|)): Q is the logarithm of
// erfc, and 1 is reached before 4.
void Erf(const Piece& piece) {
  const Register x = piece[0], r = piece[1], a = piece[2], b = piece[3];
  const Mask small = piece.mask(0);
  a.Abs(x);
  small.Less(a, 0.9f);
  a.Mins(a, 4.0f);
  r.Polynomial(a, {-1.64306366e-6f, 4.61638586e-5f, -0.00059758577f,
                   0.00476262583f, -0.0264276372f, 0.110087166f, 0.631823918f,
                   1.13023106f, -0.000318539662f});
  r.Muls(r, -1.0f);
  r.Exp(r);
  r.Muls(r, -1.0f);
  r.Adds(r, 1.0f);
  r.TakeSign(x, b);
  a.Mul(x, x);
  b.Polynomial(a, {8.52940132e-5f, -0.000817963218f, 0.00520422669f,
                   -0.0268606648f, 0.11283718f, -0.376126352f, 1.12837917f});
  x.Mul(x, b);
  x.Pick(small, x, r);
}

// t·P(t)·exp(-x²) with t = 2 / (2 + |x|). x² is taken as the square of x's
// upper half and a rest, because the exponential magnifies its rounding.
void Erfc(const Piece& piece) {
  const Register x = piece[0], a = piece[1], t = piece[2], r = piece[3];
  const Register work = piece[4];
  const Mask negative = piece.mask(0);
  a.Abs(x);
  a.Mins(a, 12.0f);
  t.Adds(a, 2.0f);
  t.DivideInto(2.0f, t, work);
  r.Polynomial(t, {0.0350551001f, -0.187521673f, 0.374237558f, -0.281892255f,
                   -0.0262718774f, 0.0361648601f, 0.0554005038f, 0.185214281f,
                   0.245286307f, 0.282237906f, 0.282089292f});
  r.Mul(r, t);
  work.FillBits(0xfffff000u);
  t.And(a, work);
  work.Sub(t, a);
  a.Add(t, a);
  work.Mul(work, a);
  work.Exp(work);
  r.Mul(r, work);
  t.Mul(t, t);
  t.Muls(t, -1.0f);
  t.Exp(t);
  r.Mul(r, t);
  negative.Less(x, 0.0f);
  a.Muls(r, -1.0f);
  a.Adds(a, 2.0f);
  x.Pick(negative, a, r);
}

}  // namespace belay::runtime::elementwise
