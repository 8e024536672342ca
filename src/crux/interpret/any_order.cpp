// SPDX-License-Identifier: Apache-2.0
#include "crux/interpret/any_order.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "crux/interpret/elementwise.h"

namespace belay::crux::interpret {
namespace {

double LargestOf(DType wide) {
  switch (wide) {
    case DType::kDouble:
      return std::numeric_limits<double>::max();
    case DType::kHalf:
      return 65504;
    case DType::kBfloat16:
      return 0x1.fep127;
    default:
      return static_cast<double>(std::numeric_limits<float>::max());
  }
}

double SmallestNormalOf(DType wide) {
  return wide == DType::kDouble
             ? std::numeric_limits<double>::min()
             : static_cast<double>(std::numeric_limits<float>::min());
}

// Roundings on the way of so many numbers to one.
double StepsOf(size_t count) {
  return count < 2 ? 0 : static_cast<double>(count - 1);
}

}  // namespace

DType AccumulatorOf(DType dtype) {
  return dtype == DType::kDouble ? DType::kDouble : DType::kFloat;
}

void AnyOrderSum::Take(double term, double error) {
  ++terms_;
  errors_ += error;
  if (std::isnan(term)) {
    nan_ = true;
  } else if (std::isinf(term)) {
    infinite_ = true;
  } else {
    magnitudes_ += std::fabs(term);
  }
}

double AnyOrderSum::Bound(DType wide, double result) const {
  if (!std::isfinite(errors_)) return kUnbounded;
  if (nan_) return 0;
  const double reach = (magnitudes_ + errors_) * kSlack;
  const double steps = StepsOf(terms_);
  if (steps > 0 && !(reach < LargestOf(wide))) return kUnbounded;
  // Infinities of both signs may have met.
  if (infinite_) return std::isinf(result) ? 0 : kUnbounded;
  return Settled((errors_ + steps * UnitOf(wide, 1.0) * reach) * kSlack);
}

void AnyOrderProduct::Take(double factor, double error) {
  ++factors_;
  if (std::isinf(error)) reached_ = kUnbounded;
  const double size = std::fabs(factor);
  if (std::isnan(factor)) {
    nan_ = true;
  } else if (std::isinf(factor)) {
    infinite_ = true;
  } else {
    size_ *= size;
    reached_ *= size + error;
    largest_ *= std::max(1.0, size + error);
    if (size > 0) smallest_ *= std::min(1.0, size);
  }
}

double AnyOrderProduct::Bound(DType wide, double result) const {
  if (std::isnan(reached_) || std::isinf(reached_)) return kUnbounded;
  if (nan_) return 0;
  const double steps = StepsOf(factors_);
  const bool vanishes = smallest_ < SmallestNormalOf(wide);
  if (infinite_) {
    return vanishes || !std::isinf(result) ? kUnbounded : 0;
  }
  if (steps > 0 && !(largest_ * kSlack < LargestOf(wide))) return kUnbounded;
  const double spread = reached_ - size_;
  // What is lost below the normal numbers may be multiplied again.
  const double lost = vanishes ? steps * UnitOf(wide, 0.0) * largest_ : 0;
  return Settled((spread + steps * UnitOf(wide, 1.0) * reached_ + lost) *
                 kSlack);
}

}  // namespace belay::crux::interpret
