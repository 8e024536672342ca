// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CHECK_INIT_CUBE_H_
#define BELAY_CHECK_INIT_CUBE_H_

// What cube instructions do to the shadow. Loads move it; an element of C is
// as undefined as the row of A and the column of B it was made of, counted up
// to k; Fixpipe passes it on element by element.

#include <cstdint>

#include "check/init_transfer.h"
#include "check/shadow_map.h"
#include "npu/observer.h"

namespace belay::check {

struct CubeShadow {
  ShadowMap& on_chip;
  ShadowMap& global;
  uint64_t l1;  // where the core's L1 starts
};

// An undefined byte that the instruction reads into its results, or 0. Called
// before PropagateCube.
uint64_t FindUndefinedSource(const npu::InstructionEvent& event,
                             const CubeShadow& shadow);

// Any cube instruction, also a move that widens into the bias table. What
// Fixpipe stores undefined to global memory is a fault and counts as defined
// from then on; those of other instructions come back empty.
StoreFaults PropagateCube(const npu::InstructionEvent& event,
                          const CubeShadow& shadow);

}  // namespace belay::check

#endif  // BELAY_CHECK_INIT_CUBE_H_
