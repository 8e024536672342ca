// SPDX-License-Identifier: Apache-2.0
#include "bench/draw_regime.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/dtype.h"

namespace belay::bench {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Limits {
  double largest;
  double smallest_normal;
  double smallest;
  double wide;  // exponents of the regime "wide"
};

Limits LimitsOf(DType dtype) {
  switch (dtype) {
    case DType::kHalf:
      return {65504, 0x1p-14, 0x1p-24, 7};
    case DType::kBfloat16:
      return {0x1.fep127, 0x1p-126, 0x1p-133, 24};
    case DType::kDouble:
      return {std::numeric_limits<double>::max(), 0x1p-1022, 0x1p-1074, 60};
    default:
      return {std::numeric_limits<float>::max(), 0x1p-126, 0x1p-149, 24};
  }
}

}  // namespace

RealRegime::RealRegime(Regime regime, const Values& values, DType dtype,
                       const Shape& shape, uint64_t seed, bool alone)
    : regime_(regime),
      values_(values),
      dtype_(dtype),
      random_(seed),
      row_(shape.empty() ? 1 : std::max<int64_t>(1, shape.back())),
      many_rows_(shape.size() > 1 && shape.front() > 1),
      wide_(values.wide > 0 ? values.wide : LimitsOf(dtype).wide),
      alone_(alone),
      specials_(random_.Next()) {}

double RealRegime::DrawMagnitude(int64_t at) {
  const bool unit =
      values_.kind == ValueKind::kUnit || values_.kind == ValueKind::kFraction;
  switch (regime_) {
    case Regime::kNormal:
    case Regime::kSpecial:
      return unit ? random_.Uniform(-1, 1) : random_.Normal();
    case Regime::kWide: {
      const double exponent = random_.Uniform(-wide_, unit ? 0 : wide_);
      const double whole = std::floor(exponent);
      const double magnitude =
          std::ldexp(1 + (exponent - whole), static_cast<int>(whole));
      return (random_.Next() & 1) != 0 ? magnitude : -magnitude;
    }
    case Regime::kSmall:
      return random_.Normal() * 0x1p-10;
    case Regime::kCancellation: {
      // Neighbours of the last axis nearly cancel.
      const double scale = unit ? 0.25 : 16;
      if (at % row_ % 2 == 0) return before_ = random_.Normal() * scale;
      return -before_ + random_.Normal() * scale * 0x1p-6;
    }
    case Regime::kTies: {
      static constexpr double kFew[] = {-1, -0.5, 0, 0.25, 0.5, 1, -0.25};
      return kFew[random_.Next() % std::size(kFew)] * (unit ? 1 : 2);
    }
  }
  return 0;
}

// Brings a drawn number into the range of the kind.
double RealRegime::Restrict(double value) {
  switch (values_.kind) {
    case ValueKind::kPositive:
      return value == 0 ? 0x1p-8 * values_.magnitude : std::abs(value);
    case ValueKind::kNonNegative:
      return std::abs(value);
    case ValueKind::kNonZero: {
      const double least =
          (regime_ == Regime::kSmall ? 0x1p-14 : 0x1p-4) * values_.magnitude;
      if (regime_ == Regime::kWide || std::abs(value) >= least) return value;
      return std::copysign(std::abs(value) + least, value);
    }
    case ValueKind::kUnit:
      return std::clamp(value, -1.0, 1.0);
    case ValueKind::kFraction:
      return std::min(std::abs(value), 1 - 0x1p-7);
    default:
      return value;
  }
}

