// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_RUNTIME_CROSS_CORE_H_
#define BELAY_RUNTIME_CROSS_CORE_H_

// CrossCoreSetFlag and CrossCoreWaitFlag of the block that runs now.

#include "runtime/device.h"

namespace belay::runtime {

// A set that would raise a counter above its limit waits for it to go down: on
// the chip the other core may be quick enough. When nobody can go on then, it
// is a fault.
void SetCrossCoreFlag(Device& device, const abi::Instruction& instruction);

void WaitCrossCoreFlag(Device& device, const abi::Instruction& instruction);

}  // namespace belay::runtime

#endif  // BELAY_RUNTIME_CROSS_CORE_H_
