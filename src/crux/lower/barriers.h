// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_LOWER_BARRIERS_H_
#define BELAY_CRUX_LOWER_BARRIERS_H_

// Where all cores must meet: before a core touches global memory that another
// core may have touched, one of them by a store.

#include "crux/ir/tile.h"

namespace belay::crux::lower {

// Adds kSyncAll outside of loops over cores. Values across cores are not looked
// at.
void InsertBarriers(ir::Kernel& kernel);

}  // namespace belay::crux::lower

#endif  // BELAY_CRUX_LOWER_BARRIERS_H_
