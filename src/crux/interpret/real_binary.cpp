// SPDX-License-Identifier: Apache-2.0
// Elementwise functions of two and three real numbers.

#include <algorithm>
#include <cmath>
#include <limits>

#include "crux/interpret/real_rules.h"
#include "crux/interpret/value.h"

namespace belay::crux::interpret {
namespace {

using BinaryFunction = double (*)(double, double);

double Add(double a, double b) { return a + b; }
double Subtract(double a, double b) { return a - b; }
double Multiply(double a, double b) { return a * b; }
double Divide(double a, double b) { return a / b; }

// NumPy's: rounds the quotient down; the sign of a remainder is the divisor's.
double FloorDivide(double a, double b) {
  if (b == 0) return a / b;
  const double remainder = std::fmod(a, b);
  double quotient = (a - remainder) / b;
  if (remainder != 0 && (remainder < 0) != (b < 0)) quotient -= 1;
  if (quotient == 0) return std::copysign(0.0, a / b);
  const double whole = std::floor(quotient);
  return quotient - whole > 0.5 ? whole + 1 : whole;
}

double Modulo(double a, double b) {
  const double remainder = std::fmod(a, b);
  if (remainder == 0) return std::copysign(0.0, b);
  return (remainder < 0) != (b < 0) ? remainder + b : remainder;
}

// A negative base has powers for whole exponents only, -inf included.
double Power(double a, double b) {
  if (b == 0) return 1;
  if (std::isnan(a) || std::isnan(b) ||
      (a < 0 && std::isfinite(b) && b != std::trunc(b))) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  return std::pow(a, b);
}

double Maximum(double a, double b) { return std::isnan(a) || a >= b ? a : b; }
double Minimum(double a, double b) { return std::isnan(a) || a <= b ? a : b; }

double Sum(double, double a_error, double, double b_error) {
  return a_error + b_error;
}

double Largest(double, double a_error, double, double b_error) {
  return std::max(a_error, b_error);
}

// Of a function monotone in each operand over the whole box.
template <BinaryFunction kFunction>
double Corners(double a, double a_error, double b, double b_error) {
  if (a_error == 0 && b_error == 0) return 0;
  if (std::isinf(a_error) || std::isinf(b_error)) return kUnbounded;
  const double middle = kFunction(a, b);
  return std::max({DistanceOf(kFunction(a + a_error, b + b_error), middle),
                   DistanceOf(kFunction(a + a_error, b - b_error), middle),
                   DistanceOf(kFunction(a - a_error, b + b_error), middle),
                   DistanceOf(kFunction(a - a_error, b - b_error), middle)});
}

template <BinaryFunction kFunction>
double CornersOffZero(double a, double a_error, double b, double b_error) {
  if (b_error != 0 && std::fabs(b) <= b_error) return kUnbounded;
  return Corners<kFunction>(a, a_error, b, b_error);
}

// Quotients from `limit` on are no longer resolved to the last integer.
bool IsLongQuotient(double a, double b, double limit) {
  return std::isfinite(a) && b != 0 && std::fabs(a / b) >= limit;
}

double OfFloorDivision(double a, double a_error, double b, double b_error) {
  if (IsLongQuotient(a, b, 0x1p21)) return kUnbounded;
  return CornersOffZero<FloorDivide>(a, a_error, b, b_error);
}

double OfModulo(double a, double a_error, double b, double b_error) {
  if (IsLongQuotient(a, b, 0x1p24)) return kUnbounded;
  if (a_error == 0 && b_error == 0) return 0;
  if (CornersOffZero<FloorDivide>(a, a_error, b, b_error) != 0) {
    return kUnbounded;
  }
  const double quotient = FloorDivide(a, b);
  return a_error + (b_error == 0 ? 0 : std::fabs(quotient) * b_error);
}

double OfPower(double a, double a_error, double b, double b_error) {
  if (a_error == 0 && b_error == 0) return 0;
  if (a > a_error) return Corners<std::pow>(a, a_error, b, b_error);
  // A base that may be negative or zero: by whole exponents only.
  if (b_error != 0 || b != std::floor(b)) return kUnbounded;
  if (b == 0) return 0;
  if (b < 0 && std::fabs(a) <= a_error) return kUnbounded;
  if (std::fmod(b, 2.0) != 0) return Corners<std::pow>(a, a_error, b, 0);
  // Even: a function of |a|, growing for b > 0 and falling for b < 0.
  const double size = std::fabs(a);
  const double middle = std::pow(size, b);
  const double low = b < 0 ? std::pow(size - a_error, b)
                           : std::pow(std::max(size - a_error, 0.0), b);
  return std::max(DistanceOf(std::pow(size + a_error, b), middle),
                  DistanceOf(low, middle));
}

constexpr BinaryRule kBinaryRules[] = {
    {Op::kMod, Modulo, OfModulo, 1},
    {Op::kMul, Multiply, Corners<Multiply>, 1},
    {Op::kPow, Power, OfPower, 3},
    {Op::kAdd, Add, Sum, 1},
    {Op::kSub, Subtract, Sum, 1},
    {Op::kDiv, Divide, CornersOffZero<Divide>, 1},
    {Op::kFloorDiv, FloorDivide, OfFloorDivision, 1},
    {Op::kMaximum, Maximum, Largest, 0},
    {Op::kMinimum, Minimum, Largest, 0},
};

double FusedMultiplyAdd(double a, double b, double c) {
  return std::fma(a, b, c);
}

// Beyond the largest product, or where its last places fall below the smallest
// numbers, nothing is known of them.
double OfFma(double a, double a_error, double b, double b_error, double,
             double c_error) {
  const double product = std::fabs(a * b);
  if (std::isfinite(product) && product >= 0x1p128) return kUnbounded;
  return Corners<Multiply>(a, a_error, b, b_error) + c_error + 0x1p-146;
}

double Clamp(double x, double low, double high) {
  return Minimum(Maximum(x, low), high);
}

double OfClamp(double, double x_error, double, double low_error, double,
               double high_error) {
  return std::max({x_error, low_error, high_error});
}

constexpr TernaryRule kTernaryRules[] = {
    {Op::kClamp, Clamp, OfClamp, 0},
    {Op::kFma, FusedMultiplyAdd, OfFma, 1},
};

}  // namespace

const BinaryRule* FindRealBinary(Op op) {
  for (const BinaryRule& rule : kBinaryRules) {
    if (rule.op == op) return &rule;
  }
  return nullptr;
}

const TernaryRule* FindRealTernary(Op op) {
  for (const TernaryRule& rule : kTernaryRules) {
    if (rule.op == op) return &rule;
  }
  return nullptr;
}

}  // namespace belay::crux::interpret
