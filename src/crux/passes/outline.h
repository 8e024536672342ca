// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_PASSES_OUTLINE_H_
#define BELAY_CRUX_PASSES_OUTLINE_H_

// Cuts Process() up as engineers do: what a block copies in, computes and
// copies out become functions CopyIn, Compute and CopyOut.

#include "crux/ir/code.h"

namespace belay::crux::passes {

void Outline(code::Kernel& kernel);

}  // namespace belay::crux::passes

#endif  // BELAY_CRUX_PASSES_OUTLINE_H_
