// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_SELECT_COUNT_MEMORY_H_
#define BELAY_CRUX_SELECT_COUNT_MEMORY_H_

// What queues and buffers take on chip once all of them have their size.

#include <string>

#include "crux/ir/code.h"

namespace belay::crux::select {

// Gives `kernel` the bytes that it needs, those that Select keeps for itself
// among them. The queue `last_if_room` (empty: none) has its last slot, one
// more than `slots` says where that is a host value, only where so much is
// left.
void CountMemory(const std::string& last_if_room, code::Kernel& kernel);

}  // namespace belay::crux::select

#endif  // BELAY_CRUX_SELECT_COUNT_MEMORY_H_
