// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_SELECT_RUNNING_SUMS_H_
#define BELAY_CRUX_SELECT_RUNNING_SUMS_H_

// Values across cores that a loop adds the sums of tiles to. A core keeps one
// as the lanes of two repeats: tiles are added to the first, and the first to
// the second every few turns, so that no chain of additions is long. Behind the
// loop they become a number. That is one instruction in most turns. Additions
// of loops in order are the program's: their order stays.

#include <map>
#include <set>

#include "crux/ir/tile.h"
#include "crux/select/lives.h"
#include "crux/select/occurrences.h"

namespace belay::crux::select {

// What the lanes of a tile are added to.
struct RunningSum {
  int total = -1;
  ir::Int turn;  // counts turns of the loops around, about
};

struct RunningSums {
  std::map<const ir::Stmt*, int> begins;  // 0 = the number
  std::map<const ir::Stmt*, RunningSum> reductions;
  std::set<const ir::Stmt*> additions;       // which the reductions do
  std::multimap<const ir::Stmt*, int> ends;  // loops; behind them: a number
};

RunningSums FindRunningSums(const ir::Kernel& kernel, const Occurrences& at,
                            const Lives& lives);

}  // namespace belay::crux::select

#endif  // BELAY_CRUX_SELECT_RUNNING_SUMS_H_
