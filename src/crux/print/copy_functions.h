// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_PRINT_COPY_FUNCTIONS_H_
#define BELAY_CRUX_PRINT_COPY_FUNCTIONS_H_

// Loads into queues and stores from them, which look all the same, become calls
// of two functions where these take fewer lines.

#include <vector>

#include "crux/print/class_groups.h"
#include "crux/print/text.h"

namespace belay::crux::print {

// The functions that the classes call behind it.
Text TakeCopies(const typed::Kernel& kernel, std::vector<ClassGroup>& groups);

}  // namespace belay::crux::print

#endif  // BELAY_CRUX_PRINT_COPY_FUNCTIONS_H_
