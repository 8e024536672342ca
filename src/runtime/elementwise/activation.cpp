// SPDX-License-Identifier: Apache-2.0
// Sigmoid, Silu, Swish, the Gelu family, and their gated forms.

#include "runtime/elementwise/functions.h"

namespace belay::runtime::elementwise {
namespace {

// x / (1 + exp(t)) in x.
void DivideByOnePlusExp(const Register& x, const Register& t) {
  t.Exp(t);
  t.Adds(t, 1.0f);
  x.Div(x, t);
}

// x·(1 + tanh(sqrt(2/π)·(x + 0.044715·x³))) / 2, as x / (1 + exp(…)).
void GeluOf(const Register& x, const Register& t) {
  t.Mul(x, x);
  t.Muls(t, -0.0713548162726f);
  t.Adds(t, -1.59576912161f);
  t.Mul(t, x);
  DivideByOnePlusExp(x, t);
}

}  // namespace

void Sigmoid(const Piece& piece) {
  const Register x = piece[0], t = piece[1];
  t.Muls(x, -1.0f);
  x.Fill(1.0f);
  DivideByOnePlusExp(x, t);
}

void Silu(const Piece& piece) {
  const Register x = piece[0], t = piece[1];
  t.Muls(x, -1.0f);
  DivideByOnePlusExp(x, t);
}

void Swish(const Piece& piece) {
  const Register x = piece[0], t = piece[1];
  t.Muls(x, -piece.call().scalar);
  DivideByOnePlusExp(x, t);
}

void Gelu(const Piece& piece) { GeluOf(piece[0], piece[1]); }

void FasterGelu(const Piece& piece) {
  const Register x = piece[0], t = piece[1];
  t.Muls(x, -1.702f);
  DivideByOnePlusExp(x, t);
}

// x·(s·(0.5 - 0.1444·(min(|0.7071·x|, 1.769) - 1.769)²) + 0.5), s the sign.
void FasterGeluV2(const Piece& piece) {
  const Register x = piece[0], a = piece[1], work = piece[2];
  a.Muls(x, 0.7071f);
  a.Abs(a);
  a.Mins(a, 1.769f);
  a.Adds(a, -1.769f);
  a.Mul(a, a);
  a.Muls(a, -0.1444f);
  a.Adds(a, 0.5f);
  a.TakeSign(x, work);
  a.Adds(a, 0.5f);
  x.Mul(x, a);
}

void GeGLU(const Piece& piece) {
  const Register x = piece[0], gate = piece[1], t = piece[2];
  GeluOf(gate, t);
  x.Mul(x, gate);
}

void ReGlu(const Piece& piece) {
  const Register x = piece[0], gate = piece[1];
  gate.Maxs(gate, 0.0f);
  x.Mul(x, gate);
}

void SwiGLU(const Piece& piece) {
  const Register x = piece[0], gate = piece[1], t = piece[2];
  t.Muls(gate, -piece.call().scalar);
  DivideByOnePlusExp(gate, t);
  x.Mul(x, gate);
}

}  // namespace belay::runtime::elementwise
