// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_NPU_VECTOR_DEQUANT_H_
#define BELAY_NPU_VECTOR_DEQUANT_H_

// Where CastDequant finds its parameters.

#include "belay/instruction.h"

namespace belay::npu {

// Words of parameters, one for each lane of a block, when they come from UB.
inline constexpr uint32_t kDequantWords = 16;

// True when VectorState::dequant is the address of kDequantWords words of
// parameters, false when it is one word for all lanes.
inline bool HasDequantTensor(const abi::Instruction& cast) {
  return cast.op == abi::Op::kCastDequant &&
         cast.src0.dtype == abi::DType::kInt16 && (cast.mode & 2) != 0;
}

}  // namespace belay::npu

#endif  // BELAY_NPU_VECTOR_DEQUANT_H_
