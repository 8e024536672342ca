// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_RUN_WORK_H_
#define BELAY_CRUX_RUN_WORK_H_

// How much scalar work compiled code does for a statement: an estimate of what
// the toolchain counts in the printed kernel.

#include "crux/run/program.h"

namespace belay::crux::run {

// Of the statement itself; of a loop: for each turn, of a branch: its test.
Work WorkOf(const code::Stmt& stmt);

// Takes it off the running block's budget; lets others run when none is left.
void Spend(const Work& work);

}  // namespace belay::crux::run

#endif  // BELAY_CRUX_RUN_WORK_H_
