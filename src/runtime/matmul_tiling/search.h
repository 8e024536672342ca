// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_RUNTIME_MATMUL_TILING_SEARCH_H_
#define BELAY_RUNTIME_MATMUL_TILING_SEARCH_H_

// Finds the split of a matrix product that the model says is the fastest.

#include <optional>

#include "runtime/matmul_tiling/rules.h"

namespace belay::runtime {

struct FoundSplit {
  CoreGrid grid;
  MatmulSplit split;
  double cycles = 0;
};

// Nothing when no split fits.
std::optional<FoundSplit> FindSplit(const MatmulProblem& problem,
                                    const npu::ChipSpec::MatmulRates& rates);

}  // namespace belay::runtime

#endif  // BELAY_RUNTIME_MATMUL_TILING_SEARCH_H_
