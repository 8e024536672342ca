// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TESTS_CRUX_TORCH_CONVERT_H_
#define BELAY_TESTS_CRUX_TORCH_CONVERT_H_

// Between Real and libtorch's tensors; for the few files that see libtorch.

#include <ATen/ATen.h>

#include <optional>

#include "torch_reference.h"

namespace belay::testing {

// float64; libtorch is held to one thread.
at::Tensor ToTorch(const Real& real);
c10::optional<at::Tensor> ToTorch(const std::optional<Real>& real);

// Integers and bool become numbers.
Real FromTorch(const at::Tensor& tensor);

}  // namespace belay::testing

#endif  // BELAY_TESTS_CRUX_TORCH_CONVERT_H_
