// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_RUN_WORK_H_
#define BELAY_CRUX_RUN_WORK_H_

// How much scalar work compiled code does for a statement: an estimate of what
// the toolchain counts in the printed kernel.

#include <set>
#include <string>

#include "crux/run/program.h"

namespace belay::crux::run {

// Of the statement itself; of a loop: for each turn, of a branch: its test.
// Names in `fields` are members of the tiling data: loaded where they are used.
Work WorkOf(const code::Stmt& stmt,
            const std::set<std::string, std::less<>>& fields);

// Of the second operand of `scalar`, an && or ||, which is spent only when it
// is worked out; none where it is part of the statement's.
Work WorkOfSecond(const code::Scalar& scalar,
                  const std::set<std::string, std::less<>>& fields);

// Takes it off the running block's budget; lets others run when none is left.
void Spend(const Work& work);

}  // namespace belay::crux::run

#endif  // BELAY_CRUX_RUN_WORK_H_
