// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_BENCHMARKS_TORCH_OPERATORS_H_
#define BELAY_BENCHMARKS_TORCH_OPERATORS_H_

// libtorch's CPU operators on one thread, over memory of the caller.

#include <cstdint>
#include <string>

namespace belay::benchmarks {

// The instruction set libtorch chose: "AVX2", …
std::string TorchCapability();

// What an instruction of this name computes, by libtorch, over n floats; dst
// has room for n floats and may get something narrower.
using TorchOperator = void (*)(float* dst, const float* a, const float* b,
                               int64_t n);
TorchOperator FindTorchOperator(const std::string& instruction);

}  // namespace belay::benchmarks

#endif  // BELAY_BENCHMARKS_TORCH_OPERATORS_H_
