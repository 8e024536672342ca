// SPDX-License-Identifier: Apache-2.0
#include "torch_matmul.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <algorithm>
#include <chrono>

namespace belay::benchmarks {

double TorchMatmulSeconds(int64_t side, int rounds) {
  at::set_num_threads(1);
  const at::Tensor a = at::randn({side, side});
  const at::Tensor b = at::randn({side, side});
  double best = 1e300;
  for (int round = 0; round <= rounds; ++round) {
    const auto begin = std::chrono::steady_clock::now();
    const at::Tensor c = at::matmul(a, b);
    const std::chrono::duration<double> time =
        std::chrono::steady_clock::now() - begin;
    // The first one warms caches up.
    if (round > 0) best = std::min(best, time.count());
  }
  return best;
}

}  // namespace belay::benchmarks
