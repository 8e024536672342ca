// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_SELECT_QUEUES_H_
#define BELAY_CRUX_SELECT_QUEUES_H_

// Which loaded or stored tiles go through one queue, and how many slots it has.

#include <set>
#include <vector>

#include "crux/ir/tile.h"
#include "crux/select/lives.h"
#include "crux/select/storage.h"

namespace belay::crux::select {

struct SharedQueue {
  std::vector<int> tiles;  // in the order in which they live
  int depth = 0;           // slots; 0: no queue
  // The last of them only where memory is left; one queue at most.
  bool last_if_room = false;
  // The host chooses: one where otherwise not even one row fits on chip.
  bool by_host = false;
  // Those of them, the last ones, that are loaded, and dead, before others are
  // loaded in a loop: no larger, they go through a slot one after the other.
  std::set<int> before;
};

// For the tiles whose home in `plan` is `home`. All queues together take no
// more slots than a pair of pipes has events.
std::vector<SharedQueue> ShareQueues(const ir::Kernel& kernel,
                                     const Occurrences& at, const Lives& lives,
                                     const StoragePlan& plan, Home home);

}  // namespace belay::crux::select

#endif  // BELAY_CRUX_SELECT_QUEUES_H_
