// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_PRINT_FUNCTION_FAMILIES_H_
#define BELAY_CRUX_PRINT_FUNCTION_FAMILIES_H_

// Functions that are the same but for the instruction they call become one
// template: SubBroadcast and MulBroadcast are Broadcast<Op::kSub> and
// Broadcast<Op::kMul>.

#include <vector>

#include "crux/print/class_groups.h"
#include "crux/print/text.h"

namespace belay::crux::print {

// `functions` of the file, and the classes that call them.
void JoinFamilies(Text& functions, std::vector<ClassGroup>& groups);

}  // namespace belay::crux::print

#endif  // BELAY_CRUX_PRINT_FUNCTION_FAMILIES_H_
