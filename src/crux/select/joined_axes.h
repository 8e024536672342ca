// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_SELECT_JOINED_AXES_H_
#define BELAY_CRUX_SELECT_JOINED_AXES_H_

// Axes of an access that are one: all of a dimension behind a range of the one
// before it, in the tensor and in the tile. A move then goes over both at once.

#include <vector>

#include "crux/ir/tile.h"

namespace belay::crux::select {

// `dims` are the tile's. The last axis, whose rows may be padded, stays.
void JoinAxes(ir::Access& access, std::vector<ir::Dim>& dims);

}  // namespace belay::crux::select

#endif  // BELAY_CRUX_SELECT_JOINED_AXES_H_
