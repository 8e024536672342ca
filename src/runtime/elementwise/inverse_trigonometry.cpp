// SPDX-License-Identifier: Apache-2.0
// Asin, Acos, Atan.

#include "runtime/elementwise/functions.h"

namespace belay::runtime::elementwise {
namespace {

constexpr float kHalfPi = 1.57079633f;
constexpr float kQuarterPi = 0.785398163f;

// asin(r) in r for 0 <= r <= 0.5.
void AsinNearZero(const Register& r, const Register& z, const Register& work) {
  OddPolynomial(r, z, work,
                {0.0337402805f, 0.0171215876f, 0.0311060007f, 0.0445989884f,
                 0.0750009564f, 0.166666663f});
}

// Puts |x| up to 0.5, and sqrt((1 - |x|) / 2) beyond, through asin. The mask
// is set for the former.
void AsinOfReduced(const Register& r, const Register& x, const Register& a,
                   const Register& b, const Mask& small) {
  a.Abs(x);
  r.Muls(a, -0.5f);
  r.Adds(r, 0.5f);
  r.Sqrt(r);
  small.Less(a, 0.5f);
  r.Pick(small, a, r);
  AsinNearZero(r, a, b);
}

}  // namespace

// Beyond 0.5: π/2 - 2·asin(sqrt((1 - |x|) / 2)).
void Asin(const Piece& piece) {
  const Register x = piece[0], r = piece[1], a = piece[2], b = piece[3];
  const Mask small = piece.mask(0);
  AsinOfReduced(r, x, a, b, small);
  a.Muls(r, -2.0f);
  a.Adds(a, kHalfPi);
  r.Pick(small, r, a);
  r.TakeSign(x, a);
  x.Copy(r);
}

// 2·asin(…) for x >= 0.5, π - 2·asin(…) for x <= -0.5, else π/2 - asin(x).
void Acos(const Piece& piece) {
  const Register x = piece[0], r = piece[1], a = piece[2], b = piece[3];
  const Mask mask = piece.mask(0);
  AsinOfReduced(r, x, a, b, mask);
  // Beyond 0.5.
  a.Add(r, r);
  // Within: asin with the sign of x.
  r.TakeSign(x, b);
  b.Muls(r, -1.0f);
  b.Adds(b, kHalfPi);
  r.Pick(mask, b, a);
  // π less it for negative x beyond 0.5.
  a.Muls(a, -1.0f);
  a.Adds(a, kPi);
  mask.Greater(x, -0.5f);
  // A NaN is in neither range.
  r.Pick(mask, r, a);
  x.Copy(r);
}

// |x| is below tan(π/8), or between it and tan(3π/8), or above: atan(|x|) is
// then 0, π/4 or π/2 more than the atan of |x|, (|x| - 1) / (|x| + 1) or
// -1 / |x|, all of them small.
void Atan(const Piece& piece) {
  const Register x = piece[0], top = piece[1], bottom = piece[2];
  const Register a = piece[3], base = piece[4];
  const Mask mask = piece.mask(0);
  a.Abs(x);
  mask.Less(a, 2.41421356f);
  top.Adds(a, -1.0f);
  top.Pick(mask, top, -1.0f);
  bottom.Adds(a, 1.0f);
  bottom.Pick(mask, bottom, a);
  base.Fill(kQuarterPi);
  base.Pick(mask, base, kHalfPi);
  mask.Greater(a, 0.414213562f);
  top.Pick(mask, top, a);
  bottom.Pick(mask, bottom, 1.0f);
  base.Pick(mask, base, 0.0f);
  top.Div(top, bottom);
  OddPolynomial(top, a, bottom,
                {0.0504664888f, -0.0862409864f, 0.110712876f, -0.14284147f,
                 0.199999772f, -0.333333333f});
  top.Add(top, base);
  // The polynomial's term for NaN is NaN already; -0 gets its sign here.
  top.Abs(top);
  top.TakeSign(x, a);
  x.Copy(top);
}

}  // namespace belay::runtime::elementwise
