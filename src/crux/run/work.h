// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_RUN_WORK_H_
#define BELAY_CRUX_RUN_WORK_H_

// Scalar work as the running block does it; compiled_work.h says how much.

#include "crux/run/program.h"

namespace belay::crux::run {

// Takes it off the running block's budget; lets others run when none is left.
void Spend(const Work& work);

}  // namespace belay::crux::run

#endif  // BELAY_CRUX_RUN_WORK_H_
