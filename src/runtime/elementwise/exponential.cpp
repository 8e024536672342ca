// SPDX-License-Identifier: Apache-2.0
// Exp with a series, Log2, Power, and Axpy.

#include <limits>

#include "runtime/elementwise/functions.h"

namespace belay::runtime::elementwise {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();
// The sign, the exponent and 11 bits behind the point: products of two numbers
// cut off like this are exact.
constexpr uint32_t kUpperHalf = 0xfffff000u;

// A number with more digits than one float: the sum of two.
struct Sum {
  Register high;
  Register low;
};

// |x| = m·2^e, m between sqrt(1/2) and sqrt(2). Zeros and infinities give some
// finite number.
void SplitExponent(const Register& x, const Register& m, const Register& e,
                   const Register& work, const Mask& mask) {
  m.Abs(x);
  mask.Less(m, 0x1p-126f);
  work.Muls(m, 0x1p24f);
  m.Pick(mask, work, m);
  work.Fill(-24.0f);
  work.Pick(mask, work, 0.0f);
  e.ShiftInt(m, 23);
  e.IntToFloat(e);
  e.Adds(e, -127.0f);
  e.Add(e, work);
  work.FillBits(0x007fffffu);
  m.And(m, work);
  work.FillBits(0x3f800000u);
  m.Or(m, work);
  mask.Greater(m, 1.41421356f);
  work.Muls(m, 0.5f);
  m.Pick(mask, work, m);
  work.Adds(e, 1.0f);
  e.Pick(mask, work, e);
}

// ln(m·2^e) in log, from s = (m - 1) / (m + 1) in two parts: ln(m) is
// 2·s + s³·P(s²).
void LogOf(const Sum& log, const Register& m, const Register& e,
           const Register& a, const Register& b, const Register& work) {
  const Register& s = log.high;
  const Register& rest = log.low;
  a.Adds(m, 1.0f);
  rest.Adds(m, -1.0f);
  s.Div(rest, a);
  b.FillBits(kUpperHalf);
  s.And(s, b);
  b.And(a, b);
  // rest = (m - 1) - s·(m + 1), with m + 1 as b and what is left.
  work.Mul(s, b);
  rest.Sub(rest, work);
  work.Adds(b, -1.0f);
  work.Sub(m, work);
  work.Mul(work, s);
  rest.Sub(rest, work);
  rest.Div(rest, a);
  m.Add(s, rest);
  a.Mul(m, m);
  b.Polynomial(a, {0.233309641f, 0.285508026f, 0.40000122f, 0.666666666f});
  b.Mul(b, a);
  b.Mul(b, m);
  rest.Add(rest, rest);
  rest.Add(rest, b);
  // ln 2 is 9 bits, whose product with e is exact, and a rest.
  b.Muls(e, 0.0017409305599f);
  rest.Add(rest, b);
  e.Muls(e, 0.69140625f);
  s.Add(s, s);
  // s = e + s, and what that rounds off.
  b.Copy(s);
  s.Add(e, b);
  work.Sub(s, e);
  work.Sub(b, work);
  rest.Add(rest, work);
}

}  // namespace

// exp(floor(x))·(1 + f·(1 + f/2·(1 + …))), f the fraction.
void Exp(const Piece& piece) {
  const Register x = piece[0], whole = piece[1], sum = piece[2];
  x.Maxs(x, -105.0f);
  x.Mins(x, 90.0f);
  whole.Round(x, abi::Round::kFloor);
  x.Sub(x, whole);
  sum.Fill(1.0f);
  for (int term = piece.call().level; term > 0; --term) {
    sum.Mul(sum, x);
    sum.Muls(sum, 1.0f / static_cast<float>(term));
    sum.Adds(sum, 1.0f);
  }
  whole.Exp(whole);
  x.Mul(whole, sum);
}

// Register 1 is what the product is added to.
void Axpy(const Piece& piece) {
  piece[0].Muls(piece[0], piece.call().scalar);
  piece[0].Add(piece[0], piece[1]);
}

