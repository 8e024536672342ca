// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_SELECT_SPARES_H_
#define BELAY_CRUX_SELECT_SPARES_H_

// Memory in which columns of rows on lanes, or rows of a piece, meet while they
// are reduced.

#include "crux/ir/tile.h"
#include "crux/select/lives.h"
#include "crux/select/occurrences.h"
#include "crux/select/storage.h"

namespace belay::crux::select {

// Fills in `plan.spare` and `plan.beside`, once all queues and buffers are
// known.
void FindSpares(const ir::Kernel& kernel, const Occurrences& at,
                const Lives& lives, StoragePlan& plan);

}  // namespace belay::crux::select

#endif  // BELAY_CRUX_SELECT_SPARES_H_
