// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TESTS_NPU_VECTOR_NAIVE_MODEL_H_
#define BELAY_TESTS_NPU_VECTOR_NAIVE_MODEL_H_

// What vector instructions do, lane by lane, as plainly as it can be written:
// the model the fast implementation is held against. It shares no code with
// it, neither for lanes and strides nor for arithmetic.

#include "npu/vector_state.h"

namespace belay::npu::naive {

// Executes one vector instruction on the memory its record points to.
void Execute(const abi::Instruction& instruction, VectorState& state);

// The lanes of one full repeat.
uint32_t LanesOfRepeat(const abi::Instruction& instruction);

// What one lane computes, from bits to bits: for Unary, Binary and Scalar.
// `b` is src1's element, the scalar, or for Axpy the old destination.
uint64_t ComputeLane(const abi::Instruction& instruction, uint64_t a,
                     uint64_t b, const VectorState& state);

uint64_t CastLane(const abi::Instruction& instruction, uint64_t a,
                  const VectorState& state);

bool CompareLane(const abi::Instruction& instruction, uint64_t a, uint64_t b);

// The table instructions: bits of the chip's estimate of 1/x and 1/sqrt(x).
uint64_t EstimateReciprocal(uint64_t bits, abi::DType dtype, bool saturate);
uint64_t EstimateRsqrt(uint64_t bits, abi::DType dtype, bool saturate);

}  // namespace belay::npu::naive

#endif  // BELAY_TESTS_NPU_VECTOR_NAIVE_MODEL_H_
