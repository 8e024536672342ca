// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_PRINT_FREE_FUNCTIONS_H_
#define BELAY_CRUX_PRINT_FREE_FUNCTIONS_H_

// Functions of printed classes that use nothing of their class, and are the
// same wherever they occur, become functions of the file.

#include <vector>

#include "crux/print/class_groups.h"
#include "crux/print/text.h"

namespace belay::crux::print {

// Takes them out of the groups' texts.
Text TakeFreeFunctions(const typed::Kernel& kernel,
                       std::vector<ClassGroup>& groups);

}  // namespace belay::crux::print

#endif  // BELAY_CRUX_PRINT_FREE_FUNCTIONS_H_
