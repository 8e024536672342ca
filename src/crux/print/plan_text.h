// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_PRINT_PLAN_TEXT_H_
#define BELAY_CRUX_PRINT_PLAN_TEXT_H_

// What the compiler derived of a kernel, as a person would plan it: pieces,
// cores, buffers, and what happens in which order.

#include <string>

#include "crux/compile.h"

namespace belay::crux::print {

// Of one variant. Sizes are formulas over the sizes of the program.
std::string PlanText(const CompiledVariant& variant);

}  // namespace belay::crux::print

#endif  // BELAY_CRUX_PRINT_PLAN_TEXT_H_
