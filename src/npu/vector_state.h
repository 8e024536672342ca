// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_NPU_VECTOR_STATE_H_
#define BELAY_NPU_VECTOR_STATE_H_

// The registers of one core that vector instructions read and write.

#include <cstdint>

#include "belay/instruction.h"

namespace belay::npu {

struct VectorState {
  // Normal mode: one bit per lane of a repeat. Counter mode: mask[0] is the
  // number of elements.
  uint64_t mask[2] = {~uint64_t{0}, ~uint64_t{0}};
  bool counter_mode = false;

  uint64_t compare_mask[2] = {0, 0};

  // What moves to global memory do with the bytes already there.
  abi::Atomic atomic = abi::Atomic::kNone;
  abi::DType atomic_dtype = abi::DType::kNone;

  // Low-precision Rsqrt and Reciprocal as on the chip, or exact ones.
  bool exact_reciprocal = false;

  // CTRL[48] = 0: overflow of a float result or a Cast clamps.
  bool saturate = true;

  void ResetMask() {
    mask[0] = mask[1] = ~uint64_t{0};
    counter_mode = false;
  }
};

}  // namespace belay::npu

#endif  // BELAY_NPU_VECTOR_STATE_H_
