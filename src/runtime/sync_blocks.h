// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_RUNTIME_SYNC_BLOCKS_H_
#define BELAY_RUNTIME_SYNC_BLOCKS_H_

// What blocks do to each other: the part of synchronisation that happens
// between fibers, not on the chip.

#include "runtime/device.h"

namespace belay::runtime {

// Whether the instruction says anything to the core of the running block: a
// meeting of vector cores means nothing to a cube core, nor one of the first
// blocks to the others.
bool ConcernsCore(Device& device, const abi::Instruction& instruction);

// Carries out an instruction that was issued, when it concerns other blocks;
// returns when the block may go on.
void SyncBlocks(Device& device, const abi::Instruction& instruction);

}  // namespace belay::runtime

#endif  // BELAY_RUNTIME_SYNC_BLOCKS_H_
