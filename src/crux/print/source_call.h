// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_PRINT_SOURCE_CALL_H_
#define BELAY_CRUX_PRINT_SOURCE_CALL_H_

// The class Call of a printed single source: main's arguments, and files to and
// from device memory.

#include "crux/print/text.h"

namespace belay::crux::print {

// The members that the lines of main mention, and what those need.
Text PrintCall(const Text& main);

}  // namespace belay::crux::print

#endif  // BELAY_CRUX_PRINT_SOURCE_CALL_H_
