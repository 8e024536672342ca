// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_BENCH_TORCH_RESOLVER_H_
#define BELAY_BENCH_TORCH_RESOLVER_H_

// Names a reference.py may use beyond its own functions: torch with its
// dtypes, torch.special, torch.linalg, torch.ops.aten, torch.nn.functional
// (also as F), math.

#include <torch/csrc/jit/frontend/resolver.h>

#include <memory>

namespace belay::bench {

std::shared_ptr<torch::jit::Resolver> MakeResolver();

}  // namespace belay::bench

#endif  // BELAY_BENCH_TORCH_RESOLVER_H_
