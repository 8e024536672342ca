// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_INTERPRET_REAL_RULES_H_
#define BELAY_CRUX_INTERPRET_REAL_RULES_H_

// What elementwise operations give on real numbers, and how far their results
// move when their operands do.
//
// A result is the double-precision value of the function, rounded once to the
// dtype. `spread` bounds |f(x') - f(x)| over all x' with |x' - x| <= e, without
// the rounding of the result itself. `units` is how many units in the last
// place of the result are charged for computing it: 0 where no dtype can round
// (abs, maximum, …), 1 for a single instruction, which covers rounding to
// nearest and faithful rounding, more for what a chip computes in several
// steps: docs/crux.md has the table.

#include "base/dtype.h"
#include "crux/operations.h"

namespace belay::crux::interpret {

struct UnaryRule {
  Op op;
  double (*value)(double x);
  double (*spread)(double x, double error);
  int units;
  // Charged on top, where units of the result do not say it; null: nothing.
  double (*extra)(DType dtype, double x) = nullptr;
};

struct BinaryRule {
  Op op;
  double (*value)(double a, double b);
  double (*spread)(double a, double a_error, double b, double b_error);
  int units;
};

struct TernaryRule {
  Op op;
  double (*value)(double a, double b, double c);
  double (*spread)(double a, double a_error, double b, double b_error, double c,
                   double c_error);
  int units;
};

// Null if the operation is none of that many real numbers.
const UnaryRule* FindRealUnary(Op op);
const BinaryRule* FindRealBinary(Op op);
const TernaryRule* FindRealTernary(Op op);

// gelu(t, approximate="tanh").
const UnaryRule& TanhGeluRule();

}  // namespace belay::crux::interpret

#endif  // BELAY_CRUX_INTERPRET_REAL_RULES_H_
