// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TESTS_NPU_VECTOR_NAIVE_MODEL_MORE_H_
#define BELAY_TESTS_NPU_VECTOR_NAIVE_MODEL_MORE_H_

// The naive model of fused arithmetic, dequantisation, index vectors, Copy,
// gathering of blocks and by mask, sorting and transposition.

#include "npu/vector_state.h"

namespace belay::npu::naive {

bool IsMore(abi::Op op);

// One of those instructions, on the memory its record points to.
void ExecuteMore(const abi::Instruction& instruction, VectorState& state);

}  // namespace belay::npu::naive

#endif  // BELAY_TESTS_NPU_VECTOR_NAIVE_MODEL_MORE_H_
