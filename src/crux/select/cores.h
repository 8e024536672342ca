// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_SELECT_CORES_H_
#define BELAY_CRUX_SELECT_CORES_H_

// Loops as code: those over cores share their items out, those in order run.

#include <functional>
#include <vector>

#include "crux/select/emitter.h"

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
};

// Items of a group and those inside it: from low to before high.
struct ItemRange {
  Int low;
  Int high;
};

// The nest that begins with this loop. A loop inside that does more than lead
// to the next, or whose bounds change with the one around it, ends it; its
// inner loops run in order.
CoresNest NestOf(const ir::Stmt& stmt);

// The items of this core: runs as equal as can be, the rest to the first cores.
ItemRange ItemsOfCore(Emitter& emitter, const CoresNest& nest);

// `body` for each turn of a group of loops that has items in the range, with
// their names defined, and what the range holds of the next group then. Given
// `ahead`, of the last group only, that is done a turn earlier, with the names
// of its own turn.
void ForGroup(Emitter& emitter, const CoresNest& nest, size_t group,
              const ItemRange& range,
              const std::function<void(const ItemRange&)>& body,
              const std::function<void()>& ahead = {});

// `body` for each turn, in order, and `ahead` of the next turn before it.
void InOrder(Emitter& emitter, const ir::Loop& loop,
             const std::function<void()>& body,
             const std::function<void()>& ahead = {});

}  // namespace belay::crux::select

#endif  // BELAY_CRUX_SELECT_CORES_H_
