// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_BENCH_EAGER_OPERATOR_H_
#define BELAY_BENCH_EAGER_OPERATOR_H_

// What one operator of eager() would have to move and compute on a card.

#include <cstdint>
#include <string>

#include "base/dtype.h"

namespace belay::bench {

// An ATen operator that is a kernel of its own. Tensors count with the dtypes
// the case declares, whatever libtorch computes in here.
struct EagerOperator {
  std::string name;  // "aten::native_layer_norm"
  uint64_t bytes_read = 0;
  uint64_t bytes_written = 0;
  uint64_t vector_bytes = 0;  // of its largest operand or result
  uint64_t cube_flops = 0;    // of products of matrices, two for each product
  DType cube_dtype = DType::kNone;  // of their operands
};

}  // namespace belay::bench

#endif  // BELAY_BENCH_EAGER_OPERATOR_H_
