// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_IR_VERIFY_H_
#define BELAY_CRUX_IR_VERIFY_H_

// The rules of the tile form, looked at one by one: for tests of lowering and
// of passes.

#include <string>
#include <vector>

#include "crux/ir/tile.h"

namespace belay::crux::ir {

// What is wrong with the kernel; empty if nothing is: ids, ranks and dtypes,
// broadcasts, names defined and tiles assigned before they are used.
std::vector<std::string> Verify(const Kernel& kernel);

}  // namespace belay::crux::ir

#endif  // BELAY_CRUX_IR_VERIFY_H_
