// SPDX-License-Identifier: Apache-2.0
// Lgamma and Digamma.

#include "runtime/elementwise/functions.h"

namespace belay::runtime::elementwise {
namespace {

constexpr float kOneOverPi = 0.318309886f;

// x less the nearest whole number, exactly.
void Fraction(const Register& to, const Register& x) {
  to.Round(x, abi::Round::kRint);
  to.Sub(x, to);
}

}  // namespace

// Of y = |x|. Below 3: (t - 1)(t - 2)·Q(t), t being y, or y + 1 below 1 and
// then less ln(y). Above: Stirling's series. Negative x by reflection.
void Lgamma(const Piece& piece) {
  const Register x = piece[0], y = piece[1], u = piece[2], p = piece[3];
  const Register log = piece[4], a = piece[5], b = piece[6];
  const Mask mask = piece.mask(0);
  y.Abs(x);
  log.Ln(y);
  mask.Less(y, 1.0f);
  // u = t - 2.
  u.Adds(y, -1.0f);
  a.Adds(y, -2.0f);
  u.Pick(mask, u, a);
  p.Polynomial(
      u, {-3.63155219e-5f, 7.78713189e-5f, -5.90323996e-5f, 0.000131388344f,
          -0.000419005835f, 0.000943640607f, -0.00210490778f, 0.00499179268f,
          -0.012384473f, 0.0329655972f, -0.100317298f, 0.422784327f});
  p.Mul(p, u);
  u.Adds(u, 1.0f);
  p.Mul(p, u);
  u.Sub(p, log);
  p.Pick(mask, u, p);

  // (y - 1/2)·(ln(y) - 1) + (ln(2π) - 1) / 2 and the series of 1 / y.
  u.DivideInto(1.0f, y, a);
  a.Mul(u, u);
  b.Polynomial(
      a, {1.0f / 1188, -1.0f / 1680, 1.0f / 1260, -1.0f / 360, 1.0f / 12});
  b.Mul(b, u);
  log.Adds(log, -1.0f);
  u.Adds(y, -0.5f);
  log.Mul(log, u);
  b.Adds(b, 0.418938533f);
  log.Add(log, b);
  mask.Less(y, 3.0f);
  p.Pick(mask, p, log);

  // lgamma(-y) = -ln(y·|sin(πy)| / π) - lgamma(y).
  Fraction(u, y);
  u.Muls(u, kPi);
  SinNearZero(u, a, b);
  u.Abs(u);
  u.Mul(u, y);
  u.Muls(u, kOneOverPi);
  u.Ln(u);
  u.Add(u, p);
  u.Muls(u, -1.0f);
  mask.Less(x, 0.0f);
  x.Pick(mask, u, p);
}

// Above 0.5: the series at x + 6 less 1/x + … + 1/(x + 5). Below: the value at
// 1 - x less π·cot(πx).
void Digamma(const Piece& piece) {
  const Register x = piece[0], y = piece[1], sum = piece[2], a = piece[3];
  const Register b = piece[4], c = piece[5];
  const Mask reflected = piece.mask(0);
  reflected.Less(x, 0.5f);
  y.Muls(x, -1.0f);
  y.Adds(y, 1.0f);
  y.Pick(reflected, y, x);
  sum.DivideInto(1.0f, y, a);
  for (int i = 1; i < 6; ++i) {
    a.Adds(y, static_cast<float>(i));
    a.DivideInto(1.0f, a, b);
    sum.Add(sum, a);
  }
  y.Adds(y, 6.0f);
  a.DivideInto(1.0f, y, b);
  b.Mul(a, a);
  c.Polynomial(b, {1.0f / 252, -1.0f / 120, 1.0f / 12});
  c.Mul(c, b);
  a.Muls(a, 0.5f);
  c.Add(c, a);
  sum.Add(sum, c);
  y.Ln(y);
  y.Sub(y, sum);

  // cot(πx) = sin(π(1/2 - |f|)) / sin(πf) with f the fraction of x.
  Fraction(sum, x);
  a.Abs(sum);
  a.Muls(a, -1.0f);
  a.Adds(a, 0.5f);
  a.Muls(a, kPi);
  SinNearZero(a, b, c);
  sum.Muls(sum, kPi);
  SinNearZero(sum, b, c);
  a.Div(a, sum);
  a.Muls(a, kPi);
  a.Sub(y, a);
  x.Pick(reflected, a, y);
}

}  // namespace belay::runtime::elementwise
