// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_SELECT_SIDES_H_
#define BELAY_CRUX_SELECT_SIDES_H_

// Which buffers lie before the queues and which behind them.
//
// The two sources of an instruction must not begin at the same multiple of 512
// bytes (they would meet in every bank group), and its result should not lie in
// the 64 KB of a source that it is not written over. Buffers in front begin at
// multiples of 512 bytes, all that follows 256 bytes later; the queues between
// keep both sides apart.

#include <set>
#include <string>

#include "crux/ir/tile.h"
#include "crux/select/storage.h"

namespace belay::crux::select {

// Names of the buffers in front. Queues and scratch lie behind them.
std::set<std::string> BuffersInFront(const ir::Kernel& kernel,
                                     const StoragePlan& plan);

}  // namespace belay::crux::select

#endif  // BELAY_CRUX_SELECT_SIDES_H_
