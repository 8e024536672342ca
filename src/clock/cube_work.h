// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CLOCK_CUBE_WORK_H_
#define BELAY_CLOCK_CUBE_WORK_H_

// From a cube instruction to the work it is: steps of the cube, bytes that
// arrive in the core's memories, rows of global memory.

#include <cstdint>
#include <vector>

#include "clock/clock_spec.h"
#include "clock/record.h"
#include "npu/observer.h"

namespace belay::clock {

// How deep along k one step of the cube goes, in elements, by type.
struct CubeDepths {
  explicit CubeDepths(const ClockSpec& spec);
  uint64_t Of(const npu::InstructionEvent& mmad) const;

  uint64_t int4, int8, half, single, hf32;
};

CubeWork MmadWorkOf(const npu::InstructionEvent& event,
                    const CubeDepths& depths);

// LoadData from L1, Fill, and Fixpipe to L1. Where im2col makes LoadData3D
// slower than its memory's rate, its bytes count for as many more.
CubeWork LoadWorkOf(const npu::InstructionEvent& event);

// Whether the instruction moves from or to global memory.
bool MovesGlobal(const abi::Instruction& instruction);

// Such a move, one for each regular pattern of rows: matrices that lie further
// apart than their rows come one by one. `local_base` is where the on-chip
// memory starts.
std::vector<MoveWork> MovesOf(const npu::InstructionEvent& event,
                              uint64_t local_base);

}  // namespace belay::clock

#endif  // BELAY_CLOCK_CUBE_WORK_H_