void Log2(const Piece& piece) {
  piece[0].Ln(piece[0]);
  piece[0].Muls(piece[0], 1.44269504f);
}

// exp(y·ln|x|), logarithm and product in two floats; then the signs and the
// special values.
void Power(const Piece& piece) {
  const Register x = piece[0], y = piece[1], low = piece[2], high = piece[3];
  const Register m = piece[4], e = piece[5], a = piece[6], b = piece[7];
  const Register work = piece[8];
  const Mask mask = piece.mask(0);
  SplitExponent(x, m, e, a, mask);
  LogOf({high, low}, m, e, a, b, work);
  a.Abs(x);
  b.Fill(-3e27f);
  mask.Equal(a, 0.0f);
  high.Pick(mask, b, high);
  b.Fill(3e27f);
  mask.Equal(a, kInfinity);
  high.Pick(mask, b, high);

  // An exponent beyond 1e10 gives 0, 1 or infinity, and so does 1e10.
  e.Mins(y, 1e10f);
  e.Maxs(e, -1e10f);
  // Of zeros and infinities only its sign counts.
  work.Muls(y, 1e38f);
  work.Mins(work, 1e10f);
  work.Maxs(work, -1e10f);
  e.Pick(mask, work, e);
  mask.Equal(a, 0.0f);
  e.Pick(mask, work, e);
  work.FillBits(kUpperHalf);
  a.And(high, work);
  high.Sub(high, a);
  low.Add(low, high);
  b.And(e, work);
  high.Sub(e, b);
  // y·ln|x|: b·a is exact and the larger part by far.
  high.Mul(high, a);
  low.Mul(low, e);
  low.Add(low, high);
  b.Mul(b, a);
  b.Mins(b, 200.0f);
  b.Maxs(b, -200.0f);
  low.Mins(low, 1.0f);
  low.Maxs(low, -1.0f);
  b.Exp(b);
  low.Exp(low);
  b.Mul(b, low);

  mask.Equal(x, x);
  b.Pick(mask, b, kNan);
  // A negative base has a power for whole exponents only…
  low.Fill(1.0f);
  a.Round(y, abi::Round::kTrunc);
  mask.Equal(a, y);
  a.Pick(mask, low, kNan);
  mask.Less(x, 0.0f);
  a.Pick(mask, a, low);
  b.Mul(b, a);
  // …whose sign is its own for odd ones.
  a.Muls(y, 0.5f);
  m.Round(a, abi::Round::kTrunc);
  mask.Equal(a, m);
  m.Fill(1.0f);
  m.TakeSign(x, work);
  m.Pick(mask, low, m);
  a.Round(y, abi::Round::kTrunc);
  mask.Equal(a, y);
  m.Pick(mask, m, low);
  b.Mul(b, m);
  mask.Equal(y, 0.0f);
  x.Pick(mask, low, b);
}

// By squaring, as many times as an exponent has bits; the product wraps. The
// power of a negative exponent is 0 but for 1 and -1.
void PowerInt(const Piece& piece) {
  const Register x = piece[0], y = piece[1], power = piece[2], bit = piece[3];
  const Register factor = piece[4], one = piece[5];
  const Mask mask = piece.mask(0);
  factor.IntToFloat(x);
  factor.Abs(factor);
  mask.Equal(factor, 1.0f);
  bit.Fill(1.0f);
  bit.Pick(mask, bit, 0.0f);
  bit.FloatToInt(bit);
  // 1, or for negative exponents 1 only where |x| is.
  one.FillInt(1);
  bit.SubInt(one, bit);
  factor.ShiftInt(y, 31);
  factor.MulInt(factor, bit);
  power.AddInt(factor, one);
  constexpr int kBits = 31;
  for (int i = 0; i < kBits; ++i) {
    bit.And(y, one);
    factor.AddsInt(x, -1);
    factor.MulInt(factor, bit);
    factor.AddInt(factor, one);
    power.MulInt(power, factor);
    if (i + 1 == kBits) break;
    x.MulInt(x, x);
    y.ShiftInt(y, 1);
  }
  x.AddsInt(power, 0);
}

}  // namespace belay::runtime::elementwise
