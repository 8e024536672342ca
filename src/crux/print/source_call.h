// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_PRINT_SOURCE_CALL_H_
#define BELAY_CRUX_PRINT_SOURCE_CALL_H_

// The arguments of a printed single source, and files to and from device
// memory.

#include <string>

#include "crux/print/text.h"
#include "crux/typed.h"

namespace belay::crux::print {

// Whether several arguments may have one name: lists, and what is updated.
bool IsNumbered(const typed::Kernel& kernel);

// "call["x"]", or "call[{"x", 0}]" where arguments are numbered.
std::string ArgumentText(const typed::Kernel& kernel, const std::string& name,
                         const std::string& number = "0");

// What the lines of main mention, and what that needs.
Text PrintCall(const typed::Kernel& kernel, const Text& main);

}  // namespace belay::crux::print

#endif  // BELAY_CRUX_PRINT_SOURCE_CALL_H_
