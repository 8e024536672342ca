// SPDX-License-Identifier: Apache-2.0
// Arithmetic on numbers of the host and on indices.

#include <fmt/format.h>

#include <cmath>

#include "base/catalogue.h"
#include "base/error.h"
#include "crux/interpret/machine.h"
#include "crux/interpret/real_rules.h"
#include "crux/interpret/whole_rules.h"

namespace belay::crux::interpret {
namespace {

bool IsWhole(const Value& value) {
  return std::holds_alternative<int64_t>(value.data);
}

int64_t WholeOf(const Value& value) { return std::get<int64_t>(value.data); }

double RealOf(const Value& value) {
  return IsWhole(value) ? static_cast<double>(WholeOf(value))
                        : std::get<double>(value.data);
}

[[noreturn]] void Overflow(Op op, int64_t a, int64_t b) {
  throw Fault(
      code::kX188,
      fmt::format("{}{}{} does not fit in 64 bits", a, InfoOf(op).spelling, b),
      "keep sizes and indices below 2^63");
}

int64_t CheckedPower(int64_t base, int64_t exponent) {
  if (exponent == 0) return 1;
  if (base == 0 || base == 1) return base;
  if (base == -1) return exponent % 2 == 0 ? 1 : -1;
  int64_t result = 1;
  for (int64_t i = 0; i < exponent; ++i) {
    if (__builtin_mul_overflow(result, base, &result)) {
      Overflow(Op::kPow, base, exponent);
    }
  }
  return result;
}

Value WholeOperation(Op op, int64_t a, int64_t b) {
  int64_t result = 0;
  bool overflow = false;
  switch (op) {
    case Op::kAdd:
      overflow = __builtin_add_overflow(a, b, &result);
      break;
    case Op::kSub:
      overflow = __builtin_sub_overflow(a, b, &result);
      break;
    case Op::kMul:
      overflow = __builtin_mul_overflow(a, b, &result);
      break;
    case Op::kFloorDiv:
    case Op::kMod:
      overflow = b == -1 && a == std::numeric_limits<int64_t>::min();
      if (!overflow) result = WholeBinary(op, DType::kInt64, a, b);
      break;
    case Op::kCeilDiv:
      overflow = b == -1 && a == std::numeric_limits<int64_t>::min();
      if (!overflow) {
        result = WholeBinary(Op::kFloorDiv, DType::kInt64, a, b);
        if (WholeBinary(Op::kMod, DType::kInt64, a, b) != 0) ++result;
      }
      break;
    case Op::kPow:
      if (b < 0) {
        return {std::pow(static_cast<double>(a), static_cast<double>(b))};
      }
      result = CheckedPower(a, b);
      break;
    case Op::kShiftLeft:
      overflow = b < 0 || b > 62 || (a << b) >> b != a;
      if (!overflow) result = a << b;
      break;
    default:
      result = WholeBinary(op, DType::kInt64, a, b);
  }
  if (overflow) Overflow(op, a, b);
  return {result};
}

std::optional<bool> Compared(Op op, bool less, bool equal, bool greater) {
  switch (op) {
    case Op::kLess:
      return less;
    case Op::kLessEqual:
      return less || equal;
    case Op::kGreater:
      return greater;
    case Op::kGreaterEqual:
      return greater || equal;
    case Op::kEqual:
      return equal;
    case Op::kNotEqual:
      return !equal;
    default:
      return std::nullopt;
  }
}

std::optional<bool> Comparison(Op op, const Value& a, const Value& b) {
  if (const auto* text = std::get_if<std::string>(&a.data)) {
    const auto& other = std::get<std::string>(b.data);
    return Compared(op, *text < other, *text == other, *text > other);
  }
  if (IsWhole(a) && IsWhole(b)) {
    const int64_t left = WholeOf(a);
    const int64_t right = WholeOf(b);
    return Compared(op, left < right, left == right, left > right);
  }
  const double left = RealOf(a);
  const double right = RealOf(b);
  return Compared(op, left < right, left == right, left > right);
}

Value Unary(Op op, const Value& x) {
  switch (op) {
    case Op::kIsNan:
      return {static_cast<int64_t>(std::isnan(RealOf(x)))};
    case Op::kIsInf:
      return {static_cast<int64_t>(std::isinf(RealOf(x)))};
    case Op::kIsFinite:
      return {static_cast<int64_t>(std::isfinite(RealOf(x)))};
    case Op::kFloor:
    case Op::kCeil:
    case Op::kRound:
    case Op::kTrunc:
      if (IsWhole(x)) return x;
      break;
    case Op::kNegate:
      if (IsWhole(x)) return WholeOperation(Op::kSub, 0, WholeOf(x));
      break;
    case Op::kAbs:
    case Op::kSign:
    case Op::kBitNot:
      if (!IsWhole(x)) break;
      if (op == Op::kAbs && WholeOf(x) < 0) {
        return WholeOperation(Op::kSub, 0, WholeOf(x));
      }
      return {WholeUnary(op, DType::kInt64, WholeOf(x))};
    default:
      break;
  }
  const UnaryRule* rule = FindRealUnary(op);
  if (rule == nullptr) {
    throw InternalError(
        fmt::format("[interpret] {} on the host", InfoOf(op).id));
  }
  return {rule->value(RealOf(x))};
}

}  // namespace

Value HostOperation(Op op, const std::vector<Value>& args) {
  if (op == Op::kChoose) return args.at(0);
  if (args.size() == 1) return Unary(op, args[0]);
  if (op == Op::kClamp) {
    return HostOperation(
        Op::kMinimum,
        {HostOperation(Op::kMaximum, {args.at(0), args.at(1)}), args.at(2)});
  }
  const Value& a = args.at(0);
  const Value& b = args.at(1);
  if (const auto result = Comparison(op, a, b)) {
    return {static_cast<int64_t>(*result)};
  }
  if (IsWhole(a) && IsWhole(b) && op != Op::kDiv) {
    return WholeOperation(op, WholeOf(a), WholeOf(b));
  }
  if ((op == Op::kDiv || op == Op::kFloorDiv || op == Op::kMod) &&
      RealOf(b) == 0) {
    throw Fault(
        code::kX188,
        fmt::format("{}{}0 on the host", RealOf(a), InfoOf(op).spelling),
        "a host number is divided by zero: check it with assert");
  }
  const BinaryRule* rule = FindRealBinary(op);
  if (rule == nullptr) {
    throw InternalError(
        fmt::format("[interpret] {} on the host", InfoOf(op).id));
  }
  return {rule->value(RealOf(a), RealOf(b))};
}

}  // namespace belay::crux::interpret
