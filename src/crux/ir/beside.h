// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_IR_BESIDE_H_
#define BELAY_CRUX_IR_BESIDE_H_

// Which tile parameters cut loops that follow each other: none is to take the
// memory that another one needs.

#include <vector>

#include "crux/ir/tile.h"

namespace belay::crux::ir {

// For each of `parameters` the number of its group: those that cut loops which
// stand in the same cut loops, or in none. 0: it is alone.
std::vector<int> BesideEachOther(const Kernel& kernel);

}  // namespace belay::crux::ir

#endif  // BELAY_CRUX_IR_BESIDE_H_
