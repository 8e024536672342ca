// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_NPU_HIDDEN_SCRATCH_H_
#define BELAY_NPU_HIDDEN_SCRATCH_H_

// Bytes of the Unified Buffer that an instruction overwrites although the
// kernel never names them: the scratch some calls keep at its end.

#include "npu/chip_spec.h"
#include "npu/lanes.h"

namespace belay::npu {

// Offset in UB; no bytes for nearly all instructions.
struct HiddenScratch {
  uint64_t offset = 0;
  uint64_t bytes = 0;
};

// Select with a scalar, or with bits for every lane, stages the scalar or the
// bits' address there, unless SetCmpMask has done so. AddDeqRelu keeps its
// sums there, 4 bytes each, in turns.
HiddenScratch HiddenScratchOf(const ChipSpec& spec,
                              const abi::Instruction& instruction,
                              const Lanes& lanes);

}  // namespace belay::npu

#endif  // BELAY_NPU_HIDDEN_SCRATCH_H_
