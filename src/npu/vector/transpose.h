// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_NPU_VECTOR_TRANSPOSE_H_
#define BELAY_NPU_VECTOR_TRANSPOSE_H_

// The rows a TransDataTo5HD works on.

#include "npu/lanes.h"

namespace belay::npu {

inline constexpr uint32_t kTransposeRows = 16;

struct TransposeRows {
  uint64_t destinations[kTransposeRows];
  uint64_t sources[kTransposeRows];
};

// The rows of the first repeat, from the lists in the guest's memory. A single
// repeat starts one repeat stride behind the addresses given (page
// TransDataTo5HD).
TransposeRows ReadTransposeRows(const abi::Instruction& instruction);

}  // namespace belay::npu

#endif  // BELAY_NPU_VECTOR_TRANSPOSE_H_
