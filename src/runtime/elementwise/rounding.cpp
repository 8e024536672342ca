// SPDX-License-Identifier: Apache-2.0
// Ceil, Floor, Round, Trunc, Frac, Sign and Fmod.

#include "runtime/elementwise/functions.h"

namespace belay::runtime::elementwise {
namespace {

// The sign, the exponent and 11 bits behind the point.
constexpr uint32_t kUpperBits = 0xfffff000u;

}  // namespace

void Ceil(const Piece& piece) { piece[0].Round(piece[0], abi::Round::kCeil); }
void Floor(const Piece& piece) { piece[0].Round(piece[0], abi::Round::kFloor); }
void Round(const Piece& piece) { piece[0].Round(piece[0], abi::Round::kRint); }
void Trunc(const Piece& piece) { piece[0].Round(piece[0], abi::Round::kTrunc); }

void Frac(const Piece& piece) {
  piece[1].Round(piece[0], abi::Round::kTrunc);
  piece[0].Sub(piece[0], piece[1]);
}

// NaN is neither above nor below 0.
void Sign(const Piece& piece) {
  const Register x = piece[0], one = piece[1];
  const Mask mask = piece.mask(0);
  mask.Less(x, 0.0f);
  one.Fill(-1.0f);
  one.Pick(mask, one, 0.0f);
  mask.Greater(x, 0.0f);
  x.Fill(1.0f);
  x.Pick(mask, x, one);
}

// a - trunc(a / b)·b. The product is taken exactly, as a sum of two floats, so
// that the result is exact for quotients below 2^24.
void Fmod(const Piece& piece) {
  const Register a = piece[0], b = piece[1], q = piece[2], product = piece[3];
  const Register high = piece[4], low = piece[5], work = piece[6];
  const Mask mask = piece.mask(0);
  q.Div(a, b);
  q.Round(q, abi::Round::kTrunc);
  product.Mul(q, b);
  // b = high + low with 12 bits each, and q the same way.
  work.FillBits(kUpperBits);
  high.And(b, work);
  low.Sub(b, high);
  // The products of q's high part.
  work.And(q, work);
  high.Mul(high, work);
  low.Mul(low, work);
  // product's error: (high·qh - product) + low·qh + b·ql, from large to small.
  high.Sub(high, product);
  high.Add(high, low);
  work.Sub(q, work);
  // b·ql needs b in parts, too.
  low.FillBits(kUpperBits);
  q.And(b, low);
  low.Sub(b, q);
  q.Mul(q, work);
  low.Mul(low, work);
  high.Add(high, q);
  high.Add(high, low);
  q.Sub(a, product);
  q.Sub(q, high);
  // A quotient that was rounded up to a whole number is one too large: the
  // rest then has the wrong sign.
  high.Fill(1.0f);
  high.TakeSign(a, work);
  q.Mul(q, high);
  mask.Less(q, 0.0f);
  product.Abs(b);
  work.Add(q, product);
  q.Pick(mask, work, q);
  q.Abs(q);
  q.TakeSign(a, work);
  // A small a is its own rest, whatever b is.
  low.Abs(a);
  mask.Less(low, product);
  a.Pick(mask, a, q);
}

}  // namespace belay::runtime::elementwise
