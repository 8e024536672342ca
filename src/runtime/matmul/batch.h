// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_RUNTIME_MATMUL_BATCH_H_
#define BELAY_RUNTIME_MATMUL_BATCH_H_

// Where the matrices of a batch lie.

#include <cstdint>

#include "belay/matmul.h"

namespace belay::runtime::matmul {

// Matrix i starts `Offset(i)` elements behind the first; its rows are
// `row_length` elements apart, 0 for those of a single product.
struct BatchLayout {
  int64_t step = 0;  // from one matrix to the next
  int64_t row_length = 0;
  int64_t in_row = 0;    // matrices that lie side by side, 0 for all
  int64_t row_step = 0;  // from those to the next ones

  int64_t Offset(int64_t index) const {
    if (in_row == 0) return index * step;
    return index / in_row * row_step + index % in_row * step;
  }
};

// `stride` replaces the distance of matrices where it is not 0.
BatchLayout LeftLayout(const abi::MatmulState& state, uint32_t stride);
BatchLayout RightLayout(const abi::MatmulState& state, uint32_t stride);
BatchLayout ResultLayout(const abi::MatmulState& state);

// How many consecutive products are added up to one result.
int32_t ReducedBatches(const abi::MatmulState& state);

}  // namespace belay::runtime::matmul

#endif  // BELAY_RUNTIME_MATMUL_BATCH_H_
