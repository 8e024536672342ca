// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_BENCHMARKS_TORCH_OPERATORS_H_
#define BELAY_BENCHMARKS_TORCH_OPERATORS_H_

// libtorch's CPU operators on one thread, over memory of the caller.

#include <cstdint>
#include <string>

namespace belay::benchmarks {

// The instruction set libtorch chose: "AVX2", …
std::string TorchCapability();

void TorchAdd(float* dst, const float* a, const float* b, int64_t n);
void TorchExp(float* dst, const float* a, int64_t n);
float TorchSum(const float* a, int64_t n);

}  // namespace belay::benchmarks

#endif  // BELAY_BENCHMARKS_TORCH_OPERATORS_H_
