// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_NPU_VECTOR_FLAT_RUNNER_H_
#define BELAY_NPU_VECTOR_FLAT_RUNNER_H_

// Runs a flat function over the lanes of strided operands.

#include "npu/lanes.h"
#include "npu/vector/flat.h"

namespace belay::npu {

struct FlatOperands {
  const abi::Operand* dst;
  const abi::Operand* a;
  const abi::Operand* b = nullptr;  // null if there is none
  bool reads_dst = false;  // the function reads dst[i] before it writes it
};

// Throws InternalError if `function` is null: types that were not checked.
void RunFlat(FlatFunction function, const FlatOperands& operands,
             uint64_t scalar, const Lanes& lanes);

}  // namespace belay::npu

#endif  // BELAY_NPU_VECTOR_FLAT_RUNNER_H_
