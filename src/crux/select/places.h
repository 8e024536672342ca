// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_SELECT_PLACES_H_
#define BELAY_CRUX_SELECT_PLACES_H_

// Where the buffers of a kernel lie whose tiles are one element or all as long
// as each other, or rows of one length, a window beside what is made of it.
// Memory has three parts of 64 KB, and 16 bank groups of 32 bytes in each. An
// instruction waits where
// - its two sources begin in the same half of the groups, or both lie with the
//   result in one part;
// - it takes two cycles a repeat and result and source lie in one part and
//   begin in the same half: in place, as a rule;
// - it converts to another width within one part.
// So buffers are put in order, and tiles begin 256 bytes further in their
// buffer where that helps. Of a function in place the result begins 256 bytes
// before the operand: a repeat is written where an earlier one was read, which
// AscendC allows.

#include "crux/ir/tile.h"
#include "crux/select/layout.h"
#include "crux/select/storage.h"

namespace belay::crux::select {

// False, and nothing is done: the kernel has other tiles.
bool ArrangePlaces(const ir::Kernel& kernel, const Layouts& layouts,
                   StoragePlan& plan);

}  // namespace belay::crux::select

#endif  // BELAY_CRUX_SELECT_PLACES_H_
