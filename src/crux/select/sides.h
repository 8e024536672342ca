// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_SELECT_SIDES_H_
#define BELAY_CRUX_SELECT_SIDES_H_

// Which buffers and queues lie in front and which behind them.
//
// The two sources of an instruction must not begin at the same multiple of 512
// bytes (they would meet in every bank group), and its result should not lie in
// the 64 KB of a source that it is not written over. What is in front begins at
// multiples of 512 bytes, all that follows 256 bytes later. Buffers go to the
// front rather than queues: those between keep both sides apart. Conversions to
// another width wait within 64 KB as well: buffers that take part lie at the
// ends, and queues that they are narrowed to as far from them as their side
// goes.

#include <set>
#include <string>

#include "crux/ir/tile.h"
#include "crux/select/layout.h"
#include "crux/select/storage.h"

namespace belay::crux::select {

// Puts buffers and queues in order. Half a period of bank groups lies behind
// what is in front: slots of a queue are whole periods apart. Scratch lies
// behind.
// `rows`: buffers of one number for each row on lanes.
void ArrangeSides(const ir::Kernel& kernel, const Layouts& layouts,
                  const std::set<std::string>& rows, StoragePlan& plan);

}  // namespace belay::crux::select

#endif  // BELAY_CRUX_SELECT_SIDES_H_