double RealRegime::Special() {
  Limits limits = LimitsOf(dtype_);
  if (!alone_) {
    // Products and quotients of three such numbers stay finite and normal.
    limits.largest = std::sqrt(std::sqrt(limits.largest));
    limits.smallest_normal = std::sqrt(std::sqrt(limits.smallest_normal));
  }
  const double any[] = {kNan,
                        kInfinity,
                        -kInfinity,
                        -0.0,
                        limits.largest,
                        -limits.largest,
                        limits.smallest_normal,
                        -limits.smallest,
                        0.0,
                        1.0,
                        -1.0};
  const double positive[] = {
      kNan, kInfinity, limits.largest, limits.smallest_normal, limits.smallest,
      1.0};
  const double nonnegative[] = {
      kNan, kInfinity,      limits.largest, limits.smallest_normal,
      0.0,  limits.smallest};
  const double nonzero[] = {kNan,       kInfinity, -limits.largest,
                            -kInfinity, 1.0,       -limits.smallest_normal};
  const double unit[] = {kNan, 1.0, -1.0, -0.0, 0.0, -limits.smallest};
  const double fraction[] = {kNan, 0.0, limits.smallest,
                             limits.smallest_normal};
  const auto pick = [this](const auto& list) {
    return list[specials_++ % std::size(list)];
  };
  switch (values_.kind) {
    case ValueKind::kPositive:
      return pick(positive);
    case ValueKind::kNonNegative:
      return pick(nonnegative);
    case ValueKind::kNonZero:
      return pick(nonzero);
    case ValueKind::kUnit:
      return pick(unit);
    case ValueKind::kFraction:
      return pick(fraction);
    default:
      return pick(any);
  }
}

// One element in eight of every second row, so that clean rows remain.
bool RealRegime::IsSpecialPlace(int64_t at) {
  if (regime_ != Regime::kSpecial || !values_.special) return false;
  const bool here = random_.Next() % 8 == 0;
  return here && (!many_rows_ || at / row_ % 2 == 0);
}

double RealRegime::Draw(int64_t at) {
  if (IsSpecialPlace(at)) return Special();
  return Restrict(DrawMagnitude(at) * values_.magnitude);
}

IntegerRegime::IntegerRegime(Regime regime, const Values& values, DType dtype,
                             uint64_t seed)
    : regime_(regime), values_(values), dtype_(dtype), random_(seed) {
  const int bits = dtype == DType::kBool ? 1 : BitsOf(dtype);
  if (IsSigned(dtype)) {
    least_ = std::numeric_limits<int64_t>::min() >> (64 - bits);
    most_ = std::numeric_limits<int64_t>::max() >> (64 - bits);
  } else {
    least_ = 0;
    most_ = bits == 64 ? std::numeric_limits<int64_t>::max()
                       : (int64_t{1} << bits) - 1;
  }
}

int64_t IntegerRegime::DrawAny() {
  switch (regime_) {
    case Regime::kNormal:
      return random_.Integer(std::max<int64_t>(least_, -100),
                             std::min<int64_t>(most_, 100));
    case Regime::kWide:
      return random_.Integer(least_, most_);
    case Regime::kSmall:
      return random_.Integer(std::max<int64_t>(least_, -2),
                             std::min<int64_t>(most_, 2));
    case Regime::kTies:
      return random_.Integer(std::max<int64_t>(least_, -1),
                             std::min<int64_t>(most_, 1));
    case Regime::kCancellation: {
      // Numbers that differ by a few units where f32 cannot tell them apart.
      const int64_t centre =
          most_ > (int64_t{1} << 30) ? (int64_t{1} << 24) : most_ / 2;
      const int64_t near =
          std::min(most_, centre + random_.Integer(0, most_ > 100 ? 8 : 0));
      return least_ < 0 && (random_.Next() & 1) != 0 ? -near : near;
    }
    case Regime::kSpecial: {
      if (random_.Next() % 4 != 0) {
        return random_.Integer(std::max<int64_t>(least_, -100),
                               std::min<int64_t>(most_, 100));
      }
      const int64_t picks[] = {
          least_, most_, 0, 1, least_ + 1, most_ - 1, least_ < 0 ? -1 : most_};
      return picks[random_.Next() % std::size(picks)];
    }
  }
  return 0;
}

int64_t IntegerRegime::Draw() {
  const int64_t value = DrawAny();
  switch (values_.kind) {
    case ValueKind::kPositive:
      return value == least_ ? most_ : std::max<int64_t>(1, std::abs(value));
    case ValueKind::kNonNegative:
    case ValueKind::kFraction:
      return value == least_ && least_ < 0 ? most_ : std::abs(value);
    case ValueKind::kNonZero:
      return value == 0 ? 1 : value;
    case ValueKind::kUnit:
      return std::clamp<int64_t>(value, least_ < 0 ? -1 : 0, 1);
    default:
      return value;
  }
}

}  // namespace belay::bench
