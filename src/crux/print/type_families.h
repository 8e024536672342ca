// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_PRINT_TYPE_FAMILIES_H_
#define BELAY_CRUX_PRINT_TYPE_FAMILIES_H_

// Functions that are the same but for the type of elements, and for numbers
// that follow its size, become one template: MaxRows and MaxRowsHalf.

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "crux/print/function_list.h"

namespace belay::crux::print {

// Bytes of an element of "float" and other types of computed numbers; 0: none
// of these.
int64_t SizeOfType(std::string_view type);

// Calls find the type by themselves: `names` gets the names that functions had.
// Those that `alike` takes for one but for what they call become templates
// together, but for those that are called as `members` of classes are: these
// would hide them, or be renamed with them. Gives whether any has; pieces are no
// longer true then.
bool JoinTypes(
    std::vector<Function>& functions,
    const std::function<bool(const Function&, const Function&)>& alike,
    const std::set<std::string>& members, CallNames& names);

}  // namespace belay::crux::print

#endif  // BELAY_CRUX_PRINT_TYPE_FAMILIES_H_
