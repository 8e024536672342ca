// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_SELECT_CORES_H_
#define BELAY_CRUX_SELECT_CORES_H_

// Loops as code: those over cores share their items out, those in order run.

#include <functional>
#include <vector>

#include "crux/select/emitter.h"

namespace belay::crux::select {

// Loops over cores that form one space, outermost first. Statements before the
// next loop belong to every item; there are none behind it.
struct CoresNest {
  std::vector<const ir::Loop*> loops;
  std::vector<Int> turns;  // of each loop
  Int items;               // of all
};

// The nest that begins with this loop. A loop inside that does more than lead
// to the next, or whose bounds change with the one around it, ends it; its
// inner loops run in order.
CoresNest NestOf(const ir::Stmt& stmt);

// `body` for each item of the core, with the loops' names defined. Items are
// dealt in runs as equal as can be, the rest to the first cores.
void ForItemsOfCore(Emitter& emitter, const CoresNest& nest,
                    const std::function<void()>& body);

// `body` for each turn, in order.
void InOrder(Emitter& emitter, const ir::Loop& loop,
             const std::function<void()>& body);

}  // namespace belay::crux::select

#endif  // BELAY_CRUX_SELECT_CORES_H_
