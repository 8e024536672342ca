// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_RUN_OPEN_OUTPUTS_H_
#define BELAY_CRUX_RUN_OPEN_OUTPUTS_H_

// Outputs with upto(…) dimensions: their size is known after the run.

#include <vector>

#include "crux/interpret/interpret.h"
#include "crux/ir/code.h"
#include "crux/run/frame.h"

namespace belay::crux::run {

// Cuts outputs to what the kernel left in the workspace: for output `y` the
// workspace tensor `y_extent` holds, for each dimension (of each tensor of a
// list), one more than the largest index stored. Outputs without one stay.
void CutOpenOutputs(const code::Kernel& kernel, const HostTable& host,
                    uint64_t workspace,
                    std::vector<interpret::OutputTensor>& outputs);

}  // namespace belay::crux::run

#endif  // BELAY_CRUX_RUN_OPEN_OUTPUTS_H_
