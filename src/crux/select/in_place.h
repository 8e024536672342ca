// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_SELECT_IN_PLACE_H_
#define BELAY_CRUX_SELECT_IN_PLACE_H_

// Functions computed in place, where other tiles differ in size (places.h has
// those that do not).
//
// An instruction of two cycles a repeat waits 6 % longer where its result
// begins in the same half of the bank groups as its operand. So the operand of
// an `exp` in place, with all that it lies in place of, begins 256 bytes
// further in the buffer: a repeat is written where an earlier one was read,
// which AscendC allows.

#include "crux/ir/tile.h"
#include "crux/select/layout.h"
#include "crux/select/storage.h"

namespace belay::crux::select {

// One function a buffer at most, and none whose operand or what that lies in
// place of meets another tile in an instruction: those were put on other sides.
void MoveOperandsOfFunctions(const ir::Kernel& kernel, const Layouts& layouts,
                             StoragePlan& plan);

}  // namespace belay::crux::select

#endif  // BELAY_CRUX_SELECT_IN_PLACE_H_
