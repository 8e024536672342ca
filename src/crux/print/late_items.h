// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_PRINT_LATE_ITEMS_H_
#define BELAY_CRUX_PRINT_LATE_ITEMS_H_

// Variants whose cores all get as many items (select/cores.cpp) beside others
// whose later cores get fewer.

#include <string>

#include "crux/print/compiled.h"

namespace belay::crux::print {

// The host value that says how many fewer, where not all variants have it: the
// others are printed with it, too, and 0 in it. Empty: all share alike.
std::string LateOfSome(const Compiled& compiled);

}  // namespace belay::crux::print

#endif  // BELAY_CRUX_PRINT_LATE_ITEMS_H_
