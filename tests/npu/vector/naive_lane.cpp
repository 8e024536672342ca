// SPDX-License-Identifier: Apache-2.0
// The naive model's arithmetic: one lane.

#include <cmath>
#include <limits>
#include <stdexcept>

#include "naive_model.h"
#include "naive_numbers.h"

namespace belay::npu::naive {
namespace {

using abi::DType;
using abi::Op;
using abi::Round;

constexpr long double kNan = std::numeric_limits<long double>::quiet_NaN();

long double MaxOf(long double a, long double b) {
  if (std::isnan(a) || std::isnan(b)) return kNan;
  if (a == 0 && b == 0) return std::signbit(a) ? b : a;
  return a > b ? a : b;
}

long double MinOf(long double a, long double b) {
  if (std::isnan(a) || std::isnan(b)) return kNan;
  if (a == 0 && b == 0) return std::signbit(a) ? a : b;
  return a < b ? a : b;
}

long double ReluOf(long double a) {
  if (std::isnan(a)) return a;
  return a > 0 ? a : 0.0L;
}

long double FloatResult(Op op, long double a, long double b) {
  switch (op) {
    case Op::kAbs:
      return std::fabs(a);
    case Op::kExp:
      return std::exp(a);
    case Op::kLn:
      return a < 0 ? kNan : std::log(a);
    case Op::kRelu:
      return ReluOf(a);
    case Op::kSqrt:
      return std::sqrt(a);
    case Op::kAdd:
    case Op::kAdds:
      return a + b;
    case Op::kSub:
      return a - b;
    case Op::kMul:
    case Op::kMuls:
      return a * b;
    case Op::kDiv:
      return a / b;
    case Op::kMax:
    case Op::kMaxs:
      return MaxOf(a, b);
    case Op::kMin:
    case Op::kMins:
      return MinOf(a, b);
    case Op::kAddRelu:
      return ReluOf(a + b);
    case Op::kSubRelu:
      return ReluOf(a - b);
    case Op::kLeakyRelu:
      return std::signbit(a) || std::isnan(a) ? a * b : a;
    default:
      throw std::logic_error("naive model: no float operation");
  }
}

uint64_t IntegerResult(const abi::Instruction& instruction, __int128 a,
                       __int128 b, uint64_t a_bits, bool saturate) {
  const DType dtype = instruction.src0.dtype;
  const auto encode = [&](__int128 value) {
    return EncodeInteger(value, dtype, saturate);
  };
  const int width = BitsOfType(dtype);
  const bool is_signed = dtype == DType::kInt16 || dtype == DType::kInt32;
  // A distance is unsigned, and at most the width.
  __int128 distance = b < 0 ? width : b;
  if (distance > width) distance = width;
  switch (instruction.op) {
    case Op::kAdd:
    case Op::kAdds:
      return encode(a + b);
    case Op::kSub:
      return encode(a - b);
    case Op::kMul:
    case Op::kMuls:
      return encode(a * b);
    case Op::kMax:
    case Op::kMaxs:
      return encode(a > b ? a : b);
    case Op::kMin:
    case Op::kMins:
      return encode(a < b ? a : b);
    case Op::kRelu:
      return encode(a > 0 ? a : 0);
    case Op::kAddRelu:
    case Op::kSubRelu: {
      const uint64_t sum =
          encode(instruction.op == Op::kAddRelu ? a + b : a - b);
      return DecodeInteger(sum, dtype) > 0 ? sum : 0;
    }
    case Op::kAnd:
      return EncodeInteger(a & b, dtype, false);
    case Op::kOr:
      return EncodeInteger(a | b, dtype, false);
    case Op::kNot:
      return EncodeInteger(~a, dtype, false);
    case Op::kShiftLeft: {
      if (!is_signed) return EncodeInteger(a << distance, dtype, false);
      // The sign stays; the bits below it move.
      const uint64_t sign = uint64_t{1} << (width - 1);
      uint64_t below = a_bits & (sign - 1);
      for (__int128 i = 0; i < distance; ++i) below = below * 2 & (sign - 1);
      return (a_bits & sign) | below;
    }
    case Op::kShiftRight: {
      __int128 result = a;
      __int128 last = 0;
      for (__int128 i = 0; i < distance; ++i) {
        last = result & 1;
        result = (result - last) / 2;
      }
      if (is_signed && (instruction.mode & 1) != 0) result += last;
      return EncodeInteger(result, dtype, false);
    }
    default:
      throw std::logic_error("naive model: no integer operation");
  }
}

}  // namespace

uint64_t EstimateReciprocal(uint64_t bits, DType dtype, bool saturate) {
  const long double x = Decode(bits, dtype);
  if (std::isnan(x) || std::isinf(x) || x == 0) {
    return Encode(1 / x, dtype, Round::kRint, saturate);
  }
  int exponent;
  const long double m = std::frexp(std::fabs(x), &exponent);  // 1/2 <= m < 1
  const auto index = static_cast<int64_t>(m * 512);           // 256 to 511
  // round(2^17 / (index + 1/2)) in whole numbers.
  const int64_t entry = (((int64_t{1} << 19) / (2 * index + 1)) + 1) / 2;
  const long double estimate =
      std::ldexp(static_cast<long double>(entry), -8 - exponent);
  return Encode(std::copysign(estimate, x), dtype, Round::kRint, saturate);
}

uint64_t EstimateRsqrt(uint64_t bits, DType dtype, bool saturate) {
  const long double x = Decode(bits, dtype);
  if (x == 0) return Encode(1 / x, dtype, Round::kRint, saturate);
  if (std::isnan(x) || x < 0) {
    return Encode(kNan, dtype, Round::kRint, saturate);
  }
  if (std::isinf(x)) return 0;
  int exponent;
  long double m = std::frexp(x, &exponent);
  if (exponent % 2 != 0) {
    m /= 2;
    ++exponent;
  }
  // 1/4 <= m < 1; the middle of its interval in units of 2^-9.
  const int64_t index = static_cast<int64_t>(m * 512);
  const int64_t middle_times_two =
      m < 0.5L ? 2 * index + 1 : 2 * (index / 2 * 2 + 1);
  // The entry r of 256 to 511 nearest to 256 / sqrt(middle): the last with
  // (r - 1/2)^2 * middle < 2^16.
  int64_t entry = 256;
  while ((2 * entry + 1) * (2 * entry + 1) * middle_times_two < int64_t{1}
                                                                    << 28) {
    ++entry;
  }
  const long double estimate =
      std::ldexp(static_cast<long double>(entry), -8 - exponent / 2);
  return Encode(estimate, dtype, Round::kRint, saturate);
}

uint64_t ComputeLane(const abi::Instruction& instruction, uint64_t a,
                     uint64_t b, const VectorState& state) {
  const DType from = instruction.src0.dtype;
  const DType to = instruction.dst.dtype;
  const Op op = instruction.op;
  if (!IsFloat(from)) {
    return IntegerResult(instruction, DecodeInteger(a, from),
                         DecodeInteger(b, from), a, state.saturate);
  }
  // float never saturates.
  const bool saturate = state.saturate && to == DType::kHalf;
  const long double x = Decode(a, from);
  if (op == Op::kReciprocal) {
    if (!state.exact_reciprocal) return EstimateReciprocal(a, to, saturate);
    return Encode(1 / x, to, Round::kRint, saturate);
  }
  if (op == Op::kRsqrt) {
    if (!state.exact_reciprocal) return EstimateRsqrt(a, to, saturate);
    return Encode(1 / std::sqrt(x), to, Round::kRint, saturate);
  }
  if (op == Op::kAxpy) {
    const long double factor = Decode(instruction.scalar, from);
    const uint64_t product = Encode(x * factor, to, Round::kRint, saturate);
    return Encode(Decode(product, to) + Decode(b, to), to, Round::kRint,
                  saturate);
  }
  return Encode(FloatResult(op, x, Decode(b, from)), to, Round::kRint,
                saturate);
}

uint64_t CastLane(const abi::Instruction& instruction, uint64_t a,
                  const VectorState& state) {
  const DType from = instruction.src0.dtype;
  const DType to = instruction.dst.dtype;
  const auto mode = static_cast<Round>(instruction.mode);
  const bool saturate = state.saturate && to != DType::kFloat;
  if (from == DType::kInt32 && to == DType::kHalf) {
    const long double product =
        static_cast<long double>(DecodeInteger(a, from)) * state.deq_scale;
    return Encode(product, to, Round::kRint, saturate);
  }
  if (!IsFloat(from)) {
    const int64_t value = DecodeInteger(a, from);
    if (!IsFloat(to)) return EncodeInteger(value, to, true);
    return Encode(static_cast<long double>(value), to, mode, saturate);
  }
  const long double value = Decode(a, from);
  if (IsFloat(to) && from != to) return Encode(value, to, mode, saturate);
  if (std::isnan(value) && !IsFloat(to)) return 0;
  const long double whole = std::isfinite(value) ? ToWhole(value, mode) : value;
  if (IsFloat(to)) {
    // -0 becomes +0.
    return Encode(whole == 0 ? 0.0L : whole, to, Round::kRint, false);
  }
  const long double limit = 0x1p100L;
  const long double bounded =
      whole > limit ? limit : (whole < -limit ? -limit : whole);
  return EncodeInteger(static_cast<__int128>(bounded), to, true);
}

bool CompareLane(const abi::Instruction& instruction, uint64_t a, uint64_t b) {
  const DType dtype = instruction.src0.dtype;
  const auto mode = static_cast<abi::Compare>(instruction.mode);
  if (!IsFloat(dtype))
    return DecodeInteger(a, dtype) == DecodeInteger(b, dtype);
  const long double x = Decode(a, dtype);
  const long double y = Decode(b, dtype);
  if (std::isnan(x) || std::isnan(y)) return false;  // kNe, too
  switch (mode) {
    case abi::Compare::kLt:
      return x < y;
    case abi::Compare::kGt:
      return x > y;
    case abi::Compare::kEq:
      return x == y;
    case abi::Compare::kLe:
      return x <= y;
    case abi::Compare::kGe:
      return x >= y;
    case abi::Compare::kNe:
      return x != y;
  }
  return false;
}

}  // namespace belay::npu::naive
