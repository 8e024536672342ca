// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_BENCHMARKS_TORCH_MATMUL_H_
#define BELAY_BENCHMARKS_TORCH_MATMUL_H_

// libtorch's own matrix product on this machine, to measure against. Apart,
// because its headers are slow to compile.

#include <cstdint>

namespace belay::benchmarks {

// Seconds of one product of two side × side matrices of float, on one thread:
// the best of `rounds`.
double TorchMatmulSeconds(int64_t side, int rounds);

}  // namespace belay::benchmarks

#endif  // BELAY_BENCHMARKS_TORCH_MATMUL_H_
