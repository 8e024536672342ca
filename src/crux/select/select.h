// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_SELECT_SELECT_H_
#define BELAY_CRUX_SELECT_SELECT_H_

// The last step of compiling: operations on tiles to calls of AscendC, with
// queues, buffers and the cut over the cores.

#include "crux/ir/code.h"
#include "crux/ir/tile.h"
#include "crux/select/storage.h"

namespace belay::crux::select {

// `kernel` has gone through all passes (compile.cpp); it must outlive the
// result. All code is in one function, Process; passes/outline.h cuts it up.
code::Kernel Select(const ir::Kernel& kernel, const StoragePlan& plan);

}  // namespace belay::crux::select

#endif  // BELAY_CRUX_SELECT_SELECT_H_
