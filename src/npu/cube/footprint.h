// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_NPU_CUBE_FOOTPRINT_H_
#define BELAY_NPU_CUBE_FOOTPRINT_H_

// Which bytes a cube instruction reads and writes. Mmad counts its fractals as
// read whole; invalid rows and columns in them do not enter its results.

#include "npu/footprint.h"

namespace belay::npu {

// Of a record that CompleteCube completed and IsNothing is false for; `atomic`
// says whether moves to global memory accumulate.
Footprint CubeFootprintOf(const abi::Instruction& instruction, bool atomic);

}  // namespace belay::npu

#endif  // BELAY_NPU_CUBE_FOOTPRINT_H_
