// SPDX-License-Identifier: Apache-2.0
#include "bench/precision.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "bench/element.h"

namespace belay::bench {
namespace {

struct Format {
  int fraction_bits;
  int smallest_exponent;  // of the normal numbers
  double largest;
};

Format FormatOf(DType dtype) {
  switch (dtype) {
    case DType::kHalf:
      return {10, -14, 65504.0};
    case DType::kBfloat16:
      return {7, -126, 0x1.fep127};
    case DType::kFloat:
    case DType::kComplex64:
      return {23, -126, 0x1.fffffep127};
    case DType::kDouble:
      return {52, -1022, 0x1.fffffffffffffp1023};
    default:
      throw InternalError("the precision rule for a dtype that is not real");
  }
}

// The error of one element relative to what it may be measured against.
struct ElementError {
  bool misplaced = false;  // NaN or infinity on one side only
  double value = 0;
};

ElementError ErrorOf(const Format& format, double tolerance, double golden,
                     double modulus, double scale, double ulp,
                     double candidate) {
  if (std::isnan(golden)) return {!std::isnan(candidate), 0};
  if (std::isnan(candidate)) return {true, 0};
  const double magnitude = std::abs(golden);
  const bool near_overflow =
      std::isfinite(golden) &&
      magnitude > format.largest * (1 - 10 * tolerance) &&
      magnitude < format.largest * (1 + 10 * tolerance);
  if (std::isinf(candidate)) {
    const bool overflows =
        near_overflow || std::isinf(golden) || magnitude > format.largest;
    const bool right =
        overflows && std::signbit(golden) == std::signbit(candidate);
    return {!right, 0};
  }
  if (std::isinf(golden) || (magnitude > format.largest && !near_overflow)) {
    return {true, 0};
  }
  const double error = std::abs(candidate - golden);
  if (error <= ulp) return {};
  double against = std::max(modulus, std::ldexp(1.0, format.smallest_exponent));
  if (std::isfinite(scale)) against = std::max(against, 0x1p-8 * scale);
  return {false, error / against};
}

std::string ShowNumber(double value) { return fmt::format("{:.9g}", value); }

}  // namespace

double ToleranceOf(DType dtype) {
  switch (dtype) {
    case DType::kHalf:
      return 0x1p-10;
    case DType::kBfloat16:
      return 0x1p-7;
    case DType::kDouble:
      return 0x1p-42;
    default:
      return 0x1p-13;
  }
}

double UlpAt(DType dtype, double value) {
  const Format format = FormatOf(dtype);
  if (!std::isfinite(value)) return 0;
  int exponent = format.smallest_exponent;
  if (value != 0) exponent = std::max(exponent, std::ilogb(value));
  return std::ldexp(1.0, exponent - format.fraction_bits);
}

Measure MeasureReal(const Array& golden, const Array* scale,
                    const Array& candidate) {
  const bool complex = candidate.dtype == DType::kComplex64;
  const DType part = complex ? DType::kFloat : candidate.dtype;
  const Format format = FormatOf(part);
  const double tolerance = ToleranceOf(part);
  const size_t width = BytesOf(part);
  const auto count = static_cast<int64_t>(golden.data.size() / sizeof(double));
  const auto exact_at = [](const Array& array, int64_t i) {
    return LoadReal(DType::kDouble, array.data.data() + i * sizeof(double));
  };
  Measure measure;
  double sum = 0;
  bool misplaced = false;
  for (int64_t i = 0; i < count; ++i) {
    const double truth = exact_at(golden, i);
    const double actual = LoadReal(part, candidate.data.data() + i * width);
    // The parts of a complex number are measured against its modulus.
    const double modulus =
        complex ? std::hypot(truth, exact_at(golden, i ^ 1)) : std::abs(truth);
    const double largest_scale = scale == nullptr ? 0 : exact_at(*scale, i);
    const ElementError error =
        ErrorOf(format, tolerance, truth, modulus, largest_scale,
                UlpAt(part, truth), actual);
    if (error.misplaced) {
      ++measure.wrong;
      if (!misplaced) {
        misplaced = true;
        measure.worst = i;
        measure.complaint = fmt::format("element {} is {} and must be {}", i,
                                        ShowNumber(actual), ShowNumber(truth));
      }
      continue;
    }
    sum += error.value;
    measure.wrong += error.value >= 10 * tolerance;
    if (error.value > measure.largest) {
      measure.largest = error.value;
      if (!misplaced) measure.worst = i;
    }
  }
  if (count > 0) measure.mean = sum / static_cast<double>(count);
  if (measure.complaint.empty() && measure.largest >= 10 * tolerance) {
    const int64_t i = measure.worst;
    measure.complaint = fmt::format(
        "largest error {:.3g} is not below {:.3g} (10 t for {}): element {} is "
        "{} and must be {}",
        measure.largest, 10 * tolerance, NameOf(part), i,
        ShowNumber(LoadReal(part, candidate.data.data() + i * width)),
        ShowNumber(exact_at(golden, i)));
  }
  if (measure.complaint.empty() && measure.mean >= tolerance) {
    measure.complaint =
        fmt::format("mean error {:.3g} is not below {:.3g} (t for {})",
                    measure.mean, tolerance, NameOf(part));
  }
  measure.accepted = measure.complaint.empty();
  return measure;
}

Measure MeasureExact(const Array& rounded, const Array& candidate) {
  const DType part =
      rounded.dtype == DType::kComplex64 ? DType::kFloat : rounded.dtype;
  const size_t width = BytesOf(part);
  const auto count = static_cast<int64_t>(rounded.data.size() / width);
  Measure measure;
  for (int64_t i = 0; i < count; ++i) {
    const std::byte* truth = rounded.data.data() + i * width;
    const std::byte* actual = candidate.data.data() + i * width;
    if (std::memcmp(truth, actual, width) == 0) continue;
    if (IsReal(part) && std::isnan(LoadReal(part, truth)) &&
        std::isnan(LoadReal(part, actual))) {
      continue;
    }
    if (part == DType::kBool &&
        LoadInteger(part, truth) == LoadInteger(part, actual)) {
      continue;
    }
    if (measure.wrong++ > 0) continue;
    measure.worst = i;
    const auto show = [&](const std::byte* from) {
      return IsReal(part) ? ShowNumber(LoadReal(part, from))
                          : fmt::format("{}", LoadInteger(part, from));
    };
    measure.complaint = fmt::format("element {} is {} and must be {}", i,
                                    show(actual), show(truth));
  }
  measure.accepted = measure.wrong == 0;
  if (count > 0) {
    measure.mean =
        static_cast<double>(measure.wrong) / static_cast<double>(count);
  }
  return measure;
}

Measure MeasureQuantised(const Array& rounded, const Array& candidate) {
  const size_t width = BytesOf(rounded.dtype);
  const auto count = static_cast<int64_t>(rounded.data.size() / width);
  Measure measure;
  double sum = 0;
  for (int64_t i = 0; i < count; ++i) {
    const auto truth = static_cast<double>(
        LoadInteger(rounded.dtype, rounded.data.data() + i * width));
    const auto actual = static_cast<double>(
        LoadInteger(rounded.dtype, candidate.data.data() + i * width));
    const double steps = std::abs(truth - actual);
    sum += steps;
    if (steps > measure.largest) {
      measure.largest = steps;
      measure.worst = i;
    }
    if (steps <= 1) continue;
    if (measure.wrong++ == 0) {
      measure.complaint =
          fmt::format("element {} is {} and must be {}, at most one step off",
                      i, actual, truth);
    }
  }
  if (count > 0) measure.mean = sum / static_cast<double>(count);
  measure.accepted = measure.wrong == 0;
  return measure;
}

}  // namespace belay::bench
