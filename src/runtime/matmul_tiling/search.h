// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_RUNTIME_MATMUL_TILING_SEARCH_H_
#define BELAY_RUNTIME_MATMUL_TILING_SEARCH_H_

// Finds the split of a matrix product that the model says is the fastest.

#include <optional>
#include <vector>

#include "runtime/matmul_tiling/model.h"

namespace belay::runtime {

// Cores along each dimension, and each core's share.
struct CoreGrid {
  Extent single;
  Extent cores;
};

struct FoundSplit {
  CoreGrid grid;
  MatmulSplit split;
  double cycles = 0;
};

// Shares that the request allows. No grid has more cores than there are,
// unless the caller fixed the share: then cores take several.
std::vector<CoreGrid> PossibleGrids(const MatmulProblem& problem);

// Whether the request and the documented relations allow the split; memory
// aside.
bool IsAllowed(const MatmulProblem& problem, const MatmulSplit& split);

// Time of all cores, with weights beside the model: unequal shares must be a
// third faster than equal ones, and of equal times blocks without a remainder
// win.
double GridCycles(const MatmulProblem& problem, const CoreGrid& grid,
                  const MatmulSplit& split,
                  const npu::ChipSpec::MatmulRates& rates);

// Nothing when no split fits.
std::optional<FoundSplit> FindSplit(const MatmulProblem& problem,
                                    const npu::ChipSpec::MatmulRates& rates);

}  // namespace belay::runtime

#endif  // BELAY_RUNTIME_MATMUL_TILING_SEARCH_H_
