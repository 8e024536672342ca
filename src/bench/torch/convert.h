// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_BENCH_TORCH_CONVERT_H_
#define BELAY_BENCH_TORCH_CONVERT_H_

// Belay's arrays as libtorch tensors and back.

#include <ATen/core/Tensor.h>

#include <optional>

#include "base/npy.h"

namespace belay::bench {

// How a function sees the numbers: reference(), prepare(), scale() and check()
// as f64, complex128, i64 and bool; eager() as f32 (f64 for f64), complex64,
// the integer type itself or the next that holds it, and bool.
enum class View { kExact, kEager };

// A copy.
at::Tensor ToTensor(const Array& array, View view);

// f64, f64 pairs for complex (a last axis of 2), i64 or bool. Nothing if the
// tensor is not of the kind `declared` is: real, complex, integer or bool.
std::optional<Array> ToGolden(const at::Tensor& tensor, DType declared);

}  // namespace belay::bench

#endif  // BELAY_BENCH_TORCH_CONVERT_H_
