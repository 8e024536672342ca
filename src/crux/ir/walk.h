// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_IR_WALK_H_
#define BELAY_CRUX_IR_WALK_H_

// Visits of the parts of a kernel.

#include <functional>

#include "crux/ir/tile.h"

namespace belay::crux::ir {

// Every statement, a loop or `if` before what is inside it.
void ForEachStmt(const Block& block,
                 const std::function<void(const Stmt&)>& visit);

// The integers of one statement and of the tiles it gives; not of statements
// inside it.
void ForEachInt(const Kernel& kernel, const Stmt& stmt,
                const std::function<void(const Int&)>& visit);

// The tiles one statement reads, positions included.
void ForEachTileRead(const Stmt& stmt, const std::function<void(int)>& visit);

// Removes what computes tiles and integers that nothing uses, empty loops and
// conditions, and host values that nothing uses.
void RemoveUnused(Kernel& kernel);

}  // namespace belay::crux::ir

#endif  // BELAY_CRUX_IR_WALK_H_
