// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_PASSES_BATCH_H_
#define BELAY_CRUX_PASSES_BATCH_H_

// One row is written, many are run: the iterations of an innermost loop over
// cores that does not cut into pieces, or of the one around it that it cuts the
// rows of, run several at a time, along a new first axis of every tile that
// differs between them. Left alone where iterations differ in what they do:
// where they branch, loop or index by values of their own.

#include "crux/ir/tile.h"

namespace belay::crux::passes {

// At most so many rows at a time: what one vector instruction repeats.
inline constexpr int64_t kMostRows = 254;

void BatchRows(ir::Kernel& kernel);

}  // namespace belay::crux::passes

#endif  // BELAY_CRUX_PASSES_BATCH_H_
