// SPDX-License-Identifier: Apache-2.0
#include "guest/operator_compare.h"

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include "base/float16.h"

namespace belay::guest {
namespace {

template <typename T>
long double Load(const std::byte* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, Bfloat16>) {
    return ToFloat(value);
  } else {
    return static_cast<long double>(value);
  }
}

// Real numbers of an array: a complex element counts as two.
class Numbers {
 public:
  explicit Numbers(const Array& array) : data_(array.data.data()) {
    UseType(array.dtype);
  }

  bool known() const { return load_ != nullptr; }
  long double operator[](size_t index) const {
    return load_(data_ + index * bytes_);
  }

 private:
  void UseType(DType dtype) {
    switch (dtype) {
      case DType::kBool:
      case DType::kUint8:
        return Use<uint8_t>();
      case DType::kInt8:
        return Use<int8_t>();
      case DType::kInt16:
        return Use<int16_t>();
      case DType::kUint16:
        return Use<uint16_t>();
      case DType::kHalf:
        return Use<Half>();
      case DType::kBfloat16:
        return Use<Bfloat16>();
      case DType::kInt32:
        return Use<int32_t>();
      case DType::kUint32:
        return Use<uint32_t>();
      case DType::kFloat:
      case DType::kComplex64:
        return Use<float>();
      case DType::kInt64:
        return Use<int64_t>();
      case DType::kUint64:
        return Use<uint64_t>();
      case DType::kDouble:
        return Use<double>();
      case DType::kNone:
      case DType::kInt4:
        return;
    }
  }

  template <typename T>
  void Use() {
    load_ = Load<T>;
    bytes_ = sizeof(T);
  }

  const std::byte* data_;
  long double (*load_)(const std::byte*) = nullptr;
  size_t bytes_ = 0;
};

Shape IndexOf(uint64_t element, const Shape& shape) {
  Shape index(shape.size());
  for (size_t d = shape.size(); d-- > 0;) {
    index[d] = static_cast<int64_t>(element) % shape[d];
    element /= static_cast<uint64_t>(shape[d]);
  }
  return index;
}

// How far two numbers are apart for the tolerance: 0 when they are the same,
// infinite when they cannot be near.
long double Distance(long double got, long double expected) {
  if (std::isnan(got) && std::isnan(expected)) return 0;
  if (std::isnan(got) || std::isnan(expected)) {
    return std::numeric_limits<long double>::infinity();
  }
  if (got == expected) return 0;
  return std::fabs(got - expected);
}

}  // namespace

Tolerance DefaultTolerance(DType dtype) {
  switch (dtype) {
    case DType::kHalf:
      return {1e-3, 1e-3};
    case DType::kBfloat16:
      return {1e-2, 1e-2};
    case DType::kFloat:
    case DType::kDouble:
    case DType::kComplex64:
      return {1e-4, 1e-4};
    default:
      return {0, 0};
  }
}

Comparison Compare(const Array& got, Array expected,
                   const Tolerance& tolerance) {
  Comparison result;
  if (got.dtype == DType::kBfloat16 && expected.dtype == DType::kUint16) {
    expected.dtype = DType::kBfloat16;
  }
  if (got.shape != expected.shape) {
    result.problem =
        fmt::format("its shape is ({}), expected was ({})",
                    belay::ToText(got.shape), belay::ToText(expected.shape));
    return result;
  }
  const bool complex = got.dtype == DType::kComplex64;
  const Numbers values(got);
  const Numbers wanted(expected);
  if (complex != (expected.dtype == DType::kComplex64) || !values.known() ||
      !wanted.known()) {
    result.problem = fmt::format("its type {} cannot be compared with {}",
                                 NameOf(got.dtype), NameOf(expected.dtype));
    return result;
  }
  result.elements = static_cast<uint64_t>(ElementCount(got.shape));
  const uint64_t parts = complex ? 2 : 1;
  long double worst_excess = 0;
  uint64_t last_differing = UINT64_MAX;
  for (uint64_t i = 0; i < result.elements * parts; ++i) {
    const long double value = values[i];
    const long double want = wanted[i];
    const long double distance = Distance(value, want);
    if (std::isfinite(value) && std::isfinite(want)) {
      result.largest_absolute =
          std::max(result.largest_absolute, static_cast<double>(distance));
      if (want != 0) {
        result.largest_relative =
            std::max(result.largest_relative,
                     static_cast<double>(distance / std::fabs(want)));
      }
    }
    long double allowed = tolerance.atol;
    if (std::isfinite(want)) allowed += tolerance.rtol * std::fabs(want);
    if (distance <= allowed) continue;
    const uint64_t element = i / parts;
    if (element != last_differing) ++result.differing;
    last_differing = element;
    if (std::isnan(value) != std::isnan(want)) ++result.nan_differing;
    const long double excess = distance - allowed;
    if (result.differing == 1 || excess > worst_excess) {
      worst_excess = excess;
      result.worst = IndexOf(element, got.shape);
      result.got = static_cast<double>(value);
      result.expected = static_cast<double>(want);
    }
  }
  return result;
}

std::string ToText(const Comparison& comparison, const Tolerance& tolerance) {
  if (!comparison.problem.empty()) return comparison.problem;
  const std::string rule =
      fmt::format("rtol {:g}, atol {:g}", tolerance.rtol, tolerance.atol);
  if (comparison.differing == 0) {
    return fmt::format("{} elements as expected ({}; largest error {:g})",
                       comparison.elements, rule, comparison.largest_absolute);
  }
  std::string text = fmt::format(
      "{} of {} elements differ ({}), the worst at [{}]: got {:.9g}, expected "
      "{:.9g}",
      comparison.differing, comparison.elements, rule,
      belay::ToText(comparison.worst), comparison.got, comparison.expected);
  if (comparison.nan_differing != 0) {
    text += fmt::format("; NaN on one side only in {} places",
                        comparison.nan_differing);
  }
  return text;
}

}  // namespace belay::guest
