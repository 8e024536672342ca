// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_PRINT_HOST_LINES_H_
#define BELAY_CRUX_PRINT_HOST_LINES_H_

// Host lines of a program (`OH = (H - k) // s + 1`) as C++: those that give the
// variables in `needs` their values, and what they need in turn.

#include <map>

#include "crux/print/host_text.h"
#include "crux/print/text.h"
#include "crux/typed.h"

namespace belay::crux::print {

// Adds to `needs` until nothing is missing. Of `if fits():` the first block
// counts.
Text HostLines(const typed::Kernel& kernel, HostNeeds& needs);

// How often each variable is assigned.
std::map<const typed::Variable*, int> AssignmentsIn(const typed::Block& block);

}  // namespace belay::crux::print

#endif  // BELAY_CRUX_PRINT_HOST_LINES_H_
