// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_PASSES_SINK_BUFFERS_H_
#define BELAY_CRUX_PASSES_SINK_BUFFERS_H_

// Statements that only fetch a buffer move to where it is first used, as
// engineers write them.

#include "crux/ir/code.h"

namespace belay::crux::passes {

void SinkBuffers(code::Kernel& kernel);

}  // namespace belay::crux::passes

#endif  // BELAY_CRUX_PASSES_SINK_BUFFERS_H_
