// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_SELECT_CORES_H_
#define BELAY_CRUX_SELECT_CORES_H_

// Loops as code: those over cores share their items out, those in order run.

#include <functional>
#include <vector>

#include "crux/select/emitter.h"
#include "crux/select/storage.h"

namespace belay::crux::select {

// Loops over cores that form one space, outermost first. There may be
// statements before the next loop, none behind it.
struct CoresNest {
  std::vector<const ir::Loop*> loops;
  std::vector<Int> turns;  // of each loop
  Int items;               // of all
  // Where groups of loops begin, the first at 0: nothing stands between the
  // loops of a group.
  std::vector<size_t> groups;
  bool last_first = false;  // items in falling order
  // Loads between the loops take queues of loads of the last one.
  bool shares_queues = false;
  // That an item loads, where loading holds a launch's only loop up. 0: not so,
  // or not known.
  Int bytes = 0;
  Int end_item;  // the first behind those of this core
  // Whether the core's last item was the last loop's piece before, an integer
  // that turns define; empty: nobody asks.
  std::string again;
  // Turns that some tiles are loaded for at once, and an integer that turns
  // define: which of these one is. Empty: nobody asks.
  Int turns_at_once = 1;
  std::string turn_of_these;
};

// Items of a group and those inside it: from low to before high.
struct ItemRange {
  Int low;
  Int high;
  Int turn = 0;  // of the groups around this one, counted through
};

// The nest that begins with this loop. A loop inside that does more than lead
// to the next, or whose bounds change with the one around it, ends it; its
// inner loops run in order.
CoresNest NestOf(const ir::Stmt& stmt);

// What the fields of a nest say.
bool SharesQueues(const StoragePlan& plan, const CoresNest& nest);
Int BytesOfItem(const ir::Kernel& kernel, const Layouts& layouts,
                const CoresNest& nest);

// The items of this core: runs as equal as can be, the rest to the first cores.
// Cores start one after the other: where items are known to wait for memory,
// the last get as many less as the first have loaded by then, unless items keep
// rows for the next.
ItemRange ItemsOfCore(Emitter& emitter, const CoresNest& nest);

// Does what it is given with the names of the turn behind the one at hand, if
// there is one.
using ForNextTurn = std::function<void(const std::function<void()>&)>;

// What turns of a loop load, besides what their bodies do.
struct TurnLoads {
  std::function<void()> next;  // `ahead` turns ahead
  std::function<void()> own;   // what cannot be, before that
  // For the first turn what bodies load for the next one, by what `later` gets
  // before each body.
  std::function<void()> first;
  std::function<void(const ForNextTurn&)> later;
  Int ahead = 1;  // or 0, if nothing is loaded by bodies

  bool any() const { return next || first; }
};

// What the first turn of all groups needs, before any of them.
void LoadFirst(Emitter& emitter, const CoresNest& nest, const ItemRange& range,
               const TurnLoads& loads);

// `body` for each turn of a group of loops that has items in the range, with
// their names defined, and what the range holds of the next group then. Loads,
// of the last group only, are done with the names of the turn they are for.
void ForGroup(Emitter& emitter, const CoresNest& nest, size_t group,
              const ItemRange& range,
              const std::function<void(const ItemRange&)>& body,
              const TurnLoads& loads = {});

// `body` for each turn, in order, with its loads before it.
void InOrder(Emitter& emitter, const ir::Loop& loop,
             const std::function<void()>& body, const TurnLoads& loads = {});

}  // namespace belay::crux::select

#endif  // BELAY_CRUX_SELECT_CORES_H_
