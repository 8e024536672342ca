// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_SELECT_LOADS_AHEAD_H_
#define BELAY_CRUX_SELECT_LOADS_AHEAD_H_

// Which loads of a loop's turn are done a turn earlier. The scalar unit waits
// while the vector unit has as many instructions as it can take, so that loads
// behind a long turn would come late, as do those that it fills first, or where
// the scalar unit waits for a number that it reads.

#include <utility>
#include <vector>

#include "crux/ir/tile.h"
#include "crux/select/layout.h"
#include "crux/select/storage.h"

namespace belay::crux::select {

struct LoadsAhead {
  std::vector<const ir::Stmt*> next;    // before a turn, for the next one
  std::vector<const ir::Stmt*> others;  // each in its own turn, before these
  // Loads of several moves, or with a fill, for the next turn into the only slot
  // of their queue, each behind the statement of the turn that is the last to
  // need the slot.
  std::vector<std::pair<const ir::Stmt*, const ir::Stmt*>> reloads;

  bool any() const { return !next.empty() || !reloads.empty(); }
};

// Of the loads through queues that `body` begins with; none: no need.
LoadsAhead FindLoadsAhead(const ir::Kernel& kernel, const Layouts& layouts,
                          const StoragePlan& plan, const ir::Block& body);

}  // namespace belay::crux::select

#endif  // BELAY_CRUX_SELECT_LOADS_AHEAD_H_
