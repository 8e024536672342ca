// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_BENCH_TENSOR_EDIT_H_
#define BELAY_BENCH_TENSOR_EDIT_H_

// Changes to whole tensors, whatever their dtype. Complex tensors count as
// twice as many reals.

#include <cmath>
#include <cstring>

#include "bench/element.h"
#include "bench/inputs.h"

namespace belay::bench {

// The dtype of what LoadReal and LoadInteger see.
inline DType PartOf(DType dtype) {
  return dtype == DType::kComplex64 ? DType::kFloat : dtype;
}

inline int64_t CountOf(const Array& array) {
  return static_cast<int64_t>(array.data.size() / BytesOf(PartOf(array.dtype)));
}

// Element `i` as a double; integers beyond 2^53 are rounded.
inline double NumberAt(const Array& array, int64_t i) {
  const DType part = PartOf(array.dtype);
  const std::byte* from = array.data.data() + i * BytesOf(part);
  return IsReal(part) ? LoadReal(part, from)
                      : static_cast<double>(LoadInteger(part, from));
}

// Integers are rounded to nearest and clamped to 64 bits, NaN becomes 0.
inline void PutNumber(Array& array, int64_t i, double value) {
  const DType part = PartOf(array.dtype);
  std::byte* to = array.data.data() + i * BytesOf(part);
  if (IsReal(part)) return StoreReal(part, value, to);
  int64_t whole = 0;
  if (std::abs(value) < 0x1p63) {
    whole = std::llround(value);
  } else if (!std::isnan(value)) {
    whole = value < 0 ? INT64_MIN : INT64_MAX;
  }
  StoreInteger(part, whole, to);
}

// Elements from `first` on become `value`.
inline void Fill(Array& array, double value, int64_t first) {
  const int64_t count = CountOf(array);
  for (int64_t i = first; i < count; ++i) PutNumber(array, i, value);
}

// Every element becomes change(element).
template <typename Change>
void Transform(Array& array, const Change& change) {
  const int64_t count = CountOf(array);
  for (int64_t i = 0; i < count; ++i) {
    PutNumber(array, i, change(NumberAt(array, i)));
  }
}

inline bool SameBytes(const Argument& left, const Argument& right) {
  if (left.tensors.size() != right.tensors.size()) return false;
  for (size_t i = 0; i < left.tensors.size(); ++i) {
    if (left.tensors[i].data != right.tensors[i].data) return false;
  }
  return true;
}

}  // namespace belay::bench

#endif  // BELAY_BENCH_TENSOR_EDIT_H_
