// SPDX-License-Identifier: Apache-2.0
#include "crux/interpret/whole_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/catalogue.h"
#include "base/error.h"
#include "crux/interpret/numbers.h"
#include "crux/interpret/value.h"

namespace belay::crux::interpret {
namespace {

[[noreturn]] void DivisionByZero(Op op, int64_t a) {
  throw Fault(code::kX188,
              fmt::format("{}{}0: an integer is divided by zero", a,
                          InfoOf(op).spelling),
              "keep zeros out with where(…) before dividing");
}

int64_t FloorDivide(DType dtype, int64_t a, int64_t b) {
  if (dtype == DType::kUint64) {
    return static_cast<int64_t>(static_cast<uint64_t>(a) /
                                static_cast<uint64_t>(b));
  }
  if (b == -1) return WrapTo(dtype, 0 - static_cast<uint64_t>(a));
  const int64_t quotient = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

int64_t Modulo(DType dtype, int64_t a, int64_t b) {
  if (dtype == DType::kUint64) {
    return static_cast<int64_t>(static_cast<uint64_t>(a) %
                                static_cast<uint64_t>(b));
  }
  if (b == -1) return 0;
  const int64_t remainder = a % b;
  return remainder != 0 && (a < 0) != (b < 0) ? remainder + b : remainder;
}

int64_t Power(DType dtype, int64_t base, int64_t exponent) {
  if (LessWhole(dtype, exponent, 0)) {
    throw Fault(
        code::kX188,
        fmt::format("{} ** {}: an integer to a negative power", base, exponent),
        "convert to f32 first");
  }
  uint64_t result = 1;
  auto factor = static_cast<uint64_t>(base);
  for (auto rest = static_cast<uint64_t>(exponent); rest != 0; rest >>= 1) {
    if ((rest & 1) != 0) result *= factor;
    factor *= factor;
  }
  return WrapTo(dtype, result);
}

// A shift by the width or more, or by a negative number, leaves no bit (the
// sign, for a signed number shifted right).
bool ShiftsAll(DType dtype, int64_t by) {
  return static_cast<uint64_t>(by) >= static_cast<uint64_t>(BitsOf(dtype));
}

int64_t ShiftRight(DType dtype, int64_t a, int64_t by) {
  if (ShiftsAll(dtype, by)) return IsSigned(dtype) && a < 0 ? -1 : 0;
  if (dtype == DType::kUint64) {
    return static_cast<int64_t>(static_cast<uint64_t>(a) >> by);
  }
  return a >> by;
}

}  // namespace

int64_t WholeUnary(Op op, DType dtype, int64_t x) {
  const auto bits = static_cast<uint64_t>(x);
  const bool negative = LessWhole(dtype, x, 0);
  switch (op) {
    case Op::kNegate:
      return WrapTo(dtype, 0 - bits);
    case Op::kAbs:
      return WrapTo(dtype, negative ? 0 - bits : bits);
    case Op::kSign:
      return negative ? -1 : x != 0;
    case Op::kBitNot:
      return dtype == DType::kBool ? !x : WrapTo(dtype, ~bits);
    default:
      throw InternalError(
          fmt::format("[interpret] {} of an integer", InfoOf(op).id));
  }
}

int64_t WholeBinary(Op op, DType dtype, int64_t a, int64_t b) {
  const auto left = static_cast<uint64_t>(a);
  const auto right = static_cast<uint64_t>(b);
  switch (op) {
    case Op::kAdd:
      return WrapTo(dtype, left + right);
    case Op::kSub:
      return WrapTo(dtype, left - right);
    case Op::kMul:
      return WrapTo(dtype, left * right);
    case Op::kFloorDiv:
      if (b == 0) DivisionByZero(op, a);
      return FloorDivide(dtype, a, b);
    case Op::kMod:
      if (b == 0) DivisionByZero(op, a);
      return Modulo(dtype, a, b);
    case Op::kPow:
      return Power(dtype, a, b);
    case Op::kMaximum:
      return LessWhole(dtype, a, b) ? b : a;
    case Op::kMinimum:
      return LessWhole(dtype, b, a) ? b : a;
    case Op::kBitAnd:
      return a & b;
    case Op::kBitOr:
      return a | b;
    case Op::kBitXor:
      return a ^ b;
    case Op::kShiftLeft:
      return ShiftsAll(dtype, b) ? 0 : WrapTo(dtype, left << right);
    case Op::kShiftRight:
      return ShiftRight(dtype, a, b);
    default:
      throw InternalError(
          fmt::format("[interpret] {} of two integers", InfoOf(op).id));
  }
}

double WholeSpread(Op op, DType dtype, int64_t a, double a_error, int64_t b,
                   double b_error) {
  if (a_error == 0 && b_error == 0) return 0;
  if (dtype == DType::kBool) return 1;
  const double left = FromWhole(dtype, a);
  const double right = FromWhole(dtype, b);
  double spread = kUnbounded;
  double middle = 0;
  switch (op) {
    case Op::kAdd:
      middle = left + right;
      spread = a_error + b_error;
      break;
    case Op::kSub:
      middle = left - right;
      spread = a_error + b_error;
      break;
    case Op::kMul:
      middle = left * right;
      spread = std::fabs(left) * b_error + std::fabs(right) * a_error +
               a_error * b_error;
      break;
    case Op::kMaximum:
    case Op::kMinimum:
      return std::max(a_error, b_error);
    default:
      break;
  }
  // One that may wrap on one side only is anywhere.
  const bool wraps =
      !Fits(dtype, middle - spread) || !Fits(dtype, middle + spread);
  return wraps ? kUnbounded : Settled(spread);
}

}  // namespace belay::crux::interpret
