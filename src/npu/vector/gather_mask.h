// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_NPU_VECTOR_GATHER_MASK_H_
#define BELAY_NPU_VECTOR_GATHER_MASK_H_

// Which elements a GatherMask keeps.

#include "npu/lanes.h"

namespace belay::npu {

// Bit i is set if lane first + i of a repeat is kept, for the `count` lanes of
// one 32-byte block; `first` is a multiple of the lanes in a block. Reads the
// bits of src1 unless a built-in pattern is asked for.
uint32_t KeptLanes(const abi::Instruction& gather_mask, uint32_t repeat,
                   uint32_t first, uint32_t count);

// How many elements are kept in all.
uint64_t CountKept(const abi::Instruction& gather_mask, const Lanes& lanes);

}  // namespace belay::npu

#endif  // BELAY_NPU_VECTOR_GATHER_MASK_H_
