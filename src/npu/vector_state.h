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

  // CTRL[48]. Saturating, half and bfloat16 results clamp infinity to the
  // largest finite value and turn NaN to 0, and integer sums and products
  // clamp; otherwise they are IEEE's, and integers wrap. float is never
  // affected, conversion to integers always clamps. The page of SetCtrlSpr
  // gives the bit's reset value as "saturating", but the pages of boundary
  // values and of the reductions give the other as what kernels see unless
  // they ask, so that is the default.
  bool saturate = false;

  // The CTRL register as a whole; bit 48 set means not saturating.
  uint64_t control = uint64_t{1} << 48;
  void SetControl(uint64_t value) {
    control = value;
    saturate = (value >> 48 & 1) == 0;
  }

  // What DataCopyPad pads with when it brings no value of its own, and whether
  // anybody set it.
  uint64_t pad_value = 0;
  bool pad_value_set = false;

  // What a Cast from int32 to half multiplies by: the value of a half.
  float deq_scale = 1.0f;

  // The 64-bit register behind CastDequant: scale (bits 0 to 31), offset (37 to
  // 45) and sign (46), or the address of 16 such words in UB.
  uint64_t dequant = 0;

  // How many elements the last GatherMask kept.
  uint64_t gathered = 0;
  // How many pairs the last MrgSort took from each list.
  uint16_t merged[4] = {0, 0, 0, 0};

  // What the last ReduceSum by count left: bits of one element.
  uint32_t reduced_sum = 0;
  // What the last WholeReduceMax/Min, ReduceMax/Min left, over all repeats.
  uint32_t reduced_value = 0;
  uint32_t reduced_index = 0;

  void ResetMask() {
    mask[0] = mask[1] = ~uint64_t{0};
    counter_mode = false;
  }
};

}  // namespace belay::npu

#endif  // BELAY_NPU_VECTOR_STATE_H_
