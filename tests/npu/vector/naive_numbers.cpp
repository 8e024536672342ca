// SPDX-License-Identifier: Apache-2.0
#include "naive_numbers.h"

#include <cmath>
#include <limits>
#include <stdexcept>

namespace belay::npu::naive {

using abi::DType;
using abi::Round;

int BitsOfType(DType dtype) {
  switch (dtype) {
    case DType::kInt4:
      return 4;
    case DType::kBool:
    case DType::kInt8:
    case DType::kUint8:
      return 8;
    case DType::kInt16:
    case DType::kUint16:
    case DType::kHalf:
    case DType::kBfloat16:
      return 16;
    case DType::kInt32:
    case DType::kUint32:
    case DType::kFloat:
      return 32;
    default:
      return 64;
  }
}

Format FormatOf(DType dtype) {
  switch (dtype) {
    case DType::kHalf:
      return {11, -14, 15};
    case DType::kBfloat16:
      return {8, -126, 127};
    case DType::kFloat:
      return {24, -126, 127};
    default:
      throw std::logic_error("not a floating-point type");
  }
}

bool IsFloat(DType dtype) {
  return dtype == DType::kHalf || dtype == DType::kBfloat16 ||
         dtype == DType::kFloat;
}

long double Decode(uint64_t bits, DType dtype) {
  const Format format = FormatOf(dtype);
  const int fraction_bits = format.precision - 1;
  const int exponent_bits = BitsOfType(dtype) - format.precision;
  const uint64_t fraction = bits & ((uint64_t{1} << fraction_bits) - 1);
  const uint64_t field =
      bits >> fraction_bits & ((uint64_t{1} << exponent_bits) - 1);
  const bool negative = (bits >> (BitsOfType(dtype) - 1) & 1) != 0;
  long double value;
  if (field == (uint64_t{1} << exponent_bits) - 1) {
    if (fraction != 0) return std::numeric_limits<long double>::quiet_NaN();
    value = std::numeric_limits<long double>::infinity();
  } else if (field == 0) {
    value = std::ldexp(static_cast<long double>(fraction),
                       format.min_exponent - fraction_bits);
  } else {
    value = std::ldexp(
        static_cast<long double>(fraction + (uint64_t{1} << fraction_bits)),
        format.min_exponent + static_cast<int>(field) - 1 - fraction_bits);
  }
  return negative ? -value : value;
}

long double ToWhole(long double value, Round mode) {
  const long double below = std::floor(value);
  const long double rest = value - below;
  if (rest == 0) return value;
  const long double above = below + 1;
  const bool below_is_odd = std::fmod(below, 2.0L) != 0;
  switch (mode) {
    case Round::kFloor:
      return below;
    case Round::kCeil:
      return above;
    case Round::kTrunc:
      return value < 0 ? above : below;
    case Round::kRound:
      if (rest != 0.5L) return rest < 0.5L ? below : above;
      return value < 0 ? below : above;
    case Round::kOdd:
      return below_is_odd ? below : above;
    case Round::kNone:
    case Round::kRint:
      break;
  }
  if (rest != 0.5L) return rest < 0.5L ? below : above;
  return below_is_odd ? above : below;
}

uint64_t Encode(long double value, DType dtype, Round mode, bool saturate) {
  const Format format = FormatOf(dtype);
  const int fraction_bits = format.precision - 1;
  const uint64_t sign_bit = uint64_t{1} << (BitsOfType(dtype) - 1);
  const uint64_t infinity = (sign_bit - 1) >> fraction_bits << fraction_bits;
  if (std::isnan(value)) {
    return saturate ? 0 : infinity | uint64_t{1} << (fraction_bits - 1);
  }
  const uint64_t sign = std::signbit(value) ? sign_bit : 0;
  const uint64_t beyond = sign | (saturate ? infinity - 1 : infinity);
  if (std::isinf(value)) return beyond;
  if (value == 0) return sign;
  int exponent;
  std::frexp(value, &exponent);
  --exponent;  // value = 1.xxx * 2^exponent
  if (exponent < format.min_exponent) exponent = format.min_exponent;
  // In units of the last place.
  const int unit = exponent - fraction_bits;
  long double whole = std::fabs(ToWhole(std::ldexp(value, -unit), mode));
  if (whole == std::ldexp(1.0L, format.precision)) {
    whole /= 2;
    ++exponent;
  }
  if (exponent > format.max_exponent) return beyond;
  const auto significand = static_cast<uint64_t>(whole);
  if (significand < uint64_t{1} << fraction_bits) return sign | significand;
  const auto field = static_cast<uint64_t>(exponent - format.min_exponent + 1);
  return sign | field << fraction_bits |
         (significand - (uint64_t{1} << fraction_bits));
}

namespace {

bool IsUnsigned(DType dtype) {
  return dtype == DType::kUint8 || dtype == DType::kUint16 ||
         dtype == DType::kUint32 || dtype == DType::kUint64;
}

}  // namespace

int64_t DecodeInteger(uint64_t bits, DType dtype) {
  const int width = BitsOfType(dtype);
  if (width == 64) return static_cast<int64_t>(bits);
  const auto low = static_cast<int64_t>(bits & ((uint64_t{1} << width) - 1));
  if (IsUnsigned(dtype)) return low;
  const int64_t half = int64_t{1} << (width - 1);
  return low >= half ? low - 2 * half : low;
}

uint64_t EncodeInteger(__int128 value, DType dtype, bool clamp) {
  const int width = BitsOfType(dtype);
  const __int128 one = 1;
  const __int128 lowest = IsUnsigned(dtype) ? 0 : -(one << (width - 1));
  const __int128 highest =
      IsUnsigned(dtype) ? (one << width) - 1 : (one << (width - 1)) - 1;
  if (clamp && value < lowest) value = lowest;
  if (clamp && value > highest) value = highest;
  const auto bits = static_cast<uint64_t>(value);
  return width == 64 ? bits : bits & ((uint64_t{1} << width) - 1);
}

}  // namespace belay::npu::naive
