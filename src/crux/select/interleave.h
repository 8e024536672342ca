// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_SELECT_INTERLEAVE_H_
#define BELAY_CRUX_SELECT_INTERLEAVE_H_

// kConcat whose result has the elements of its operands in turns along the last
// axis. Elements of 16 and 32 bits are gathered: rows of all operands are
// copied into one memory, several short ones at a time.

#include "crux/select/emitter.h"

namespace belay::crux::select {

// How many rows at most are gathered at a time, and elements of several.
inline constexpr int64_t kRowsGathered = 8;
inline constexpr int64_t kGathered = 1024;

// How many rows of that pitch, which may be 0, are gathered at a time.
inline ir::Int RowsGathered(const ir::Int& pitch) {
  return Max(1, FloorDiv(kGathered, Max(kGathered / kRowsGathered, pitch)));
}

void SelectInterleave(Emitter& emitter, const ir::Stmt& stmt);

}  // namespace belay::crux::select

#endif  // BELAY_CRUX_SELECT_INTERLEAVE_H_
