// SPDX-License-Identifier: Apache-2.0
#include "crux/interpret/numbers.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "base/error.h"

namespace belay::crux::interpret {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Format {
  int precision;          // bits of the significand, with the leading one
  int smallest_exponent;  // of normal numbers
  double largest;
};

Format FormatOf(DType dtype) {
  switch (dtype) {
    case DType::kHalf:
      return {11, -14, 65504.0};
    case DType::kBfloat16:
      return {8, -126, 0x1.fep127};
    case DType::kFloat:
      return {24, -126, 0x1.fffffep127};
    case DType::kDouble:
      return {53, -1022, std::numeric_limits<double>::max()};
    default:
      throw InternalError("[numbers] not a floating dtype");
  }
}

// Of a finite number that is not zero; subnormal doubles count as the smallest
// normal one, which lies below every dtype's own but f64's.
int ExponentOf(double value) {
  const uint64_t bits = std::bit_cast<uint64_t>(value);
  const int stored = static_cast<int>((bits >> 52) & 0x7ff);
  return stored == 0 ? -1022 : stored - 1023;
}

// Of an exponent that is normal in double.
double PowerOfTwo(int exponent) {
  return std::bit_cast<double>(static_cast<uint64_t>(exponent + 1023) << 52);
}

double RoundWhole(double value, Round mode) {
  switch (mode) {
    case Round::kNone:
    case Round::kRint:
      return std::nearbyint(value);
    case Round::kFloor:
      return std::floor(value);
    case Round::kCeil:
      return std::ceil(value);
    case Round::kRound:
      return std::round(value);
    case Round::kTrunc:
      return std::trunc(value);
    case Round::kOdd: {
      const double low = std::floor(value);
      if (low == value) return value;
      return std::fmod(low, 2.0) == 0 ? low + 1 : low;
    }
  }
  return value;
}

}  // namespace

double RoundTo(DType dtype, double value, Round mode) {
  if (dtype == DType::kDouble) return value;
  if (dtype == DType::kFloat && mode == Round::kRint) {
    return static_cast<double>(static_cast<float>(value));
  }
  if (value == 0 || !std::isfinite(value)) return value;
  const Format format = FormatOf(dtype);
  const int exponent = std::max(ExponentOf(value), format.smallest_exponent);
  const int unit = exponent - (format.precision - 1);
  // Both factors are normal: units lie far from a double's limits.
  const double result =
      RoundWhole(value * PowerOfTwo(-unit), mode) * PowerOfTwo(unit);
  if (std::fabs(result) > format.largest) {
    return std::copysign(kInfinity, value);
  }
  return std::copysign(result, value);
}

double UnitOf(DType dtype, double value) {
  const Format format = FormatOf(dtype);
  if (std::isinf(value)) return kInfinity;
  if (std::isnan(value)) return 0;
  const int exponent =
      value == 0 ? format.smallest_exponent
                 : std::max(ExponentOf(value), format.smallest_exponent);
  const int unit = exponent - (format.precision - 1);
  return unit < -1022 ? std::ldexp(1.0, unit) : PowerOfTwo(unit);
}

int64_t WrapTo(DType dtype, uint64_t bits) {
  switch (dtype) {
    case DType::kBool:
      return bits != 0;
    case DType::kInt4:
      return static_cast<int64_t>(((bits & 0xf) ^ 8)) - 8;
    case DType::kInt8:
      return static_cast<int8_t>(bits);
    case DType::kUint8:
      return static_cast<uint8_t>(bits);
    case DType::kInt16:
      return static_cast<int16_t>(bits);
    case DType::kUint16:
      return static_cast<uint16_t>(bits);
    case DType::kInt32:
      return static_cast<int32_t>(bits);
    case DType::kUint32:
      return static_cast<uint32_t>(bits);
    case DType::kInt64:
    case DType::kUint64:
      return static_cast<int64_t>(bits);
    default:
      throw InternalError("[numbers] not an integer dtype");
  }
}

int64_t SmallestWhole(DType dtype) {
  if (!IsSigned(dtype)) return 0;
  const int bits = BitsOf(dtype);
  return bits == 64 ? std::numeric_limits<int64_t>::min()
                    : -(int64_t{1} << (bits - 1));
}

int64_t LargestWhole(DType dtype) {
  if (dtype == DType::kBool) return 1;
  if (dtype == DType::kUint64) return -1;
  const int bits = BitsOf(dtype) - (IsSigned(dtype) ? 1 : 0);
  return bits == 63 ? std::numeric_limits<int64_t>::max()
                    : (int64_t{1} << bits) - 1;
}

double FromWhole(DType dtype, int64_t value) {
  if (dtype == DType::kUint64) {
    return static_cast<double>(static_cast<uint64_t>(value));
  }
  return static_cast<double>(value);
}

bool Fits(DType dtype, double value) {
  return value >= FromWhole(dtype, SmallestWhole(dtype)) &&
         value <= FromWhole(dtype, LargestWhole(dtype));
}

int64_t ToWhole(DType dtype, double value, Round mode) {
  if (dtype == DType::kBool) return value != 0;
  if (std::isnan(value)) return 0;
  const double whole = RoundWhole(value, mode);
  if (whole <= FromWhole(dtype, SmallestWhole(dtype))) {
    return SmallestWhole(dtype);
  }
  // The largest 64-bit values are no doubles: their conversions lie above.
  if (whole >= FromWhole(dtype, LargestWhole(dtype))) {
    return LargestWhole(dtype);
  }
  if (dtype == DType::kUint64) {
    return static_cast<int64_t>(static_cast<uint64_t>(whole));
  }
  return static_cast<int64_t>(whole);
}

}  // namespace belay::crux::interpret
