// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_RUNTIME_MATMUL_TILING_RULES_H_
#define BELAY_RUNTIME_MATMUL_TILING_RULES_H_

// Which splits of a matrix product are allowed, and what counts beside their
// modelled time.

#include <vector>

#include "runtime/matmul_tiling/model.h"

namespace belay::runtime {

// Cores along each dimension, and each core's share.
struct CoreGrid {
  Extent single;
  Extent cores;
};

// Passes of all cores over the shares.
double Rounds(const MatmulProblem& problem, const CoreGrid& grid);

// The part of GridCycles' weight that the grid alone decides; at least 1.
double ShareWeight(const MatmulProblem& problem, const CoreGrid& grid);

// 2 wherever base blocks of any K fit L0A and L0B twice, so that loads overlap
// with products.
int BuffersOfL0(const MatmulProblem& problem, const Extent& base);

// Shares that the request allows. No grid has more cores than there are,
// unless the caller fixed the share: then cores take several.
std::vector<CoreGrid> PossibleGrids(const MatmulProblem& problem);

// Whether the request and the documented relations allow the split; memory
// aside.
bool IsAllowed(const MatmulProblem& problem, const MatmulSplit& split);

// Time of all cores, with weights beside the model: unequal shares must be a
// third faster than equal ones, and of equal times blocks without a remainder
// win, and splits that leave A and B half of L1 each.
double GridCycles(const MatmulProblem& problem, const CoreGrid& grid,
                  const MatmulSplit& split,
                  const npu::ChipSpec::MatmulRates& rates);

}  // namespace belay::runtime

#endif  // BELAY_RUNTIME_MATMUL_TILING_RULES_H_
