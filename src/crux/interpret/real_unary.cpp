// SPDX-License-Identifier: Apache-2.0
// Elementwise functions of one real number.

#include <algorithm>
#include <cmath>
#include <numbers>

#include "crux/interpret/real_rules.h"
#include "crux/interpret/value.h"

namespace belay::crux::interpret {
namespace {

using UnaryFunction = double (*)(double);

// Of a function monotone on [x - e, x + e]. Beyond its domain it gives NaN,
// and the bound is infinite.
template <UnaryFunction kFunction>
double Monotone(double x, double e) {
  if (e == 0 || std::isinf(e)) return e;
  const double middle = kFunction(x);
  return std::max(DistanceOf(kFunction(x + e), middle),
                  DistanceOf(kFunction(x - e), middle));
}

// The same for one with a pole at zero.
template <UnaryFunction kFunction>
double MonotoneOffZero(double x, double e) {
  if (e == 0) return 0;
  return std::fabs(x) <= e ? kUnbounded : Monotone<kFunction>(x, e);
}

// Angles beyond this have no bound: they are brought to a quadrant by steps
// that lose their last places.
constexpr double kLargestAngle = 65504;

bool IsFarAngle(double x) {
  return std::isfinite(x) && std::fabs(x) > kLargestAngle;
}

double OfTan(double x, double e) {
  if (IsFarAngle(x)) return kUnbounded;
  if (e == 0 || std::isinf(e)) return e;
  const auto branch = [](double angle) {
    return std::floor(angle / std::numbers::pi + 0.5);
  };
  if (branch(x - e) != branch(x + e)) return kUnbounded;
  return Monotone<std::tan>(x, e);
}

double OfCosh(double x, double e) {
  if (e == 0 || std::isinf(e)) return e;
  return DistanceOf(std::cosh(std::fabs(x) + e), std::cosh(x));
}

// Functions whose slope is never above the bound given, in hundredths.
template <int kSlope>
double Lipschitz(double, double e) {
  return e * (kSlope / 100.0);
}

// No farther than 2, unless an infinity or NaN may stand on one side.
double OfSine(double x, double e) {
  if (IsFarAngle(x)) return kUnbounded;
  return std::isinf(e) ? e : std::min(e, 2.0);
}

double Negative(double x) { return -x; }
double Reciprocal(double x) { return 1 / x; }
double ReciprocalRoot(double x) { return 1 / std::sqrt(x); }

double Sign(double x) {
  if (std::isnan(x)) return x;
  return x > 0 ? 1 : x < 0 ? -1 : 0;
}

double Sigmoid(double x) {
  if (x >= 0) return 1 / (1 + std::exp(-x));
  const double e = std::exp(x);
  return e / (1 + e);
}

double Silu(double x) {
  // Not -inf * 0.
  return x == -std::numeric_limits<double>::infinity() ? 0 : x * Sigmoid(x);
}

double Gelu(double x) {
  if (x == -std::numeric_limits<double>::infinity()) return 0;
  return 0.5 * x * std::erfc(-x * (1 / std::numbers::sqrt2));
}

// The usual approximation of gelu.
double TanhGelu(double x) {
  if (x == -std::numeric_limits<double>::infinity()) return 0;
  const double inner =
      std::sqrt(2 / std::numbers::pi) * (x + 0.044715 * x * x * x);
  return 0.5 * x * (1 + std::tanh(inner));
}

double Softplus(double x) {
  if (std::isnan(x)) return x;
  return std::max(x, 0.0) + std::log1p(std::exp(-std::fabs(x)));
}

// Results that are no normal numbers, or come near that, may vanish.
double Vanishing(DType, double) { return 0x1p-120; }

// Where x · (1 + f(x)) is near 0, f(x) is near -1: its last place counts by x.
double ByOperand(DType dtype, double x) {
  return 0x1p-120 + (std::isfinite(x) ? 4 * UnitOf(dtype, x) : 0);
}

// A sum with +0 is never -0.
double Down(double x) { return std::floor(x) + 0.0; }
double Up(double x) { return std::ceil(x) + 0.0; }
double CutOff(double x) { return std::trunc(x) + 0.0; }
double NearestEven(double x) { return std::nearbyint(x) + 0.0; }

constexpr UnaryRule kRules[] = {
    {Op::kAbs, std::fabs, Lipschitz<100>, 0},
    {Op::kAcos, std::acos, Monotone<std::acos>, 2},
    {Op::kAsin, std::asin, Monotone<std::asin>, 3},
    {Op::kAtan, std::atan, Monotone<std::atan>, 3},
    {Op::kCeil, Up, Monotone<Up>, 0},
    {Op::kCos, std::cos, OfSine, 3},
    {Op::kCosh, std::cosh, OfCosh, 3},
    {Op::kErf, std::erf, Monotone<std::erf>, 3},
    {Op::kErfc, std::erfc, Monotone<std::erfc>, 6},
    {Op::kExp, std::exp, Monotone<std::exp>, 1},
    {Op::kExpm1, std::expm1, Monotone<std::expm1>, 4},
    {Op::kFloor, Down, Monotone<Down>, 0},
    {Op::kGelu, Gelu, Lipschitz<114>, 4, ByOperand},
    {Op::kLn, std::log, Monotone<std::log>, 1},
    {Op::kLog10, std::log10, Monotone<std::log10>, 2},
    {Op::kLog1p, std::log1p, Monotone<std::log1p>, 3},
    {Op::kLog2, std::log2, Monotone<std::log2>, 2},
    {Op::kNegate, Negative, Lipschitz<100>, 0},
    {Op::kReciprocal, Reciprocal, MonotoneOffZero<Reciprocal>, 1},
    {Op::kRound, NearestEven, Monotone<NearestEven>, 0},
    {Op::kRsqrt, ReciprocalRoot, MonotoneOffZero<ReciprocalRoot>, 2},
    {Op::kSigmoid, Sigmoid, Monotone<Sigmoid>, 4, Vanishing},
    {Op::kSign, Sign, Monotone<Sign>, 0},
    {Op::kSilu, Silu, Lipschitz<110>, 4, Vanishing},
    {Op::kSin, std::sin, OfSine, 3},
    {Op::kSinh, std::sinh, Monotone<std::sinh>, 4},
    {Op::kSoftplus, Softplus, Monotone<Softplus>, 4, Vanishing},
    {Op::kSqrt, std::sqrt, Monotone<std::sqrt>, 1},
    {Op::kTan, std::tan, OfTan, 5},
    {Op::kTanh, std::tanh, Monotone<std::tanh>, 2},
    {Op::kTrunc, CutOff, Monotone<CutOff>, 0},
};

constexpr UnaryRule kTanhGelu = {Op::kGelu, TanhGelu, Lipschitz<114>, 4,
                                 ByOperand};

}  // namespace

const UnaryRule& TanhGeluRule() { return kTanhGelu; }

const UnaryRule* FindRealUnary(Op op) {
  for (const UnaryRule& rule : kRules) {
    if (rule.op == op) return &rule;
  }
  return nullptr;
}

}  // namespace belay::crux::interpret
